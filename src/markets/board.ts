/**
 * The board: catalogue and books in the memory of an API process, in step with the database by revision numbers.
 * This file says what a board is; open-board.ts keeps one. It holds no money and answers no request by itself.
 */
import type { BoardContract } from './contract.ts';
import type { BoardEvent } from './event.ts';

/** Ids whose event or contract changed; an id that is on the board no longer was dropped with age. */
export interface BoardChange {
  readonly contracts: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
}

/** What the service knows of its connection to one venue. */
export interface VenueFeed {
  readonly venue: string;
  readonly connected: boolean;
  /** The last moment at which a live connection confirmed every book of its session. */
  readonly confirmedAt: Date | null;
  /** When the whole catalogue was last read. */
  readonly lastSyncAt: Date | null;
}

export interface Board {
  /** The database's revision that the board shows. Objects are replaced, never changed: identity means unchanged. */
  readonly revision: bigint;
  readonly events: ReadonlyMap<string, BoardEvent>;
  readonly contracts: ReadonlyMap<string, BoardContract>;
  readonly feeds: ReadonlyMap<string, VenueFeed>;
  eventBySlug(slug: string): BoardEvent | undefined;
  /**
   * Seconds since the venue last confirmed this book: a live connection with heartbeats confirms unchanged books.
   * Infinity where the venue has no book of it.
   */
  ageSeconds(contract: BoardContract, venue: string, now: Date): number;
  /** Seconds since the board last heard from the database; the board keeps serving meanwhile. */
  staleSeconds(now: Date): number;
  /** Pulls rows newer than `revision`; resolves when the board shows everything committed before the call. */
  refresh(): Promise<void>;
  onChange(listener: (change: BoardChange) => void): () => void;
  close(): Promise<void>;
}
