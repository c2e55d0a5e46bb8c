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
const positionPair = z.tuple([z.string(), z.string()]);

/** Version of the protocol under which a market is traded. */
export type Protocol = 'v1' | 'v2';

/** How a market is asked for by a token of either version. No document says how it is for the second one. */
export const TOKEN_PARAMETERS = ['clob_token_ids', 'position_ids'];

/** What names a market's tokens. */
const ids = {
  conditionId: z.string().min(1),
  /** Missing in markets that are older than the second version. */
  version: z.string().nullish(),
  /** Of the first version. */
  clobTokenIds: pair.nullish(),
  /** Of the second version; markets of the first one may have them too. */
  positionIds: positionPair.nullish(),
};
export const polymarketListed = z.looseObject({ markets: z.array(z.looseObject(ids)) });

/** The tokens of both outcomes. @returns undefined for a version that is not known here, or without its ids */
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
