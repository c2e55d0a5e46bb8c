/**
 * The shapes of Polymarket's responses and messages: our orders, trades and account, the messages of its streams (AsyncAPI of 2026-08), and
 * catalogue and books. Fields that are used must fit; all others may change.
 */
import { z } from 'zod';
import type { Note } from '../port.ts';
import { jsonOf, looseMicros, loosePrice, micros, price, time } from '../shapes.ts';

const text = z.string().min(1);

/** The exchange's description writes `TRADE_STATUS_MINED`, its responses `MINED`. */
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
export type PolymarketSent = z.output<typeof polymarketSent>;

export const polymarketOrder = z.looseObject({
  id: text,
  /** An order with the status `LIVE`, `DELAYED`, `UNMATCHED` or a new word may still fill. */
  status: bare,
  asset_id: text,
  side,
  original_size: micros,
  size_matched: micros,
  associate_trades: z.array(text).nullish(),
});
export type PolymarketOrder = z.output<typeof polymarketOrder>;

/** A trade of ours as the taker or as one of its makers. */
const polymarketTrade = z.looseObject({
  id: text,
  taker_order_id: text,
  asset_id: text,
  side,
  size: micros,
  price,
  /** Only `CONFIRMED` and `FAILED` are final; `MATCHED_NOT_BROADCASTED`, `MATCHED`, `MINED`, `RETRYING` and new words are not. */
  status: bare,
  match_time: moment,
  /** `TAKER` or `MAKER`. A trade with another word is not booked. */
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
/** Cursor of the last page. */
export const LAST_PAGE = 'LTE=';

/** `/clob-markets`: tick (`mts`), smallest size (`mos`), neg risk (`nr`), and rate and exponent of the fee (`fd`). */
export const polymarketTerms = z.looseObject({
  mts: looseMicros,
  mos: looseMicros,
  nr: z.boolean().nullish(),
  fd: z.looseObject({ r: z.number().min(0).max(1).nullish(), e: z.number().min(0).max(4).nullish() }).nullish(),
});

export const polymarketTime = z.int().positive();

/** An integer counts millionths of a dollar; an unlimited allowance has 78 digits. */
const funds = z.string().transform((written, context) => {
  const value = /^[0-9]{1,78}$/.test(written) ? BigInt(written) : micros.safeParse(written).data;
  if (value === undefined) {
    context.addIssue({ code: 'custom', message: 'no amount' });
    return z.NEVER;
  }
  return value;
});

/** The exchange's description has one allowance, its responses have one for each contract. */
export const polymarketBalance = z.looseObject({
  balance: funds,
  allowance: funds.nullish(),
  allowances: z.record(z.string(), funds).nullish(),
});

/** Positions in the newer API: a page, and the cursor of the next one. */
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

/** Activity of the wallet in the newer API: one page, newest first, and the cursor of the next page. */
export const polymarketActivity = z.looseObject({
  data: z.array(
    z.looseObject({
      type: text,
      /** Seconds since 1970. */
      timestamp: z.int().min(0),
      transaction_hash: z.string().nullish(),
      usdc_size: looseMicros,
    }),
  ),
  pagination: z.looseObject({ next_cursor: z.string().nullish() }),
});

/** Positions in the older API, whose end was announced. */
export const polymarketPositions = z.array(
  z.looseObject({
    asset: text,
    size: looseMicros,
    curPrice: looseMicros,
    redeemable: z.boolean(),
  }),
);

/** Milliseconds since 1970. */
const milliseconds = z
  .string()
  .regex(/^[0-9]{1,16}$/)
  .transform(Number);

/** A best price, which is `""` if there is none. */
const best = z.union([z.literal('').transform(() => undefined), loosePrice]).optional();

const bookLevel = z
  .looseObject({ price: loosePrice, size: looseMicros })
  .transform((one) => ({ priceMicros: one.price, quantityMicros: one.size }));

const marketMessage = z.discriminatedUnion('event_type', [
  z.looseObject({
    event_type: z.literal('book'),
    asset_id: text,
    bids: z.array(bookLevel),
    asks: z.array(bookLevel),
    timestamp: milliseconds,
  }),
  z.looseObject({
    event_type: z.literal('price_change'),
    price_changes: z.array(
      z.looseObject({ asset_id: text, price: loosePrice, size: looseMicros, side, best_bid: best, best_ask: best }),
    ),
    timestamp: milliseconds,
  }),
  z.looseObject({
    event_type: z.literal('last_trade_price'),
    asset_id: text,
    price: loosePrice,
    size: looseMicros,
    side,
    timestamp: milliseconds,
  }),
  z.looseObject({ event_type: z.literal('tick_size_change'), asset_id: text }),
  z.looseObject({ event_type: z.literal('market_resolved'), assets_ids: z.array(text) }),
]);
export type MarketMessage = z.output<typeof marketMessage>;

export type TradeMessage = Extract<MarketMessage, { event_type: 'last_trade_price' }>;
export type PriceChange = Extract<MarketMessage, { event_type: 'price_change' }>['price_changes'][number];

/** Messages about our orders and trades. Only the ids of the orders are read: a look-up reads the rest. */
const userMessage = z.discriminatedUnion('event_type', [
  z.looseObject({ event_type: z.literal('order'), id: text }),
  z.looseObject({
    event_type: z.literal('trade'),
    taker_order_id: text,
    maker_orders: z.array(z.looseObject({ order_id: text })).nullish(),
  }),
]);
export type UserMessage = z.output<typeof userMessage>;

const MARKET_TYPES = new Set<string>(marketMessage.options.flatMap((option) => [...option.shape.event_type.values]));
const USER_TYPES = new Set<string>(userMessage.options.flatMap((option) => [...option.shape.event_type.values]));

/** Documented types that are of no use here. */
const UNREAD: ReadonlySet<string> = new Set(['best_bid_ask', 'new_market']);
/** Types that change no book and only cause a request to be made earlier, so nothing is lost if one cannot be read. */
const HINTS: ReadonlySet<string> = new Set(['last_trade_price', 'market_resolved', ...USER_TYPES]);

export const readMarketFrame = (frame: string, note: Note) => readFrame(frame, marketMessage, MARKET_TYPES, note);
export const readUserFrame = (frame: string, note: Note) => readFrame(frame, userMessage, USER_TYPES, note);

interface ReadFrame<Message> {
  readonly messages: readonly Message[];
  /** Messages about books that do not fit, so that a change is missed. */
  readonly missed: readonly unknown[];
}

/**
 * Reads a frame, which is one message or an array of them. Unknown types are noted and ignored.
 * @returns the messages of the known types; undefined if the frame holds something that is not a message
 */
function readFrame<Message>(
  frame: string,
  shape: z.ZodType<Message>,
  known: ReadonlySet<string>,
  note: Note,
): ReadFrame<Message> | undefined {
  const body = jsonOf(frame);
  const messages: Message[] = [];
  const missed: unknown[] = [];
  for (const one of Array.isArray(body) ? body : [body]) {
    const type = (one as { event_type?: unknown } | null)?.event_type;
    if (typeof type !== 'string') {
      return undefined;
    }
    const read = known.has(type) ? shape.safeParse(one).data : undefined;
    if (read !== undefined) {
      messages.push(read);
    } else if (!known.has(type)) {
      if (!UNREAD.has(type)) {
        note('stream message', type);
      }
    } else {
      note('stream message that cannot be read', type);
      if (!HINTS.has(type)) {
        missed.push(one);
      }
    }
  }
  return { messages, missed };
}

const named = z.looseObject({ asset_id: z.string() });
const namedChanges = z.looseObject({ price_changes: z.array(z.unknown()) });

/** The tokens that a message names which does not fit; none if it names none. */
export function tokensIn(message: unknown): string[] {
  const changes = namedChanges.safeParse(message).data?.price_changes ?? [];
  return [message, ...changes].flatMap((one) => named.safeParse(one).data?.asset_id ?? []);
}

/** An array of texts that is sent as JSON text. */
const texts = z.string().transform((text, context) => {
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'not a JSON array of texts' });
    return z.NEVER;
  }
});
const pair = texts.refine((list) => list.length === 2, 'not two of them');
const positionPair = z.tuple([z.string(), z.string()]);

/** Version of the protocol under which a market is traded. */
export type Protocol = 'v1' | 'v2';

/** Parameters that find a market by a token of either version. No document names the one for the second version. */
export const TOKEN_PARAMETERS = ['clob_token_ids', 'position_ids'];

/** Fields that name a market's tokens. */
const ids = {
  conditionId: z.string().min(1),
  /** Missing from markets that are older than the second version. */
  version: z.string().nullish(),
  /** Of the first version. */
  clobTokenIds: pair.nullish(),
  /** Of the second version; markets of the first one may have them too. */
  positionIds: positionPair.nullish(),
};
export const polymarketListed = z.looseObject({ markets: z.array(z.looseObject(ids)) });

/** `/markets-by-token`, where the order book finds the market of a token. */
export const polymarketByToken = z.looseObject({
  condition_id: text,
  primary_token_id: text,
  secondary_token_id: text,
});

/** @returns the tokens of both outcomes; undefined if the version is not known here, or its ids are missing */
export function tokensOf({
  version,
  clobTokenIds,
  positionIds,
}: Pick<z.output<typeof polymarketListed>['markets'][number], 'version' | 'clobTokenIds' | 'positionIds'>):
  | { readonly protocol: Protocol; readonly tokens: readonly [yes: string, no: string] }
  | undefined {
  const protocol = version == null || version === 'v1' ? 'v1' : version === 'v2' ? 'v2' : undefined;
  const [yes, no] = (protocol === 'v2' ? positionIds : clobTokenIds) ?? [];
  return protocol === undefined || yes === undefined || no === undefined ? undefined : { protocol, tokens: [yes, no] };
}

export const polymarketMarket = z.looseObject({
  ...ids,
  question: z.string().min(1),
  description: z.string().nullish(),
  resolutionSource: z.string().nullish(),
  groupItemTitle: z.string().nullish(),
  outcomes: pair,
  outcomePrices: pair.nullish(),
  active: z.boolean(),
  closed: z.boolean(),
  archived: z.boolean().nullish(),
  acceptingOrders: z.boolean().nullish(),
  enableOrderBook: z.boolean().nullish(),
  startDate: time.nullish(),
  eventStartTime: time.nullish(),
  endDate: time.nullish(),
  closedTime: z.string().nullish(),
  lastTradePrice: loosePrice.nullish(),
  umaResolutionStatus: z.string().nullish(),
  /** All words of the oracle so far, as JSON text. */
  umaResolutionStatuses: z.string().nullish(),
  /** Of the second version. */
  resolutionStatus: z.string().nullish(),
  automaticallyResolved: z.boolean().nullish(),
  negRiskOther: z.boolean().nullish(),
  sportsMarketType: z.string().nullish(),
  line: z.number().nullish(),
  orderPriceMinTickSize: looseMicros.nullish(),
  feesEnabled: z.boolean().nullish(),
  feeSchedule: z.looseObject({ rate: z.number().min(0).max(1), exponent: z.number().default(0) }).nullish(),
});
export type PolymarketMarket = z.output<typeof polymarketMarket>;

/** A market at the order book, which names the token that won. */
export const polymarketWinner = z.looseObject({
  closed: z.boolean(),
  tokens: z.array(z.looseObject({ token_id: text, winner: z.boolean() })),
});

export const polymarketEvent = z.looseObject({
  id: z.string().min(1),
  slug: z.string().min(1),
  title: z.string().min(1),
  image: z.string().nullish(),
  resolutionSource: z.string().nullish(),
  startDate: time.nullish(),
  endDate: time.nullish(),
  negRisk: z.boolean().nullish(),
  enableNegRisk: z.boolean().nullish(),
  seriesSlug: z.string().nullish(),
  live: z.boolean().nullish(),
  ended: z.boolean().nullish(),
  score: z.string().nullish(),
  period: z.string().nullish(),
  elapsed: z.string().nullish(),
  tags: z.array(z.looseObject({ slug: z.string() })).nullish(),
  teams: z
    .array(
      z.looseObject({
        name: z.string(),
        league: z.string().nullish(),
        abbreviation: z.string().nullish(),
        color: z.string().nullish(),
        ordering: z.string().nullish(),
      }),
    )
    .nullish(),
  markets: z.array(z.unknown()).min(1),
});
export type PolymarketEvent = z.output<typeof polymarketEvent>;

export const polymarketMarkets = z.looseObject({ markets: z.array(z.unknown()) });

/** The ids of the events of some markets. */
export const polymarketMarketEvents = z.looseObject({
  markets: z.array(
    z.looseObject({
      events: z.array(z.looseObject({ id: z.union([z.string().min(1), z.number()]).transform(String) })).default([]),
    }),
  ),
});

export const polymarketPage = z.looseObject({ events: z.array(z.unknown()), next_cursor: z.string().nullish() });

export const polymarketBook = z.looseObject({
  asset_id: z.string().min(1),
  bids: z.array(bookLevel),
  asks: z.array(bookLevel),
  timestamp: milliseconds.nullish(),
});
export type PolymarketBook = z.output<typeof polymarketBook>;
export const polymarketBooks = z.array(z.unknown());
