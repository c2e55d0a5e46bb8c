/**
 * The fields that are read of Gemini's catalogue and books (OpenAPI of prediction markets, 1.0.0). Other fields may change; these must
 * match. Words of a list that may grow (statuses, types) are texts here: what is not known of them is told in terms.ts.
 */
import { z } from 'zod';
import { micros, price, time } from '../decimal-shape.ts';

const text = z.string().min(1);

export const geminiContract = z.looseObject({
  instrumentSymbol: text,
  label: z.string().nullish(),
  abbreviatedName: z.string().nullish(),
  /** Rich text; its form is not documented. */
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

/** Events, of which only ticker and volume are read; everything else stays as it came. */
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
