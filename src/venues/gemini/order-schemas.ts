/** The fields that are read of Gemini's answers about our account. Ids have more digits than a number keeps: they are texts. */
import { z } from 'zod';
import { micros, price, time } from '../decimal-shape.ts';

const text = z.string().min(1);
const id = z.union([z.string().regex(/^\d+$/), z.int().min(0).transform(String)]);

/** Of prediction markets, or of the authentication in front of them. */
export const geminiRefusal = z.union([
  z.looseObject({ error: text }),
  z.looseObject({ result: z.literal('error'), reason: text }),
]);

export const geminiOrder = z.looseObject({
  orderId: id,
  clientOrderId: z.string().nullish(),
  /** `open`, `filled` and `cancelled`; `closed` in the answer to several orders. */
  status: text,
  symbol: text,
  side: z.enum(['buy', 'sell']),
  outcome: z.enum(['yes', 'no']),
  quantity: micros,
  filledQuantity: micros,
  avgExecutionPrice: price.nullish(),
  createdAt: time,
});
export type GeminiOrder = z.output<typeof geminiOrder>;

export const geminiOrders = z.looseObject({ orders: z.array(z.unknown()) });
/** What an order must have, so that it is known whose it is. */
export const geminiOrderHead = z.looseObject({ clientOrderId: z.string().nullish() });

export const geminiTrade = z.looseObject({
  tid: id,
  order_id: id,
  symbol: z.string().nullish(),
  price,
  amount: micros,
  fee_currency: z.string().nullish(),
  /** Kept as it came: more places than a millionth are not told apart here. */
  fee_amount: z.string().nullish(),
  timestampms: z.int().min(0),
  /** Said of a trade that was reversed. */
  break: z.string().nullish(),
});
export type GeminiTrade = z.output<typeof geminiTrade>;
export const geminiTrades = z.array(z.unknown());
/** What a trade must have, so that it is known whose it is. */
export const geminiTradeHead = z.looseObject({ order_id: id, timestampms: z.int().min(0) });

export const geminiCancelled = z.looseObject({ results: z.array(z.looseObject({ orderId: id })) });

export const geminiPositions = z.looseObject({
  positions: z.array(z.looseObject({ symbol: text, totalQuantity: micros, outcome: z.enum(['yes', 'no']) })),
});

export const geminiSettled = z.looseObject({
  positions: z.array(z.looseObject({ instrumentSymbol: text, settledAt: time })),
});

/** Up to 15 places: what is below a millionth is cut off, as the exchange recommends. */
const cash = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^-?\d{1,12}(\.\d{1,19})?$/))
  .transform((written) => {
    const [whole = '0', places = ''] = written.replace('-', '').split('.');
    const value = BigInt(whole) * 1_000_000n + BigInt(places.padEnd(6, '0').slice(0, 6));
    return written.startsWith('-') ? -value : value;
  });
export const geminiBalances = z.array(z.looseObject({ currency: text, available: cash }));

export const geminiTerms = z.looseObject({
  hasAcceptedLatest: z.boolean(),
  acceptedVersion: z.int().nullish(),
  latestVersion: z.int().nullish(),
});
