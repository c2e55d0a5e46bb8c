/**
 * The prices of an event as a chart reads them: what was recorded, with the present reference at the end. Markets of the simulated
 * exchange exist only since the service was first started. On a development machine an invented past leads to their first recorded
 * price; it is computed when it is read, and the same contract always gets the same one.
 */
import type { Sql } from '../../db/client.ts';
import { MICROS } from '../../money/decimal.ts';
import type { PriceHistory } from '../../wire/catalogue.ts';
import type { BoardContract, BoardEvent } from '../event.ts';
import {
  beginOf,
  createWalk,
  type HistoryPoint,
  type HistoryRange,
  pastOf,
  readFirstPrices,
  readPriceHistory,
} from '../prices/price-history.ts';
import { publishedPrice } from '../prices/price-rules.ts';
import type { RenderLocale } from './event-query.ts';
import { listedOutcomes } from './render-event.ts';

const CHARTED_OUTCOMES = 6;
/** An event that opened less than this before its first price has no past to show. */
const LEAST_AGE_MS = 2 * 86_400_000;
/** Contracts that were first seen later than the first one of their event have no past of their own. */
const TOGETHER_MS = 2 * 3_600_000;
const MOST_WITH_PAST = 12;

export interface HistoryRequest {
  readonly range: HistoryRange;
  /** Ids of contracts; by default the most traded ones of the event. */
  readonly contracts?: readonly string[] | undefined;
}

/** @param inventsPast whether markets of the simulated exchange have a past that nobody recorded */
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
    const points = [...invented, ...(recorded.get(contractId) ?? [])].map(({ at, priceMicros }) =>
      pointOf(at, Number(priceMicros) / MICROS),
    );
    const { probability, priceBasis } = publishedPrice(contract, now);
    if (probability !== null && priceBasis !== 'none') {
      points.push(pointOf(now, probability));
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
  // the levels of a ladder move together and stay in order
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

/** Listed by an instance of the simulated exchange: `paper` or `paper-2`. */
function isSimulated({ books }: BoardContract): boolean {
  return books.some(({ venue, matched }) => !matched && venue.startsWith('paper'));
}

/** Of a contract that has just come and has no recorded price yet. */
function presentPrice(contract: BoardContract, now: Date): HistoryPoint | undefined {
  const { probability } = publishedPrice(contract, now);
  return probability === null ? undefined : { at: now, priceMicros: BigInt(Math.round(probability * MICROS)) };
}
