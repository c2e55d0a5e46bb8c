/**
 * The fields that are read from Kalshi's responses and stream, as zod shapes (OpenAPI 3.28 to 3.32, AsyncAPI of 2026-08). A field that is
 * read must match; others may change. Words that may grow in number, such as statuses, are plain texts here: the code that reads them notes
 * unknown ones.
 */
import { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { expectShape, micros, price, readable, time } from '../shapes.ts';

const text = z.string().min(1);

const kalshiLadder = z
  .array(z.tuple([price, micros]).transform(([priceMicros, quantityMicros]) => ({ priceMicros, quantityMicros })))
  .nullish()
  .transform((levels) => (levels ?? []).filter((level) => level.quantityMicros > 0n));

/** A signed decimal, because positions of NO are negative. */
const signedMicros = z
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

export const kalshiMarket = z.looseObject({
  ticker: z.string().min(1),
  event_ticker: z.string().min(1),
  yes_sub_title: z.string(),
  rules_primary: z.string().nullish(),
  rules_secondary: z.string().nullish(),
  open_time: time,
  close_time: time,
  expected_expiration_time: time.nullish(),
  status: z.string().min(1),
  result: z.string().nullish(),
  settlement_value_dollars: price.nullish(),
  settlement_ts: time.nullish(),
  strike_type: z.string().nullish(),
  floor_strike: z.number().nullish(),
  cap_strike: z.number().nullish(),
  custom_strike: z.record(z.string(), z.unknown()).nullish(),
  last_price_dollars: price.nullish(),
  volume_fp: micros,
  /** The part of the exchange where the market lives; 0 if it is not named. */
  exchange_index: z.int().min(0).max(100).nullish(),
  volume_24h_fp: micros,
  fee_waiver_expiration_time: time.nullish(),
  /** `floor`: the value of YES may be raised and paid while the market is open. */
  settlement_bounds_type: z.string().nullish(),
});
export type KalshiMarket = z.output<typeof kalshiMarket>;

export const kalshiEvent = z.looseObject({
  event_ticker: z.string().min(1),
  series_ticker: z.string().min(1),
  title: z.string().min(1),
  sub_title: z.string().nullish(),
  /** Deprecated; the category of the series counts. */
  category: z.string().nullish(),
  fee_type_override: z.string().nullish(),
  fee_multiplier_override: z.number().min(0).nullish(),
  mutually_exclusive: z.boolean().optional(),
  product_metadata: z
    .looseObject({ competition: z.string().optional(), competition_scope: z.string().optional() })
    .nullish(),
  settlement_sources: z.array(z.looseObject({ name: z.string().optional(), url: z.string().optional() })).nullish(),
  markets: z.array(z.unknown()).min(1),
});
export type KalshiEvent = z.output<typeof kalshiEvent>;

export const kalshiOneMarket = z.looseObject({ market: kalshiMarket.pick({ exchange_index: true }) });

/** Markets whose tickers are read; the rest is passed on unparsed. */
export const kalshiMarketPage = z.looseObject({
  markets: z.array(z.looseObject({ ticker: z.string().min(1), event_ticker: z.string().min(1) })),
  cursor: z.string().nullish(),
});

export const kalshiPage = z.looseObject({ events: z.array(z.unknown()), cursor: z.string().nullish() });

/** Bids of both sides, ascending; there are no asks. */
export const kalshiLadders = z.looseObject({ yes_dollars: kalshiLadder, no_dollars: kalshiLadder });

export const kalshiBook = z.looseObject({ orderbook_fp: kalshiLadders });

export const kalshiBooks = z.looseObject({ orderbooks: z.array(z.unknown()) });

export const kalshiTickerBook = z.looseObject({ ticker: z.string().min(1), orderbook_fp: kalshiLadders });

/** The YES book: a bid buys YES or sells NO, an ask buys NO or sells YES. */
const bookSide = z.enum(['bid', 'ask']);

export const kalshiCreated = z.looseObject({
  order_id: text,
  client_order_id: text.nullish(),
  fill_count: micros,
  remaining_count: micros,
  /** Weighted by quantity, on the scale of YES; missing if nothing was filled. */
  average_fill_price: price.nullish(),
  /** Dollars for each contract. */
  average_fee_paid: micros.nullish(),
});
export type KalshiCreated = z.output<typeof kalshiCreated>;

export const kalshiOrder = z.looseObject({
  order_id: text,
  client_order_id: z.string().nullish(),
  ticker: text,
  book_side: bookSide,
  /** `resting`, `canceled` or `executed`; an order with any other status may still fill. */
  status: text,
  exchange_index: z.int().min(0).nullish(),
  initial_count_fp: micros,
  fill_count_fp: micros,
  remaining_count_fp: micros,
});
export type KalshiOrder = z.output<typeof kalshiOrder>;

/** Orders of all senders in the account, unparsed, because only ours must match. */
export const kalshiOrders = z.looseObject({ orders: z.array(z.unknown()), cursor: z.string().nullish() });
const anyOrder = z.looseObject({ client_order_id: z.string().nullish() });

/**
 * The orders of a page that can be read.
 * @param mustFit decides by our id whether an order must be readable
 * @throws VenueUnknown if such an order cannot be read, or if any order has no readable id
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

const kalshiFill = z.looseObject({
  fill_id: text,
  order_id: text,
  ticker: text,
  book_side: bookSide,
  count_fp: micros,
  yes_price_dollars: price,
  no_price_dollars: price,
  /** Fee of the whole fill, in dollars. */
  fee_cost: micros.nullish(),
  created_time: time,
});
export type KalshiFill = z.output<typeof kalshiFill>;

/** A fill as the private stream reports it, which names its ids otherwise than the list. */
export const kalshiStreamFill = z
  .looseObject({
    trade_id: text,
    order_id: text,
    market_ticker: text,
    book_side: bookSide,
    count_fp: micros,
    yes_price_dollars: price,
    fee_cost: micros,
    ts_ms: z.int(),
  })
  .transform(
    (fill): KalshiFill => ({
      fill_id: fill.trade_id,
      order_id: fill.order_id,
      ticker: fill.market_ticker,
      book_side: fill.book_side,
      count_fp: fill.count_fp,
      yes_price_dollars: fill.yes_price_dollars,
      no_price_dollars: ONE_DOLLAR_MICROS - fill.yes_price_dollars,
      fee_cost: fill.fee_cost,
      created_time: new Date(fill.ts_ms),
    }),
  );

export const kalshiFills = z.looseObject({ fills: z.array(z.unknown()), cursor: z.string().nullish() });
const anyFill = z.looseObject({ order_id: text });

/**
 * The fills of a page that can be read.
 * @param mustFit decides by the exchange's id of its order whether a fill must be readable
 * @throws VenueUnknown if such a fill cannot be read, or if any fill has no readable order id
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

/** Per list, the time before which items are only in its historical list. */
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

const cashMoves = z.array(
  z.looseObject({
    id: text,
    /** `applied` is in the balance, `failed` is not, `pending` may be, and `returned` was and is not any more. */
    status: text,
    amount_cents: z.int().min(0),
    fee_cents: z.int().min(0),
    /** Seconds since 1970, like the next. */
    created_ts: z.number(),
    finalized_ts: z.number().nullish(),
  }),
);
export const kalshiDeposits = z.looseObject({ deposits: cashMoves, cursor: z.string().nullish() });
export const kalshiWithdrawals = z.looseObject({ withdrawals: cashMoves, cursor: z.string().nullish() });

export const kalshiBalance = z.looseObject({
  balance_dollars: micros,
  /** The balance on each part of the exchange; missing for a key of one subaccount. */
  balance_breakdown: z.array(z.looseObject({ exchange_index: z.int(), balance: micros })).nullish(),
});

/** The percentage of our cash that the exchange itself keeps on each part. */
export const kalshiAllocation = z.looseObject({
  allocations: z.array(z.looseObject({ exchange_index: z.int().min(0), percent: z.number() })),
});

export const kalshiKeys = z.looseObject({
  api_keys: z.array(
    z.looseObject({
      api_key_id: text,
      scopes: z.array(z.string()),
      /** The only subaccount that the key may read and trade in, if it is restricted to one. */
      subaccount: z.int().min(0).nullish(),
    }),
  ),
  /** Seconds since 1970. After this time the key cannot trade contracts that some regions restrict. */
  api_key_region_expiration_ts: z.number().nullish(),
});

/** How current the balance, orders, fills and positions are that the exchange returns. */
export const kalshiUserData = z.looseObject({ as_of_time: time });

export const kalshiStatus = z.looseObject({
  exchange_active: z.boolean(),
  /** Whether part 0 trades. */
  trading_active: z.boolean(),
  exchange_index_statuses: z
    .array(z.looseObject({ exchange_index: z.int().min(0), exchange_active: z.boolean(), trading_active: z.boolean() }))
    .nullish(),
});

const coded = z.looseObject({ code: text });

/** The code of a refusal. It is nested in the recorded responses, and flat in the documents. */
export const kalshiRefusal = z.union([
  z.looseObject({ error: coded }).transform(({ error }) => error.code),
  coded.transform(({ code }) => code),
]);

/** The body of a response with status 429, which has no code. */
export const kalshiTooMany = z.looseObject({ error: z.string().regex(/^too many requests/i) });

const numbered = { sid: z.int(), seq: z.int() };
const side = z.enum(['yes', 'no']);

export const streamMessage = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('subscribed'), id: z.int(), msg: z.looseObject({ channel: text, sid: z.int() }) }),
  z.looseObject({ type: z.literal('ok'), id: z.int(), ...numbered }),
  z.looseObject({ type: z.literal('unsubscribed'), ...numbered }),
  z.looseObject({
    type: z.literal('error'),
    /** Id of the command that it answers. */
    id: z.int().optional(),
    /** Both are present if the error is about a subscription; it then has the next number there. */
    sid: z.int().optional(),
    seq: z.int().optional(),
    msg: z.looseObject({ code: z.int(), msg: z.string().optional(), market_ticker: text.optional() }),
  }),
  z.looseObject({
    type: z.literal('orderbook_snapshot'),
    ...numbered,
    msg: z.looseObject({ market_ticker: text, yes_dollars_fp: kalshiLadder, no_dollars_fp: kalshiLadder }),
  }),
  z.looseObject({
    type: z.literal('orderbook_delta'),
    ...numbered,
    msg: z.looseObject({ market_ticker: text, price_dollars: price, delta_fp: signedMicros, side }),
  }),
  z.looseObject({
    type: z.literal('fill'),
    msg: z.looseObject({ order_id: text, client_order_id: z.string().optional() }),
  }),
  z.looseObject({ type: z.literal('user_order'), msg: z.looseObject({ order_id: text, client_order_id: z.string() }) }),
  z.looseObject({
    type: z.literal('market_lifecycle_v2'),
    msg: z.looseObject({ event_type: text, market_ticker: text }),
  }),
  z.looseObject({ type: z.literal('event_lifecycle'), msg: z.looseObject({ event_ticker: text }) }),
  z.looseObject({ type: z.literal('event_fee_update'), msg: z.looseObject({ event_ticker: text }) }),
]);
export type StreamMessage = z.output<typeof streamMessage>;

/** The part of every message. All messages of a subscription are numbered, also acknowledgements, refusals and unknown types. */
export const anyMessage = z.looseObject({ type: z.string(), sid: z.int().optional(), seq: z.int().optional() });
export type AnyMessage = z.output<typeof anyMessage>;

/** Messages that only trigger an earlier request, so an unreadable one loses nothing. */
export const HINTS: ReadonlySet<string> = new Set([
  'fill',
  'user_order',
  'market_lifecycle_v2',
  'event_lifecycle',
  'event_fee_update',
]);

/** Types that are read; others are noted and ignored. */
export const KNOWN_TYPES: ReadonlySet<string> = new Set(
  streamMessage.options.flatMap((option) => [...option.shape.type.values]),
);
