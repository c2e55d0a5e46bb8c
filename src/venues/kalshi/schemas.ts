/**
 * The fields that are read from Kalshi's responses (OpenAPI 3.28 to 3.32). Other fields may change; these must match.
 * Words of a list that may grow (statuses, types) are texts here: what is not known of them is told in terms.ts.
 */
import { z } from 'zod';
import { micros, price, time } from '../decimal-shape.ts';

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
  /** `floor`: what YES is worth may be raised and paid while the market is open. */
  settlement_bounds_type: z.string().nullish(),
});
export type KalshiMarket = z.output<typeof kalshiMarket>;

export const kalshiEvent = z.looseObject({
  event_ticker: z.string().min(1),
  series_ticker: z.string().min(1),
  title: z.string().min(1),
  sub_title: z.string().nullish(),
  /** Deprecated: that of the series counts. */
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

/** Markets, of which only their names are read; everything else stays as it came. */
export const kalshiMarketPage = z.looseObject({
  markets: z.array(z.looseObject({ ticker: z.string().min(1), event_ticker: z.string().min(1) })),
  cursor: z.string().nullish(),
});

export const kalshiPage = z.looseObject({ events: z.array(z.unknown()), cursor: z.string().nullish() });

export const kalshiLadder = z
  .array(z.tuple([price, micros]).transform(([priceMicros, quantityMicros]) => ({ priceMicros, quantityMicros })))
  .nullish()
  .transform((levels) => (levels ?? []).filter((level) => level.quantityMicros > 0n));

/** Bids only, ascending, of both sides. */
export const kalshiLadders = z.looseObject({ yes_dollars: kalshiLadder, no_dollars: kalshiLadder });
export const kalshiBook = z.looseObject({ orderbook_fp: kalshiLadders });
export const kalshiBooks = z.looseObject({ orderbooks: z.array(z.unknown()) });
export const kalshiTickerBook = z.looseObject({ ticker: z.string().min(1), orderbook_fp: kalshiLadders });
