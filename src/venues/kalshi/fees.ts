/**
 * The taker fee of Kalshi as far as it is known before an order: 0.07 p (1 - p) times a multiplier, which is that of the event, else that
 * of its series. A market may be free for a while. The exact fee is that of the fills. Pure.
 */
import type { FeeSchedule } from '../listing.ts';

export interface KalshiFee {
  readonly type: string;
  readonly multiplier: number;
}

/** A fee that takes effect at a time. */
export interface FeeChange {
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
