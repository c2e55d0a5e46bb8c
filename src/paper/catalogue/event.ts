/**
 * Events, contracts, matches and books of the paper venue, as plain data that is written to the state file unchanged.
 * Prices and sizes are whole millionths, times are milliseconds since 1970.
 */
import type { Resolution } from '../../core/terms.ts';
import type { Profile } from './fixture.ts';

export type Status = 'open' | 'closed' | 'paused' | 'resolved' | 'voided';
export type Locale = 'es' | 'pt' | 'hr';
export const LOCALES = ['es', 'pt', 'hr'] as const;

export type Words<T> = Partial<Record<Locale, T>>;

export interface Level {
  price: number;
  quantity: number;
}

/** Prices of YES, best first. */
export interface PaperBook {
  bids: Level[];
  asks: Level[];
  sequence: number;
  /** The time that is reported for the book, if a tester made it older. */
  asOf?: number;
}

export interface PaperResolution {
  outcome: Resolution;
  yesWorth: number | null;
  at: number;
}

export interface Team {
  abbr: string | null;
  color: string;
  marks: string | null;
}

export interface PaperContract {
  id: string;
  key: string;
  groupKey: string;
  label: string;
  words: Words<{ label: string; yesLabel?: string; noLabel?: string }>;
  team: Team | null;
  yesLabel: string | null;
  noLabel: string | null;
  sportsMarketType: string | null;
  threshold: number | null;
  direction: 'above' | 'below' | null;
  status: Status;
  volume: number;
  volume24h: number;
  lastPrice: number | null;
  resolution: PaperResolution | null;
  profile: Profile;
  book: PaperBook;
  /** The book stays exactly as it was given; fills do not use it up. */
  frozen: boolean;
  /** Taker fee on the cost, in hundredths of a percent; null until a number is set. */
  feeBps: number | null;
  /** Scripts for the next orders, the first one first. */
  next: string[];
}

/** The source of an event's prices: latent numbers, a match, or the price of an asset. */
export type Model =
  | { type: 'independent'; at: number[]; anchor: number[]; home: number[] }
  | { type: 'field'; at: number[]; anchor: number[]; home: number[] }
  | { type: 'ladder'; at: number; anchor: number; home: number; scale: number }
  | { type: 'match'; match: string; market: 'moneyline' | 'totals' | 'spreads' }
  | { type: 'five'; asset: string; strike: number | null };

export interface PaperEvent {
  id: string;
  fixture: string;
  generation: number;
  groupKey: string;
  slug: string;
  title: string;
  subtitle: string | null;
  words: Words<{ title: string }>;
  category: string;
  categories: string[];
  kind: 'binary' | 'mutually_exclusive' | 'cumulative_ladder' | 'ambiguous';
  sport: string | null;
  league: string | null;
  eventType: 'game' | 'future' | null;
  levelFormat: string | null;
  fiveMinute: boolean;
  opensAt: number;
  closesAt: number;
  /** The price grid, the same for the whole event, so that rounding keeps ladders monotone. */
  tick: number;
  halfSpread: number;
  model: Model;
  contracts: PaperContract[];
  /** When trading ended, and when the last contract was resolved. */
  closedAt: number | null;
  endedAt: number | null;
}

export interface PaperMatch {
  id: string;
  fixture: number;
  generation: number;
  league: string;
  kickoff: number;
  endsAt: number;
  home: string;
  away: string;
  homeScore: number;
  awayScore: number;
  /** Expected final margin of the home side at kick-off. */
  edge: number;
  /** Share of the game that was played at the last step, 0 to 1. */
  played: number;
  ended: boolean;
}

export interface LiveMatch {
  homeScore: number;
  awayScore: number;
  period: string;
  clock: string | null;
  observedAt: number;
}
