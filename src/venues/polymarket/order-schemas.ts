/** What is read of Polymarket's answers about our orders, trades and account. Used fields must fit; sizes are decimals, as recorded. */
import { z } from 'zod';
import { looseMicros, micros, price } from '../decimal-shape.ts';

const text = z.string().min(1);

/** Its own description writes `TRADE_STATUS_MINED` where its answers say `MINED`. */
const bare = z.string().transform((written) => written.toUpperCase().replace(/^(ORDER|TRADE)_STATUS_/, ''));

/** Seconds since 1970, or a date. */
const moment = z.string().transform((written, context) => {
  const date = /^[0-9]{1,12}$/.test(written) ? new Date(Number(written) * 1_000) : new Date(written);
  if (Number.isNaN(date.getTime())) {
    context.addIssue({ code: 'custom', message: 'neither seconds nor a date' });
    return z.NEVER;
  }
  return date;
});

const side = z.enum(['BUY', 'SELL']);

export const polymarketCredentials = z.looseObject({ apiKey: text, secret: text, passphrase: text });

export const polymarketRefusal = z.looseObject({
  error: text,
  code: z.string().optional(),
  retry_after_seconds: z.number().min(0).optional(),
});

export const polymarketSent = z.looseObject({
  success: z.boolean(),
  orderID: z.string().nullish(),
  errorMsg: z.string().nullish(),
  status: z.string().nullish(),
});

export const polymarketOrder = z.looseObject({
  id: text,
  /** `LIVE`, `DELAYED`, `UNMATCHED` or a word that is new may still fill. */
  status: bare,
  asset_id: text,
  side,
  original_size: micros,
  size_matched: micros,
  associate_trades: z.array(text).nullish(),
});
export type PolymarketOrder = z.output<typeof polymarketOrder>;

/** A trade of ours as the taker or as one of its makers. */
export const polymarketTrade = z.looseObject({
  id: text,
  taker_order_id: text,
  asset_id: text,
  side,
  size: micros,
  price,
  /** `MATCHED_NOT_BROADCASTED`, `MATCHED`, `MINED`, `RETRYING` or a word that is new: only `CONFIRMED` and `FAILED` are final. */
  status: bare,
  match_time: moment,
  /** `TAKER` or `MAKER`; nothing is booked of a trade of another word. */
  trader_side: text,
  maker_orders: z
    .array(
      z.looseObject({
        order_id: text,
        maker_address: z.string(),
        asset_id: text,
        matched_amount: micros,
        price,
      }),
    )
    .nullish(),
});
export type PolymarketTrade = z.output<typeof polymarketTrade>;

const cursor = z.string().nullish();
export const polymarketOrders = z.looseObject({ data: z.array(polymarketOrder), next_cursor: cursor });
export const polymarketTrades = z.looseObject({ data: z.array(polymarketTrade), next_cursor: cursor });
/** The cursor of a last page. */
export const LAST_PAGE = 'LTE=';

/** `/clob-markets`: tick, smallest size, neg risk, and the fee's rate and exponent. */
export const polymarketTerms = z.looseObject({
  mts: looseMicros,
  mos: looseMicros,
  nr: z.boolean().nullish(),
  fd: z.looseObject({ r: z.number().min(0).max(1).nullish(), e: z.number().min(0).max(4).nullish() }).nullish(),
});

export const polymarketTime = z.int().positive();

/** Integers are millionths of a dollar; an unlimited allowance has 78 digits. */
const funds = z.string().transform((written, context) => {
  const value = /^[0-9]{1,78}$/.test(written) ? BigInt(written) : micros.safeParse(written).data;
  if (value === undefined) {
    context.addIssue({ code: 'custom', message: 'no amount' });
    return z.NEVER;
  }
  return value;
});

/** Its own description names one allowance; its answers have one for each contract. */
export const polymarketBalance = z.looseObject({
  balance: funds,
  allowance: funds.nullish(),
  allowances: z.record(z.string(), funds).nullish(),
});

/** The newer API: a page, and the cursor of the next one. */
export const polymarketHoldings = z.looseObject({
  data: z.array(
    z
      .looseObject({ token_id: text, current_size: looseMicros, current_price: looseMicros, redeemable: z.boolean() })
      .transform(({ token_id: asset, current_size: size, current_price: curPrice, redeemable }) => ({
        asset,
        size,
        curPrice,
        redeemable,
      })),
  ),
  pagination: z.looseObject({ next_cursor: z.string().nullish() }),
});

/** The API that was announced to end. */
export const polymarketPositions = z.array(
  z.looseObject({
    asset: text,
    size: looseMicros,
    curPrice: looseMicros,
    redeemable: z.boolean(),
  }),
);
