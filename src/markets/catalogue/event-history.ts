/**
 * The prices of an event as a chart reads them: the recorded ones, with the present reference or the result at the end. On a
 * development machine, where markets of the simulated exchange exist only since the service was first started, an
 * invented past leads to their first recorded price. It is computed when it is read, and the same contract always gets
 * the same one.
 */
import type { Sql } from '../../db/client.ts';
import { MICROS } from '../../money/decimal.ts';
import type { PriceHistory } from '../../wire/catalogue.ts';
import type { BoardContract, BoardEvent } from '../event.ts';
import {
  beginOf,
  type HistoryPoint,
  type HistoryRange,
  readFirstPrices,
  readPriceHistory,
} from '../prices/price-history.ts';
import { publishedPrice } from '../prices/price-rules.ts';
import type { RenderLocale } from './event-query.ts';
import { listedOutcomes } from './render-event.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const CHARTED_OUTCOMES = 6;
/** No past is invented for an event that opened less than this before its first price. */
const LEAST_AGE_MS = 2 * DAY;
/** No past is invented for contracts whose first price is this much later than that of their event. */
const TOGETHER_MS = 2 * HOUR;
const MOST_WITH_PAST = 12;
/** An invented past begins at most this long before now. */
const LONGEST = 150 * DAY;
/** The standard deviation of the change of the log-odds in one day. */
const DAILY = 0.11;
/** Prices of the simulated exchange scatter around their slow course by this much, in log-odds, within minutes. */
const SCATTER = 0.03;
const SCATTER_MS = 3 * MINUTE;
const LEAST_MICROS = 1_000;
const MOST_MICROS = 999_000;

interface HistoryRequest {
  readonly range: HistoryRange;
  /** Ids of contracts; by default the most traded ones of the event. */
  readonly contracts?: readonly string[] | undefined;
}

/** @param inventsPast whether markets of the simulated exchange get a past that was not recorded */
export async function readEventHistory(
  sql: Sql,
  event: BoardEvent,
  { range, contracts: wanted }: HistoryRequest,
  locale: RenderLocale,
  { now, inventsPast }: { readonly now: Date; readonly inventsPast: boolean },
): Promise<PriceHistory> {
  const contracts =
    wanted === undefined
      ? listedOutcomes(event).slice(0, CHARTED_OUTCOMES)
      : event.contracts.filter(({ contractId }) => wanted.includes(contractId));
  const ids = contracts.map(({ contractId }) => contractId);
  const recorded = await readPriceHistory(sql, ids, range, now);
  const past = inventsPast ? await inventPast(sql, event, now) : new Map<string, readonly HistoryPoint[]>();
  const begin = beginOf(range, now);
  const series = contracts.map((contract) => {
    const { contractId } = contract;
    const invented = (past.get(contractId) ?? []).filter(({ at }) => at >= begin);
    const end = contract.resolvedAt ?? now;
    const points = [...invented, ...(recorded.get(contractId) ?? [])]
      .filter(({ at }) => at < end)
      .map(({ at, priceMicros }) => pointOf(at, Number(priceMicros) / MICROS));
    const { probability } = publishedPrice(contract, now);
    if (probability !== null && end >= begin) {
      points.push(pointOf(end, probability));
    }
    const label = locale === 'en' ? undefined : contract.translations[locale]?.label;
    return { contractId, label: label ?? contract.label, points };
  });
  return { data: { eventId: event.eventId, range, series } };
}

function pointOf(at: Date, probability: number): [seconds: number, probability: number, at: string] {
  const seconds = Math.floor(at.getTime() / 1000);
  return [seconds, probability, new Date(seconds * 1000).toISOString()];
}

/** @returns prices before the first recorded one, by contract, oldest first */
async function inventPast(sql: Sql, event: BoardEvent, now: Date): Promise<Map<string, readonly HistoryPoint[]>> {
  const simulated = event.contracts.filter(isSimulated);
  const recorded = await readFirstPrices(
    sql,
    simulated.map(({ contractId }) => contractId),
  );
  const firsts = simulated.flatMap((contract) => {
    const first = recorded.get(contract.contractId) ?? presentPrice(contract, now);
    return first === undefined ? [] : [{ contract, ...first }];
  });
  const beganAt = Math.min(...firsts.map(({ at }) => at.getTime()));
  if (firsts.length === 0 || beganAt - event.opensAt.getTime() < LEAST_AGE_MS) {
    return new Map();
  }
  const paths = firsts
    .filter(({ at }) => at.getTime() - beganAt < TOGETHER_MS)
    .sort((one, other) => Number(other.priceMicros - one.priceMicros))
    .slice(0, MOST_WITH_PAST);
  // The levels of a ladder follow one walk, so that they stay in order.
  const isLadder = event.kind === 'cumulative_ladder';
  const past = pastOf(
    paths.map(({ contract, priceMicros }) => ({
      price: Number(priceMicros) / MICROS,
      walk: createWalk(isLadder ? event.eventId : contract.contractId),
      sign: isLadder && contract.direction === 'below' ? -1 : 1,
    })),
    event.kind === 'mutually_exclusive' ? 'field' : 'alone',
    event.opensAt,
    new Date(beganAt),
  );
  return new Map(paths.map(({ contract }, index) => [contract.contractId, past[index] ?? []]));
}

/** Whether an instance of the simulated exchange, `paper` or `paper-2`, lists the contract. */
function isSimulated({ books }: BoardContract): boolean {
  return books.some(({ venue, matched }) => !matched && venue.startsWith('paper'));
}

/** The present price, for an open contract that has just been listed and has no recorded price yet. */
function presentPrice(contract: BoardContract, now: Date): HistoryPoint | undefined {
  const probability = contract.resolution === null ? publishedPrice(contract, now).probability : null;
  return probability === null ? undefined : { at: now, priceMicros: BigInt(Math.round(probability * MICROS)) };
}

interface Path {
  /** The present price, 0 to 1. */
  readonly price: number;
  /** Returns standard normal numbers, one after the other. */
  readonly walk: () => number;
  /** -1 turns the walk round. */
  readonly sign: number;
}

/**
 * Random walks back from the present prices, on a grid that is finer the nearer it is to now.
 *
 * @param kind in a `field` the prices keep the sum that they have now
 * @param now the moment of the present prices
 * @returns points by path, oldest first
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
    // There is no scatter at the end, so that the past leads to the present price.
    const scatter = SCATTER * Math.sqrt(1 - Math.exp((at - now.getTime()) / SCATTER_MS));
    const scattered = paths.map(({ walk, sign }, index) => {
      offsets[index] = (offsets[index] ?? 0) + sign * spread * walk();
      return (offsets[index] ?? 0) + sign * scatter * walk();
    });
    const prices = pricesAt(paths, scattered, kind, total);
    for (const [index, price] of prices.entries()) {
      const priceMicros = BigInt(Math.min(MOST_MICROS, Math.max(LEAST_MICROS, Math.round(price * MICROS))));
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

/**
 * Newest first: ten minutes apart in the last day, an hour in the last week, six hours in the last month, then a day.
 */
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

/** @returns standard normal numbers that depend on the name alone (mulberry32, Box and Muller) */
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
