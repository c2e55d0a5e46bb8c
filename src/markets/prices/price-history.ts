/**
 * Records reference prices and reads them: the first of each minute is kept for a day, of each five minutes for a week,
 * of each hour for ever. All three are written at the same time, so old rows are only deleted, never rewritten.
 */
import type { Sql } from '../../db/client.ts';
import type { EventCourse } from '../../wire/catalogue.ts';
import { notify } from '../board/board.ts';
import { type ListingRow, makeBook } from '../board/board-rows.ts';
import { referencePrice } from './price-rules.ts';

export interface HistoryPoint {
  readonly at: Date;
  /** The reference price of YES. */
  readonly priceMicros: bigint;
}

type PricedListingRow = ListingRow & {
  readonly last: string | null;
  readonly source: string | null;
  readonly verified: boolean;
};

export type HistoryRange = '1d' | '1w' | '1m' | 'all';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const RANGE_MINUTES = { '1d': DAY_MINUTES, '1w': 7 * DAY_MINUTES, '1m': 30 * DAY_MINUTES } as const;
const STEPS = [1, 5, 60] as const;
/** A series has at most this many points. Its steps are as fine as that and the stored points allow. */
const MOST_POINTS = 1_500;

/**
 * Records the reference price of every open contract.
 * @returns how many have one
 */
export async function recordPrices(sql: Sql, now: Date): Promise<number> {
  const rows = await sql<PricedListingRow[]>`
    select c.contract_id as "contractId", c.last_price_micros::text as last,
      c.source_price_micros::text as source, g.verified_at is not null as verified, l.venue, l.listing_id as "listingId", l.feed,
      l.bid_prices::text as "bidPrices", l.bid_sizes::text as "bidSizes", l.ask_prices::text as "askPrices",
      l.ask_sizes::text as "askSizes", l.book_updated_at as "updatedAt", l.fee_model as "feeModel",
      l.fee_bps as "feeBps", l.fee_known as "feeKnown", l.fee_broker_bps as "feeBrokerBps",
      l.minimum_minor::text as "minimumMinor", l.minimum_quantity_micros::text as "minimumQuantityMicros",
      l.quantity_step_micros::text as "quantityStepMicros", l.tick_micros::text as "tickMicros", l.part,
      l.traded_micros::text as "tradedMicros", l.traded_price_micros::text as "tradedPriceMicros"
    from contracts c join listings l on l.contract_id = c.contract_id
      left join routing_groups g on g.group_key = c.group_key
    where c.resolution is null and c.status = 'open'
    order by c.contract_id, l.rank, l.listing_id`;
  const contractIds: string[] = [];
  const prices: number[] = [];
  for (const [contractId, listings] of Map.groupBy(rows, (row) => row.contractId)) {
    const [primary] = listings as [PricedListingRow];
    const { halfMicros } = referencePrice({
      books: listings.flatMap((row) => makeBook(row) ?? []),
      routable: primary.verified && listings.length > 1,
      lastPriceMicros: primary.last === null ? null : BigInt(primary.last),
      sourcePriceMicros: primary.source === null ? null : BigInt(primary.source),
      resolution: null,
      splitYesMicros: null,
    });
    if (halfMicros === null) {
      continue;
    }
    contractIds.push(contractId);
    prices.push(Math.floor(halfMicros / 2));
  }
  await sql`
    insert into price_history (contract_id, step_minutes, at, price_micros)
    select p.contract_id, s.step, date_bin(make_interval(mins => s.step), ${now}::timestamptz, 'epoch'), p.price
    from unnest(${contractIds}::text[], ${prices}::bigint[]) p(contract_id, price)
    cross join unnest(array[1, 5, 60]) s(step)
    where p.price between 1 and 999999
    on conflict do nothing`;
  return contractIds.length;
}

/**
 * Deletes points whose retention period has passed.
 * @returns how many were deleted
 */
export async function thinPrices(sql: Sql, now: Date): Promise<number> {
  const { count } = await sql`
    delete from price_history
    where (step_minutes = 1 and at < ${now}::timestamptz - interval '1 day')
      or (step_minutes = 5 and at < ${now}::timestamptz - interval '7 days')`;
  await sql`delete from event_course where coin_price is not null and at < ${now}::timestamptz - interval '1 day'`;
  return count;
}

/** Stores the price of each contract a day ago (or its oldest one since), for the trending score. */
export async function noteDayOldPrices(sql: Sql, now: Date): Promise<void> {
  const [row] = await sql<{ revision: bigint }[]>`select note_day_old_prices(${now}) as revision`;
  if (row !== undefined) {
    await notify(sql, row.revision, []);
  }
}

/** The first moment that a range shows. */
export function beginOf(range: HistoryRange, now: Date): Date {
  return range === 'all' ? new Date(0) : new Date(now.getTime() - RANGE_MINUTES[range] * MINUTE_MS);
}

/** The first recorded price of each contract that has one. */
export async function readFirstPrices(sql: Sql, contractIds: readonly string[]): Promise<Map<string, HistoryPoint>> {
  const rows = await sql<(HistoryPoint & { contractId: string })[]>`
    select given.contract_id, first.at, first.price_micros
    from unnest(${contractIds as string[]}::text[]) given(contract_id) cross join lateral (
      select at, price_micros from price_history p where p.contract_id = given.contract_id and p.step_minutes = 60
      order by at limit 1) first`;
  return new Map(rows.map(({ contractId, ...first }) => [contractId, first]));
}

/** Recorded prices by contract, oldest first, in steps that suit the range and the stored points. */
export async function readPriceHistory(
  sql: Sql,
  contractIds: readonly string[],
  range: HistoryRange,
  now: Date,
): Promise<Map<string, HistoryPoint[]>> {
  const [first] = await sql<{ at: Date | null }[]>`
    select min(at) as at from price_history where contract_id = any (${contractIds as string[]})`;
  const points = new Map<string, HistoryPoint[]>(contractIds.map((contractId) => [contractId, []]));
  const oldest = first?.at;
  if (oldest === null || oldest === undefined) {
    return points;
  }
  const ageMinutes = Math.ceil((now.getTime() - oldest.getTime()) / MINUTE_MS);
  const minutes = range === 'all' ? ageMinutes : Math.min(ageMinutes, RANGE_MINUTES[range]);
  const kept = { 1: DAY_MINUTES, 5: 7 * DAY_MINUTES, 60: Number.POSITIVE_INFINITY } as const;
  const step = STEPS.find((size) => minutes / size <= MOST_POINTS && minutes <= kept[size]) ?? 60;
  const rows = await sql<{ contractId: string; at: Date; priceMicros: bigint }[]>`
    select contract_id, at, price_micros from price_history
    where contract_id = any (${contractIds as string[]}) and step_minutes = ${step}
      and at >= ${new Date(now.getTime() - minutes * MINUTE_MS)}
    order by contract_id, at`;
  for (const row of rows) {
    points.get(row.contractId)?.push({ at: row.at, priceMicros: row.priceMicros });
  }
  return points;
}

/** The course of the subject of an event: the prices of a coin, or the scores of a match. */
export async function readEventCourse(sql: Sql, eventId: string, since: Date): Promise<EventCourse> {
  const rows = await sql<{ second: number; coinPrice: number | null; homeScore: number; awayScore: number }[]>`
    select floor(extract(epoch from at))::int as second, coin_price::float8, home_score, away_score from event_course
    where event_id = ${eventId} and at >= ${since}::timestamptz + interval '1 second' order by at`;
  return {
    coin: rows.flatMap(({ second, coinPrice }) => (coinPrice === null ? [] : [[second, coinPrice]])),
    scores: rows.flatMap(({ second, coinPrice, homeScore, awayScore }) =>
      coinPrice === null ? [[second, homeScore, awayScore]] : [],
    ),
  };
}
