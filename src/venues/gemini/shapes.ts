/**
 * The fields that are read from Gemini's responses and stream, as zod shapes (OpenAPI of prediction markets 1.0.0, AsyncAPI 0.10.7). A
 * field that is read must match; others may change. Ids are texts, because they have more digits than a number keeps. Words that may grow
 * in number, such as statuses, are plain texts as well: the code that reads them notes unknown ones.
 */
import { z } from 'zod';
import type { VenueLevel } from '../listing.ts';
import { micros, price, time } from '../shapes.ts';

const text = z.string().min(1);
const id = z.union([z.string().regex(/^\d+$/), z.int().min(0).transform(String)]);

/** A refusal by prediction markets, or by the authentication in front of them. */
export const geminiRefusal = z.union([
  z.looseObject({ error: text }),
  z.looseObject({ result: z.literal('error'), reason: text }),
]);

export const geminiContract = z.looseObject({
  instrumentSymbol: text,
  label: z.string().nullish(),
  abbreviatedName: z.string().nullish(),
  /** Rich text in an undocumented form. */
  description: z.unknown(),
  status: text,
  marketState: z.string().nullish(),
  color: z.string().nullish(),
  createdAt: time.nullish(),
  effectiveDate: time.nullish(),
  expiryDate: time.nullish(),
  resolutionSide: z.string().nullish(),
  resolvedAt: time.nullish(),
  quantityIncrement: micros.nullish(),
  quantityMinimum: micros.nullish(),
  priceIncrement: micros.nullish(),
  priceMinimum: micros.nullish(),
  strike: z.looseObject({ type: z.string().nullish(), value: z.string().nullish() }).nullish(),
  prices: z.looseObject({ lastTradePrice: price.nullish() }).nullish(),
});
export type GeminiContract = z.output<typeof geminiContract>;

export const geminiEvent = z.looseObject({
  ticker: text,
  title: text,
  slug: z.string().nullish(),
  description: z.string().nullish(),
  imageUrl: z.string().nullish(),
  category: z.string().nullish(),
  status: text,
  resolvedAt: time.nullish(),
  createdAt: time.nullish(),
  effectiveDate: time.nullish(),
  expiryDate: time.nullish(),
  volume: micros.nullish(),
  subcategory: z.looseObject({ name: z.string().nullish() }).nullish(),
  sportsMarket: z.looseObject({ sport: z.string(), type: z.string() }).nullish(),
  sourceDetails: z.looseObject({ agency: z.string().nullish(), index: z.string().nullish() }).nullish(),
  contracts: z.array(z.unknown()).nullish(),
});
export type GeminiEvent = z.output<typeof geminiEvent>;

/** A page of events, which are passed on unparsed. */
export const geminiPage = z.looseObject({
  data: z.array(z.unknown()),
  pagination: z.looseObject({ total: z.int().min(0).nullish() }).nullish(),
});

const bookLevels = z
  .array(z.looseObject({ price, amount: micros }))
  .transform((levels) =>
    levels
      .filter(({ amount }) => amount > 0n)
      .map((level) => ({ priceMicros: level.price, quantityMicros: level.amount })),
  );
export const geminiBook = z.looseObject({ bids: bookLevels, asks: bookLevels });

export const geminiOrder = z.looseObject({
  orderId: id,
  clientOrderId: z.string().nullish(),
  /** `open`, `filled` or `cancelled`; `closed` in the response to a batch of orders. */
  status: text,
  symbol: text,
  side: z.enum(['buy', 'sell']),
  outcome: z.enum(['yes', 'no']),
  quantity: micros,
  filledQuantity: micros,
  price: price.nullish(),
  avgExecutionPrice: price.nullish(),
  createdAt: time,
});
export type GeminiOrder = z.output<typeof geminiOrder>;

export const geminiOrders = z.looseObject({ orders: z.array(z.unknown()) });
/** The part of every order that names its sender. */
export const geminiOrderHead = z.looseObject({ clientOrderId: z.string().nullish() });

export const geminiTrade = z.looseObject({
  tid: id,
  order_id: id,
  symbol: z.string().nullish(),
  price,
  amount: micros,
  fee_currency: z.string().nullish(),
  /** Unparsed, because it may have more places than a millionth. */
  fee_amount: z.string().nullish(),
  timestampms: z.int().min(0),
  /** Not empty if the trade was reversed. */
  break: z.string().nullish(),
});
export type GeminiTrade = z.output<typeof geminiTrade>;
/** The part of every trade that names its order; the rest of it is unparsed. */
const geminiTradeHead = z.looseObject({ order_id: id, timestampms: z.int().min(0), symbol: z.string().nullish() });
export type GeminiTradeHead = z.output<typeof geminiTradeHead>;
export const geminiTrades = z.array(geminiTradeHead);

export const geminiPositions = z.looseObject({
  positions: z.array(z.looseObject({ symbol: text, totalQuantity: micros, outcome: z.enum(['yes', 'no']) })),
});

export const geminiSettled = z.looseObject({
  positions: z.array(z.looseObject({ instrumentSymbol: text, settledAt: time })),
});

/** Up to 19 places are read, more than the exchange sends. Those beyond a millionth are cut off, as it recommends. */
const cash = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^-?\d{1,12}(\.\d{1,19})?$/))
  .transform((written) => {
    const [whole = '0', places = ''] = written.replace('-', '').split('.');
    const value = BigInt(whole) * 1_000_000n + BigInt(places.padEnd(6, '0').slice(0, 6));
    return written.startsWith('-') ? -value : value;
  });
export const geminiBalances = z.array(z.looseObject({ currency: text, available: cash }));

export const geminiTransfers = z.array(
  z.looseObject({
    type: text,
    /** `Complete` and `Advanced` are in the balance. */
    status: text,
    timestampms: z.int().min(0),
    eid: id,
    currency: text,
    amount: cash,
    feeAmount: cash.nullish(),
    feeCurrency: z.string().nullish(),
  }),
);

export const geminiTerms = z.looseObject({
  hasAcceptedLatest: z.boolean(),
  acceptedVersion: z.int().nullish(),
  latestVersion: z.int().nullish(),
});

/** The number of an update, which may have more digits than a number keeps. */
const counter = z.union([z.int().min(0), z.string().regex(/^\d+$/)]).transform(BigInt);
const levels = z
  .array(z.tuple([price, micros]))
  .transform((rows): VenueLevel[] => rows.map(([priceMicros, quantityMicros]) => ({ priceMicros, quantityMicros })));

const answer = z
  .looseObject({
    id: z.union([z.string(), z.int()]),
    status: z.int(),
    error: z.looseObject({ code: z.int(), msg: z.string() }).optional(),
  })
  .transform(({ id, status, error }) => ({ kind: 'answer' as const, id: String(id), status, error }));

const depth = z
  .looseObject({ e: z.literal('depthUpdate'), s: text, U: counter, u: counter, b: levels, a: levels })
  .transform(({ s, U, u, b, a }) => ({ kind: 'depth' as const, symbol: s, first: U, last: u, bids: b, asks: a }));

const contractStatus = z
  .looseObject({ e: z.literal('contractStatus'), s: text, k: text })
  .transform(({ s, k }) => ({ kind: 'status' as const, symbol: s, eventTicker: k }));

const orderUpdate = z
  .looseObject({ e: z.literal('orderUpdate'), i: id.optional(), c: z.string().optional() })
  .transform(({ i, c }) => ({ kind: 'order' as const, orderId: i, clientOrderId: c }));

export const streamMessage = z.union([depth, contractStatus, orderUpdate, answer]);
export type StreamMessage = z.output<typeof streamMessage>;
export type DepthMessage = Extract<StreamMessage, { kind: 'depth' }>;

/** The part of every message that names its type. */
export const namedMessage = z.looseObject({ e: z.string().optional() });
export const READ_NAMES: ReadonlySet<string> = new Set(['depthUpdate', 'contractStatus', 'orderUpdate']);
/** Messages that only trigger an earlier request, so an unreadable one loses nothing. */
export const HINTS: ReadonlySet<string> = new Set(['contractStatus', 'orderUpdate']);
