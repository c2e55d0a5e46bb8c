/** An event of the catalogue as the board keeps it, and the status that follows from its contracts. Pure. */
import type { BoardContract, MarketStatus } from './contract.ts';
import type { EventTexts, Locale } from './translations.ts';

/** Contract chapter 5: the four shapes. */
export type EventKind = 'binary' | 'mutually_exclusive' | 'cumulative_ladder' | 'ambiguous';

/** Contract 5.11. */
export interface LiveMatch {
  readonly homeScore: number | null;
  readonly awayScore: number | null;
  readonly period: string | null;
  readonly clock: string | null;
  /** ISO-8601 UTC. */
  readonly observedAt: string;
}

export interface BoardEvent {
  readonly eventId: string;
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly translations: Readonly<Partial<Record<Locale, EventTexts>>>;
  readonly category: string;
  /** All categories of the event; always contains `category`. */
  readonly categories: readonly string[];
  readonly sport: string | null;
  readonly league: string | null;
  readonly eventType: 'game' | 'future' | null;
  readonly liveMatch: LiveMatch | null;
  /** The address from which the picture is fetched once; never published. */
  readonly imageSourceUrl: string | null;
  readonly kind: EventKind;
  /** How a strike of this ladder is written, `${k}` or `{k}%`; implied-level.ts uses it for the level and its label. */
  readonly levelFormat: string | null;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly updatedAt: Date;
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  /** Derived from the contracts by `eventStatus`. */
  readonly status: MarketStatus;
  readonly fiveMinute: boolean;
  /** In the venue's order. */
  readonly contracts: readonly BoardContract[];
  /** The newest revision among the event and its contracts: rises with every change of any of them. */
  readonly revision: bigint;
}

/**
 * An event is open if any contract is open; otherwise paused if any is paused; otherwise closed if any is closed. An
 * event whose contracts are all resolved is voided only if every one is voided.
 */
export function eventStatus(contracts: readonly Pick<BoardContract, 'status'>[]): MarketStatus {
  const holds = (status: MarketStatus) => contracts.some((contract) => contract.status === status);
  if (holds('open')) {
    return 'open';
  }
  if (holds('paused')) {
    return 'paused';
  }
  if (holds('closed')) {
    return 'closed';
  }
  return holds('resolved') || contracts.length === 0 ? 'resolved' : 'voided';
}
