/**
 * Recorded reference prices: the first of each minute is kept for a day, of each five minutes for a week, of each hour
 * for ever. All three are written at the same time, so thinning only deletes old rows and never rewrites any.
 */
import type { Sql } from '../../db/client.ts';
import { MICROS } from '../../money/decimal.ts';
import type { EventCourse } from '../../wire/catalogue.ts';
import { notify } from '../board/board.ts';
import { type ListingRow, makeBook } from '../board/board-rows.ts';
import { referencePrice } from './price-rules.ts';

export interface HistoryPoint {
  readonly at: Date;
  /** Reference price of YES. */
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
/** Steps are as fine as this limit and the stored resolution allow. */
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

/** The course of what an event is about: the prices of a coin, or the scores of a match. */
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

// Random walks back from the present price, on a grid that is finer the nearer it is to now. Deterministic and pure.

export interface Path {
  /** Present price, 0 to 1. */
  readonly price: number;
  /** Standard normal numbers, always the same for the same name. */
  readonly walk: () => number;
  readonly sign: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const LONGEST = 150 * DAY;
/** Standard deviation of the log-odds in one day. */
const DAILY = 0.11;
/** Prices of the simulated exchange scatter around their slow course by this much, in log-odds, within minutes. */
const SCATTER = 0.03;
const SCATTER_MS = 3 * MINUTE;
const LEAST = 1_000;
const MOST = 999_000;

/**
 * @param now the moment of the present prices
 * @returns points by path, oldest first. In a field the prices keep the sum that they have now.
 */
export function pastOf(paths: readonly Path[], kind: 'field' | 'alone', opensAt: Date, now: Date): HistoryPoint[][] {
  const times = timesBefore(now, Math.max(opensAt.getTime(), now.getTime() - LONGEST));
  const past: HistoryPoint[][] = paths.map(() => []);
  const offsets = paths.map(() => 0);
  const total = paths.reduce((sum, { price }) => sum + price, 0);
  let later = now.getTime();
  for (const at of times) {
    const spread = DAILY * Math.sqrt((later - at) / DAY);
    later = at;
    // None now, so that the past leads to the present price.
    const scatter = SCATTER * Math.sqrt(1 - Math.exp((at - now.getTime()) / SCATTER_MS));
    const scattered = paths.map(({ walk, sign }, index) => {
      offsets[index] = (offsets[index] ?? 0) + sign * spread * walk();
      return (offsets[index] ?? 0) + sign * scatter * walk();
    });
    const prices = pricesAt(paths, scattered, kind, total);
    for (const [index, price] of prices.entries()) {
      const priceMicros = BigInt(Math.min(MOST, Math.max(LEAST, Math.round(price * MICROS))));
      past[index]?.push({ at: new Date(at), priceMicros });
    }
  }
  return past.map((points) => points.reverse());
}

function pricesAt(
  paths: readonly Path[],
  offsets: readonly number[],
  kind: 'field' | 'alone',
  total: number,
): number[] {
  if (kind === 'field') {
    const weights = paths.map(({ price }, index) => price * Math.exp(offsets[index] ?? 0));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    return weights.map((weight) => (weight / sum) * total);
  }
  return paths.map(({ price }, index) => {
    const odds = (price / (1 - price)) * Math.exp(offsets[index] ?? 0);
    return odds / (1 + odds);
  });
}

/** Newest first: ten minutes apart in the last day, an hour in the last week, six in the last month, then a day. */
function timesBefore(now: Date, from: number): number[] {
  const times: number[] = [];
  let at = Math.floor(now.getTime() / (10 * MINUTE)) * 10 * MINUTE;
  while (at > from) {
    times.push(at);
    const age = now.getTime() - at;
    const step = age < DAY ? 10 * MINUTE : age < WEEK ? HOUR : age < 31 * DAY ? 6 * HOUR : DAY;
    at = Math.floor((at - 1) / step) * step;
  }
  return times;
}

/** Numbers that follow from a name alone (mulberry32, Box and Muller). */
export function createWalk(name: string): () => number {
  let state = 0x811c9dc5;
  for (const character of name) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
