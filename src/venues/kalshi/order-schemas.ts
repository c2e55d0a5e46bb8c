/** What is read of Kalshi's answers about our orders, fills and account (OpenAPI 3.28 to 3.30). Used fields must fit. */
import { z } from 'zod';
import { micros, price, time } from '../decimal-shape.ts';
import { expectShape, readable } from '../response-shape.ts';

const text = z.string().min(1);
/** Signed decimal: positions of NO are below 0. */
export const signedMicros = z
  .string()
  .regex(/^-?[0-9]/)
  .transform((written, context) => {
    const negative = written.startsWith('-');
    const parsed = micros.safeParse(negative ? written.slice(1) : written);
    if (!parsed.success) {
      context.addIssue({ code: 'custom', message: 'not a plain decimal with at most six places' });
      return z.NEVER;
    }
    return negative ? -parsed.data : parsed.data;
  });

/** The YES book: a bid buys YES or sells NO, an ask buys NO or sells YES. */
const bookSide = z.enum(['bid', 'ask']);

export const kalshiCreated = z.looseObject({
  order_id: text,
  client_order_id: text.nullish(),
  fill_count: micros,
  remaining_count: micros,
});

export const kalshiOrder = z.looseObject({
  order_id: text,
  client_order_id: z.string().nullish(),
  ticker: text,
  book_side: bookSide,
  /** `resting`, `canceled`, `executed`; any other may still fill. */
  status: text,
  exchange_index: z.int().min(0).nullish(),
  initial_count_fp: micros,
  fill_count_fp: micros,
  remaining_count_fp: micros,
});
export type KalshiOrder = z.output<typeof kalshiOrder>;

/** Everybody's orders and fills of the account: what does not fit is somebody else's, unless it is ours. */
export const kalshiOrders = z.looseObject({ orders: z.array(z.unknown()), cursor: z.string().nullish() });
const anyOrder = z.looseObject({ client_order_id: z.string().nullish() });

/**
 * The orders of a page that can be read.
 * @param mustFit decides by our id whether an order has to be read
 * @throws VenueUnknown if one of those cannot be read, or one without a readable id
 */
export function readableOrders(
  venue: string,
  orders: readonly unknown[],
  mustFit: (ourId: string | null | undefined) => boolean,
): KalshiOrder[] {
  return orders.flatMap((raw) => {
    const { client_order_id: ourId } = expectShape(venue, 'orders', anyOrder, raw);
    return readable(venue, 'orders', kalshiOrder, raw, mustFit(ourId));
  });
}
export const kalshiOneOrder = z.looseObject({ order: kalshiOrder });

export const kalshiFill = z.looseObject({
  fill_id: text,
  order_id: text,
  ticker: text,
  book_side: bookSide,
  count_fp: micros,
  yes_price_dollars: price,
  no_price_dollars: price,
  /** Of the whole fill, in dollars. */
  fee_cost: micros.nullish(),
  created_time: time,
});
export type KalshiFill = z.output<typeof kalshiFill>;
export const kalshiFills = z.looseObject({ fills: z.array(z.unknown()), cursor: z.string().nullish() });
const anyFill = z.looseObject({ order_id: text });

/**
 * The fills of a page that can be read.
 * @param mustFit decides by the exchange's id of its order whether a fill has to be read
 * @throws VenueUnknown if one of those cannot be read, or one without a readable id
 */
export function readableFills(
  venue: string,
  fills: readonly unknown[],
  mustFit: (orderId: string) => boolean,
): KalshiFill[] {
  return fills.flatMap((raw) => {
    const { order_id: orderId } = expectShape(venue, 'fills', anyFill, raw);
    return readable(venue, 'fills', kalshiFill, raw, mustFit(orderId));
  });
}

/** What ended before these times is in the historical lists alone; each list has its own. */
export const kalshiCutoff = z.looseObject({
  orders_updated_ts: time,
  trades_created_ts: time,
  market_settled_ts: time,
  market_positions_last_updated_ts: time.nullish(),
});

export const kalshiPositions = z.looseObject({
  market_positions: z.array(
    z.looseObject({ ticker: text, position_fp: signedMicros, last_updated_ts: time.nullish() }),
  ),
  cursor: z.string().nullish(),
});

export const kalshiSettlements = z.looseObject({
  settlements: z.array(z.looseObject({ ticker: text })),
  cursor: z.string().nullish(),
});

export const kalshiBalance = z.looseObject({
  balance_dollars: micros,
  /** Collateral is kept apart on each part of the exchange. Missing for a key of one subaccount. */
  balance_breakdown: z.array(z.looseObject({ exchange_index: z.int(), balance: micros })).nullish(),
});
/** What the exchange itself keeps on each part, in percent of what it may move. */
export const kalshiAllocation = z.looseObject({
  allocations: z.array(z.looseObject({ exchange_index: z.int().min(0), percent: z.number() })),
});
export const kalshiKeys = z.looseObject({
  api_keys: z.array(z.looseObject({ api_key_id: text, scopes: z.array(z.string()) })),
  /** Seconds since 1970. After it the key cannot trade what some regions restrict. */
  api_key_region_expiration_ts: z.number().nullish(),
});
export const kalshiStatus = z.looseObject({
  exchange_active: z.boolean(),
  /** Of part 0. */
  trading_active: z.boolean(),
  exchange_index_statuses: z
    .array(z.looseObject({ exchange_index: z.int().min(0), exchange_active: z.boolean(), trading_active: z.boolean() }))
    .nullish(),
});
export const kalshiRefusal = z.looseObject({ code: text, message: z.string().optional() });
/** The body of a 429 is of a form of its own. */
export const kalshiTooMany = z.looseObject({ error: text });
