/**
 * The fields that are read from Polymarket's responses (Gamma for the catalogue, CLOB for books). Other fields may
 * change; these must match.
 */
import { z } from 'zod';
import { looseMicros, loosePrice, time } from '../decimal-shape.ts';

/** Arrays that are sent as JSON text. */
const texts = z.string().transform((text, context) => {
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'not a JSON array of texts' });
    return z.NEVER;
  }
});
const pair = texts.refine((list) => list.length === 2, 'not two of them');

export const polymarketMarket = z.looseObject({
  conditionId: z.string().min(1),
  question: z.string().min(1),
  description: z.string().nullish(),
  resolutionSource: z.string().nullish(),
  groupItemTitle: z.string().nullish(),
  outcomes: pair,
  outcomePrices: pair.nullish(),
  clobTokenIds: pair,
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
  automaticallyResolved: z.boolean().nullish(),
  negRiskOther: z.boolean().nullish(),
  sportsMarketType: z.string().nullish(),
  line: z.number().nullish(),
  orderPriceMinTickSize: looseMicros.nullish(),
  feesEnabled: z.boolean().nullish(),
  feeSchedule: z.looseObject({ rate: z.number().min(0).max(1), exponent: z.number() }).nullish(),
});
export type PolymarketMarket = z.output<typeof polymarketMarket>;

export const polymarketEvent = z.looseObject({
  id: z.string().min(1),
  slug: z.string().min(1),
  title: z.string().min(1),
  image: z.url().nullish(),
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

/** The events of some markets. */
export const polymarketMarketEvents = z.looseObject({
  markets: z.array(
    z.looseObject({
      events: z.array(z.looseObject({ id: z.union([z.string().min(1), z.number()]).transform(String) })).default([]),
    }),
  ),
});

export const polymarketPage = z.looseObject({ events: z.array(z.unknown()), next_cursor: z.string().nullish() });

export const bookLevel = z
  .looseObject({ price: loosePrice, size: looseMicros })
  .transform((one) => ({ priceMicros: one.price, quantityMicros: one.size }));

export const polymarketBook = z.looseObject({
  asset_id: z.string().min(1),
  bids: z.array(bookLevel),
  asks: z.array(bookLevel),
  /** Milliseconds since 1970. */
  timestamp: z
    .string()
    .regex(/^[0-9]{1,16}$/)
    .transform(Number)
    .nullish(),
});
export type PolymarketBook = z.output<typeof polymarketBook>;
export const polymarketBooks = z.array(z.unknown());
