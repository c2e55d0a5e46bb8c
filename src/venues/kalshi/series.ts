/**
 * The series of Kalshi, to which events belong: their categories and fees, and the fees that are announced. All of them are one list;
 * a series that appears between two readings is asked for by its name.
 */
import { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { FeeSchedule, Invalid, VenueEvent, VenueMarket, VenueResolution, VenueStatus } from '../listing.ts';
import { type Note, VenueUnknown } from '../port.ts';
import { expectShape, nextPageOf, noteFields, time, validateItems } from '../shapes.ts';
import type { KalshiRest } from './rest.ts';
import type { KalshiEvent, KalshiMarket } from './shapes.ts';

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

// The taker fee of Kalshi as far as it is known before an order: 0.07 p (1 - p) times a multiplier, which is that of
// the event, else that of its series. A market may be free for a while. The exact fee is that of the fills. Pure.

interface KalshiFee {
  readonly type: string;
  readonly multiplier: number;
}

/** A fee that takes effect at a time. */
interface FeeChange {
  /** Missing: as the series has it. */
  readonly fee: KalshiFee | undefined;
  readonly at: Date;
}

const GENERAL_BPS = 700;
const MOST_BPS = 10_000;
/** Types whose taker fee is the general one; they differ for makers, which we never are. */
const QUADRATIC: ReadonlySet<string> = new Set([
  'quadratic',
  'quadratic_with_maker_fees',
  'quadratic_with_combo_maker_fees',
]);
/** The catalogue is read every minute: a change is held to be there this much earlier. */
const EARLIER_MS = 300_000;
/** A waiver is held to have ended this much earlier. */
const WAIVER_LEFT_MS = 3_600_000;

/** Where no series was read. */
export const GENERAL_FEE: FeeSchedule = { model: 'of_variance', bps: GENERAL_BPS, known: false };

/** What decides the fee of a market. */
export interface FeeTerms {
  /** Undefined where the series is not known, or says nothing of its fee. */
  readonly series: KalshiFee | undefined;
  readonly event: KalshiFee | undefined;
  readonly changesOfSeries: readonly FeeChange[];
  readonly changesOfEvent: readonly FeeChange[];
  readonly waivedUntil: Date | null | undefined;
}

/** The highest taker fee that a market has now or in the next minutes; null if it cannot be told. */
export function highestFee(terms: FeeTerms, now: Date): FeeSchedule | null {
  const soon = (changes: readonly FeeChange[]) =>
    changes.filter(({ at }) => at.getTime() <= now.getTime() + EARLIER_MS).map(({ fee }) => fee);
  const ofSeries = [terms.series, ...soon(terms.changesOfSeries)];
  const changed = soon(terms.changesOfEvent);
  // without an override, or once it is cleared, that of the series applies
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

// Maps Kalshi's terms to ours: categories, sport, kind, strike, status and result. What is not known of them is noted.
// Pure.

const CATEGORIES: Readonly<Record<string, string>> = {
  Sports: 'sports',
  Elections: 'politics',
  Politics: 'politics',
  Crypto: 'crypto',
  Economics: 'economics',
  Financials: 'finance',
  Companies: 'finance',
  Commodities: 'finance',
  'Science and Technology': 'technology',
  Technology: 'technology',
  Science: 'science',
  Health: 'science',
  Entertainment: 'culture',
  Social: 'culture',
  Mentions: 'culture',
  'Climate and Weather': 'climate',
  World: 'world',
  Transportation: 'world',
  // combinations of markets of any category
  Exotics: 'world',
};
const OTHER = 'world';

/** Categories of ours, the primary one first; never none. @param named by the exchange, the primary one first */
export function categoriesOf(named: readonly string[], note: Note): readonly [string, ...string[]] {
  const [first, ...more] = new Set(
    named.map((name) => {
      const ours = CATEGORIES[name];
      if (ours === undefined) {
        note('category', name);
      }
      return ours ?? OTHER;
    }),
  );
  return [first ?? OTHER, ...more];
}

const SPORTS: readonly (readonly [RegExp, string])[] = [
  [/football_/, 'american-football'],
  [/basketball_/, 'basketball'],
  [/baseball_/, 'baseball'],
  [/soccer_/, 'soccer'],
  [/hockey_/, 'ice-hockey'],
  [/tennis_/, 'tennis'],
  [/golf/, 'golf'],
  [/mma_|ufc_|fighter/, 'mma'],
];

const STATUSES: Readonly<Record<string, VenueStatus>> = {
  initialized: 'closed',
  active: 'open',
  inactive: 'paused',
  closed: 'closed',
  // A determined result may still be disputed and amended; only the final one counts.
  determined: 'closed',
  disputed: 'closed',
  amended: 'closed',
  finalized: 'resolved',
};

/** A market is shown and not sold while its status is not known. */
export function statusOf({ status }: KalshiMarket, note: Note): VenueStatus {
  const known = STATUSES[status];
  if (known === undefined) {
    note('market status', status);
  }
  return known ?? 'paused';
}

/** Whether what YES is worth is settled once, at the end. Otherwise a part may be paid before, of which the books know nothing. */
export function isSettledOnce({ settlement_bounds_type: bounds }: KalshiMarket, note: Note): boolean {
  if (bounds != null && bounds !== 'default' && bounds !== 'floor') {
    note('settlement bounds', bounds);
  }
  return bounds == null || bounds === 'default';
}

export function sportOf(markets: readonly KalshiMarket[]): string | null {
  const keys = markets.flatMap((market) => Object.keys(market.custom_strike ?? {})).join();
  return SPORTS.find(([pattern]) => pattern.test(keys))?.[1] ?? null;
}

export function kindOf(event: KalshiEvent, markets: readonly KalshiMarket[]): VenueEvent['kind'] {
  if (markets.length === 1) {
    return 'binary';
  }
  if (event.mutually_exclusive === true) {
    return 'mutually_exclusive';
  }
  const strikes = markets.map(strikeOf);
  const directions = new Set(strikes.map((strike) => strike.direction));
  // Spreads and props list one ladder for each team or player under one event.
  const whose = new Set(markets.map((market) => JSON.stringify(market.custom_strike ?? null)));
  const different = new Set(strikes.map((strike) => strike.threshold)).size === markets.length;
  return directions.size === 1 && !directions.has(null) && whose.size === 1 && different
    ? 'cumulative_ladder'
    : 'ambiguous';
}

export function strikeOf(market: KalshiMarket): Pick<VenueMarket, 'threshold' | 'direction'> {
  const { strike_type: type, floor_strike: floor, cap_strike: cap } = market;
  if (floor != null && cap == null && type !== 'between' && type !== 'functional' && type !== 'custom') {
    return { threshold: floor, direction: 'above' };
  }
  if (cap != null && floor == null && (type === 'less' || type === 'less_or_equal')) {
    return { threshold: cap, direction: 'below' };
  }
  return { threshold: null, direction: null };
}

/**
 * Undefined if a final market has no value. Paid according to the value, never the result's name (brief, section 11).
 */
export function resolutionOf(market: KalshiMarket): VenueResolution | null | undefined {
  if (market.status !== 'finalized') {
    return null;
  }
  const worth =
    market.settlement_value_dollars ??
    (market.result === 'yes' ? ONE_DOLLAR_MICROS : market.result === 'no' ? 0n : undefined);
  if (worth === undefined) {
    return undefined;
  }
  const resolvedAt = market.settlement_ts ?? market.close_time;
  if (worth === ONE_DOLLAR_MICROS) {
    return { outcome: 'YES', yesWorthMicros: null, resolvedAt };
  }
  if (worth === 0n) {
    return { outcome: 'NO', yesWorthMicros: null, resolvedAt };
  }
  return { outcome: 'SPLIT', yesWorthMicros: worth, resolvedAt };
}
