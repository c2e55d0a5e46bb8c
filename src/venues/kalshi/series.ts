/**
 * The series of Kalshi, to which events belong: their categories and fees, and the fees that are announced. All of them are one list;
 * a series that appears between two readings is asked for by its name.
 */
import { z } from 'zod';
import { time } from '../decimal-shape.ts';
import { noteFields } from '../documented.ts';
import type { Invalid } from '../listing.ts';
import { nextPageOf } from '../page-cursor.ts';
import { VenueUnknown } from '../port.ts';
import { expectShape, validateItems } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import type { FeeChange, KalshiFee } from './fees.ts';
import type { KalshiRest } from './rest.ts';

const PAGE = 1_000;
/** So long the fees count that were read last, while they cannot be read again; changes are announced ahead. */
const FEES_GOOD_MS = 900_000;
const multiplier = z.number().min(0);

const kalshiSeries = z.looseObject({
  ticker: z.string().min(1),
  category: z.string().nullish(),
  categories: z.array(z.string()).nullish(),
  fee_type: z.string().nullish(),
  fee_multiplier: multiplier.nullish(),
});
const seriesList = z.looseObject({ series: z.array(z.unknown()).nullable() });
const oneSeries = z.looseObject({ series: z.unknown() });

const seriesChange = z.looseObject({
  series_ticker: z.string().min(1),
  fee_type: z.string(),
  fee_multiplier: multiplier,
  scheduled_ts: time,
});
const seriesChanges = z.looseObject({ series_fee_change_arr: z.array(z.unknown()) });
const eventChange = z.looseObject({
  event_ticker: z.string().min(1),
  fee_type_override: z.string().nullish(),
  fee_multiplier_override: multiplier.nullish(),
  scheduled_ts: time,
});
const eventChanges = z.looseObject({ event_fee_changes: z.array(z.unknown()), cursor: z.string().nullish() });

export interface KalshiSeries {
  /** All of them, the primary one first. */
  readonly categories: readonly string[];
  readonly fee: KalshiFee | undefined;
}

export interface KnownSeries {
  /** Undefined if the exchange does not have it. */
  of(ticker: string): KalshiSeries | undefined;
  changesOfSeries(ticker: string): readonly FeeChange[];
  changesOfEvent(eventTicker: string): readonly FeeChange[];
}

export interface KalshiSeriesList extends KnownSeries {
  /**
   * Where they were read before, those stay for a while if they cannot be read now, and what was missed is asked for the next time.
   * @param whole all of them; else what changed since. @param since Unix seconds
   * @returns why they could not be read. @throws VenueUnknown if they never were
   */
  read(whole: boolean, since: number): Promise<readonly Invalid[]>;
  /** Whether the fees were read lately: what a market costs now is not known otherwise. */
  areCurrent(): boolean;
  /** Asks for those that are not known yet. One that cannot be read stays unknown, so that its markets are not sold. */
  complete(tickers: Iterable<string>): Promise<void>;
}

/** Both are there together, or neither is. */
export function feeFrom(type: string | null | undefined, times: number | null | undefined): KalshiFee | undefined {
  return type == null || times == null ? undefined : { type, multiplier: times };
}

/** @param goodMs only tests hand it in */
export function openKalshiSeries(venue: string, rest: KalshiRest, note: Note, goodMs = FEES_GOOD_MS): KalshiSeriesList {
  let known = new Map<string, KalshiSeries>();
  let ofSeries = new Map<string, FeeChange[]>();
  let ofEvent = new Map<string, FeeChange[]>();
  let readAt: number | undefined;
  let missed: { readonly whole: boolean; readonly since: number } | undefined;

  /** A series that cannot be read has no fee, so that its markets are not sold. */
  function readAll(raw: readonly unknown[]): Map<string, KalshiSeries> {
    const { good, invalid } = validateItems('series', kalshiSeries, raw);
    noteFields(note, 'kalshi', 'Series', raw);
    for (const { reason } of invalid) {
      note('series', reason);
    }
    return new Map(
      good.map(({ ticker, category, categories, fee_type: type, fee_multiplier: times }) => [
        ticker,
        {
          categories: [...new Set([category, ...(categories ?? [])].filter((one) => one != null && one !== ''))],
          fee: feeFrom(type, times),
        } as KalshiSeries,
      ]),
    );
  }

  async function body<T>(path: string, about: string, shape: z.ZodType<T>): Promise<T> {
    return expectShape(venue, about, shape, (await rest.get(path)).body);
  }

  /** Announced fees. One whose time has come stays until all series were read with what it made of them. */
  async function readChanges(whole: boolean): Promise<void> {
    const [series, event] = whole ? [new Map(), new Map()] : [new Map(ofSeries), new Map(ofEvent)];
    const { series_fee_change_arr: announced } = await body('/series/fee_changes', 'fee changes', seriesChanges);
    for (const [ticker, some] of Map.groupBy(readable(announced, seriesChange), (one) => one.series_ticker)) {
      const more = some.map((one) => ({ fee: feeFrom(one.fee_type, one.fee_multiplier), at: one.scheduled_ts }));
      series.set(ticker, [...passed(series.get(ticker)), ...more]);
    }
    const nextPage = nextPageOf(venue, '/events/fee_changes');
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const asked = new URLSearchParams({ limit: String(PAGE), ...(cursor === '' ? {} : { cursor }) });
      const page: z.output<typeof eventChanges> = await body(
        `/events/fee_changes?${asked}`,
        'fee changes',
        eventChanges,
      );
      for (const [ticker, some] of Map.groupBy(
        readable(page.event_fee_changes, eventChange),
        (one) => one.event_ticker,
      )) {
        const more = some.map((one) => ({
          fee: feeFrom(one.fee_type_override, one.fee_multiplier_override),
          at: one.scheduled_ts,
        }));
        event.set(ticker, [...passed(event.get(ticker)), ...more]);
      }
      cursor = nextPage(page.cursor);
    }
    ofSeries = series;
    ofEvent = event;
  }

  async function readFrom(whole: boolean, since: number): Promise<void> {
    const { series } = await body(whole ? '/series' : `/series?min_updated_ts=${since}`, 'series', seriesList);
    await readChanges(whole);
    const read = readAll(series ?? []);
    known = whole ? read : new Map([...known, ...read]);
  }

  function readable<T>(raw: readonly unknown[], shape: z.ZodType<T>): T[] {
    const { good, invalid } = validateItems('fee change', shape, raw);
    for (const { reason } of invalid) {
      note('fee change', reason);
    }
    return good;
  }

  return {
    of: (ticker) => known.get(ticker),
    changesOfSeries: (ticker) => ofSeries.get(ticker) ?? [],
    changesOfEvent: (ticker) => ofEvent.get(ticker) ?? [],
    async read(whole, since) {
      const asked = { whole: whole || missed?.whole === true, since: Math.min(since, missed?.since ?? since) };
      missed = asked;
      try {
        await readFrom(asked.whole, asked.since);
        missed = undefined;
        readAt = performance.now();
        return [];
      } catch (error) {
        if (readAt === undefined || !(error instanceof VenueUnknown)) {
          throw error;
        }
        return [error.evidence ?? { about: 'series', reason: error.message, raw: null }];
      }
    },
    areCurrent: () => readAt !== undefined && performance.now() - readAt < goodMs,
    async complete(tickers) {
      try {
        for (const ticker of new Set(tickers)) {
          if (!known.has(ticker)) {
            const { status, body: answer } = await rest.get(`/series/${encodeURIComponent(ticker)}`);
            const found = status === 404 ? [] : [expectShape(venue, 'series', oneSeries, answer).series];
            known.set(ticker, readAll(found).get(ticker) ?? { categories: [], fee: undefined });
          }
        }
      } catch (error) {
        // the others would not be answered either; all of them are asked for with the next events
        if (!(error instanceof VenueUnknown)) {
          throw error;
        }
      }
    },
  };
}

function passed(changes: readonly FeeChange[] = []): FeeChange[] {
  return changes.filter(({ at }) => at.getTime() <= Date.now());
}
