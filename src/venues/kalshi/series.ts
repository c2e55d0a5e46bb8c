/**
 * Kalshi's series, to which events belong: their categories, their fees and announced fee changes, and the highest taker fee that a
 * market may charge. A market whose fee is not known has none here, so it is not sold.
 */
import { z } from 'zod';
import type { FeeSchedule, Invalid } from '../listing.ts';
import { type Note, VenueUnknown } from '../port.ts';
import { expectShape, nextPageOf, noteFields, time, validateItems } from '../shapes.ts';
import type { KalshiRest } from './rest.ts';

const PAGE = 1_000;
/** How long the last fees stay valid if they cannot be read again; changes are announced ahead of time. */
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
  /** The primary one first. */
  readonly categories: readonly string[];
  readonly fee: KalshiFee | undefined;
}

export interface KnownSeries {
  /** Undefined if the exchange does not have it. */
  of(ticker: string): KalshiSeries | undefined;
  changesOfSeries(ticker: string): readonly FeeChange[];
  changesOfEvent(eventTicker: string): readonly FeeChange[];
}

interface KalshiSeriesList extends KnownSeries {
  /**
   * If a reading fails, the series of the last one stay valid for a while, and the next reading also covers the missed time.
   * @param whole whether all series are read, or only those that changed since `since`
   * @param since Unix seconds
   * @returns evidence of why they could not be read; empty after success
   * @throws VenueUnknown if they were never read
   */
  read(whole: boolean, since: number): Promise<readonly Invalid[]>;
  /** Whether the fees were read recently enough to know what a market charges now. */
  areCurrent(): boolean;
  /** Reads series that are not known yet. One that cannot be read stays unknown, so its markets are not sold. */
  complete(tickers: Iterable<string>): Promise<void>;
}

/** @returns undefined unless both are given */
export function feeFrom(type: string | null | undefined, times: number | null | undefined): KalshiFee | undefined {
  return type == null || times == null ? undefined : { type, multiplier: times };
}

/** @param goodMs how long the last fees stay valid if they cannot be read again; only tests pass it */
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

  /** Announced fees. One that has taken effect is kept until all series are read again, which then include it. */
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
        // the remaining series would fail as well; all are requested again with the next events
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

interface KalshiFee {
  readonly type: string;
  readonly multiplier: number;
}

/** A fee that takes effect at a time. */
interface FeeChange {
  /** Undefined if the fee of the series applies from then on. */
  readonly fee: KalshiFee | undefined;
  readonly at: Date;
}

const GENERAL_BPS = 700;
const MOST_BPS = 10_000;
/** Types with the general taker fee. They differ in maker fees, which we never pay. */
const QUADRATIC: ReadonlySet<string> = new Set([
  'quadratic',
  'quadratic_with_maker_fees',
  'quadratic_with_combo_maker_fees',
]);
/** A change counts from this much earlier, because the catalogue is read only every minute. */
const EARLIER_MS = 300_000;
/** A waiver counts as ended this much earlier. */
const WAIVER_LEFT_MS = 3_600_000;

/** The fee of a market whose series is not known. */
export const GENERAL_FEE: FeeSchedule = { model: 'of_variance', bps: GENERAL_BPS, known: false };

interface FeeTerms {
  /** Undefined if the series is not known or names no fee. */
  readonly series: KalshiFee | undefined;
  readonly event: KalshiFee | undefined;
  readonly changesOfSeries: readonly FeeChange[];
  readonly changesOfEvent: readonly FeeChange[];
  readonly waivedUntil: Date | null | undefined;
}

/**
 * The highest taker fee that a market charges now or in the next minutes: 0.07 * p * (1 - p) times a multiplier, which is that of the
 * event or else of its series. The exact fee comes with the fills. Pure.
 *
 * @returns null if the fee is not known
 */
export function highestFee(terms: FeeTerms, now: Date): FeeSchedule | null {
  const soon = (changes: readonly FeeChange[]) =>
    changes.filter(({ at }) => at.getTime() <= now.getTime() + EARLIER_MS).map(({ fee }) => fee);
  const ofSeries = [terms.series, ...soon(terms.changesOfSeries)];
  const changed = soon(terms.changesOfEvent);
  // without an override, or once it is cleared, the fee of the series applies
  const falls = terms.event === undefined || changed.includes(undefined);
  const ofEvent = [terms.event, ...changed].filter((fee) => fee !== undefined);
  const bounds = [...ofEvent, ...(falls ? ofSeries : [])].map(bpsOf);
  if (bounds.includes(undefined)) {
    return null;
  }
  const waived = terms.waivedUntil != null && terms.waivedUntil.getTime() > now.getTime() + WAIVER_LEFT_MS;
  const bps = waived ? 0 : Math.max(...bounds.map((bound) => bound ?? 0));
  return { model: 'of_variance', bps, known: false };
}

/** Whether the taker fee of that type is known. */
export function isQuadratic(type: string): boolean {
  return QUADRATIC.has(type);
}

function bpsOf(fee: KalshiFee | undefined): number | undefined {
  const bps = fee !== undefined && QUADRATIC.has(fee.type) ? Math.ceil(GENERAL_BPS * fee.multiplier) : undefined;
  return bps === undefined || bps > MOST_BPS ? undefined : bps;
}
