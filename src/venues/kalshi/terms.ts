/** Maps Kalshi's terms to ours: categories, sport, kind, strike, status and result. What is not known of them is noted. Pure. */

import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { VenueEvent, VenueMarket, VenueResolution, VenueStatus } from '../listing.ts';
import type { Note } from '../unknowns.ts';
import type { KalshiEvent, KalshiMarket } from './schemas.ts';

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
