/** Maps Gemini's terms to ours: categories, sport, kind, strike, grid, status and result. What is not known of them is noted. Pure. */
import type { FeeSchedule, VenueEvent, VenueMarket, VenueResolution, VenueStatus } from '../listing.ts';
import type { Note } from '../unknowns.ts';
import type { GeminiContract, GeminiEvent } from './schemas.ts';

/** Of a taker, in force since 2026-03-18: 0.07 * p * (1 - p), each order's fee rounded up to a cent. */
export const TAKER_FEE: FeeSchedule = { model: 'of_variance', bps: 700, known: true };
export const FEE_STEP_MICROS = 10_000n;
/** Quantities of ours are multiples of a hundredth. */
export const QUANTITY_STEP_MICROS = 10_000n;

const CATEGORIES: Readonly<Record<string, string>> = {
  sports: 'sports',
  politics: 'politics',
  elections: 'politics',
  midterms: 'politics',
  crypto: 'crypto',
  economics: 'economics',
  economy: 'economics',
  finance: 'finance',
  financial: 'finance',
  financials: 'finance',
  business: 'finance',
  commodities: 'finance',
  tech: 'technology',
  technology: 'technology',
  science: 'science',
  weather: 'climate',
  climate: 'climate',
  culture: 'culture',
  entertainment: 'culture',
  media: 'culture',
  world: 'world',
  other: 'world',
};
const OTHER = 'world';

/** An event is never lost for its category. */
export function categoryOf({ category }: GeminiEvent, note: Note): string {
  const known = CATEGORIES[(category ?? '').toLowerCase()];
  if (known === undefined && category) {
    note('category', category);
  }
  return known ?? OTHER;
}

const SPORTS: Readonly<Record<string, string>> = {
  american_football: 'american-football',
  baseball: 'baseball',
  basketball: 'basketball',
  golf: 'golf',
  hockey: 'ice-hockey',
  mixed_martial_arts: 'mma',
  soccer: 'soccer',
  tennis: 'tennis',
};

export const sportOf = ({ sportsMarket }: GeminiEvent): string | null => SPORTS[sportsMarket?.sport ?? ''] ?? null;

const STATUSES: Readonly<Record<string, VenueStatus>> = {
  // not open yet
  approved: 'closed',
  active: 'open',
  closed: 'closed',
  under_review: 'closed',
  settled: 'resolved',
  // what it pays is not documented, so it is no result
  invalid: 'closed',
};
const MARKET_STATES: ReadonlySet<string> = new Set(['open', 'closed']);

/** A contract is shown and not sold while its status, or its grid, is not known. */
export function statusOf(contract: GeminiContract, resolution: VenueResolution | null, note: Note): VenueStatus {
  const { status, marketState } = contract;
  const known = STATUSES[status];
  if (known === undefined) {
    note('contract status', status);
  }
  if (marketState != null && !MARKET_STATES.has(marketState)) {
    note('market state', marketState);
  }
  if (known !== 'open') {
    return resolution === null && known === 'resolved' ? 'closed' : (known ?? 'paused');
  }
  const trades = (marketState ?? 'open') === 'open' && gridOf(contract) !== undefined;
  return trades ? 'open' : 'paused';
}

export interface Grid {
  /** Prices are `priceMinimumMicros` and whole steps above it. */
  readonly priceStepMicros: bigint;
  readonly priceMinimumMicros: bigint;
  readonly quantityStepMicros: bigint;
  readonly quantityMinimumMicros: bigint;
}

/** What orders of a contract must fit; undefined if it is not said, or if hundredths of a contract do not fit it. */
export function gridOf(contract: GeminiContract): Grid | undefined {
  const { priceIncrement, priceMinimum, quantityIncrement, quantityMinimum } = contract;
  if (!priceIncrement || priceMinimum == null || !quantityIncrement || quantityMinimum == null) {
    return undefined;
  }
  return QUANTITY_STEP_MICROS % quantityIncrement === 0n
    ? {
        priceStepMicros: priceIncrement,
        priceMinimumMicros: priceMinimum,
        quantityStepMicros: quantityIncrement,
        quantityMinimumMicros: quantityMinimum,
      }
    : undefined;
}

/** Undefined if a settled contract names no winner. */
export function resolutionOf(
  { status, resolutionSide, resolvedAt }: GeminiContract,
  event: GeminiEvent,
  closesAt: Date,
): VenueResolution | null | undefined {
  if (status !== 'settled') {
    return null;
  }
  const side = resolutionSide?.toLowerCase();
  if (side !== 'yes' && side !== 'no') {
    return undefined;
  }
  return {
    outcome: side === 'yes' ? 'YES' : 'NO',
    yesWorthMicros: null,
    resolvedAt: resolvedAt ?? event.resolvedAt ?? closesAt,
  };
}

const ABOVE: ReadonlySet<string> = new Set(['above', 'over', 'over_or_equal']);
const BELOW: ReadonlySet<string> = new Set(['under', 'under_or_equal', 'below']);

export function strikeOf({ strike }: GeminiContract): Pick<VenueMarket, 'threshold' | 'direction'> {
  const type = strike?.type ?? '';
  const value = strike?.value == null || strike.value === '' ? Number.NaN : Number(strike.value);
  const direction = ABOVE.has(type) ? 'above' : BELOW.has(type) ? 'below' : null;
  return direction === null || !Number.isFinite(value)
    ? { threshold: null, direction: null }
    : { threshold: value, direction };
}

/**
 * Several contracts exclude each other only where the exchange says so, which its documents do not: `categorical` means that there are
 * several. An event of sports may hold one ladder for each team or player.
 */
export function kindOf(event: GeminiEvent, contracts: readonly GeminiContract[]): VenueEvent['kind'] {
  if (contracts.length === 1) {
    return 'binary';
  }
  const strikes = contracts.map(strikeOf);
  const isLadder =
    event.sportsMarket == null &&
    new Set(contracts.map(({ strike }) => strike?.type)).size === 1 &&
    strikes.every(({ direction }) => direction !== null) &&
    new Set(strikes.map(({ threshold }) => threshold)).size === contracts.length;
  return isLadder ? 'cumulative_ladder' : 'ambiguous';
}

const FIVE_MINUTES = /^(BTC|ETH|SOL|XRP)05M\d+$/;

export const isFiveMinute = ({ ticker }: GeminiEvent): boolean => FIVE_MINUTES.test(ticker);
