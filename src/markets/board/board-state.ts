/**
 * The maps behind a board, and how rows change them. Rows are applied synchronously, so a reader sees the board before
 * a batch or after it, never in between. It reads no database and no clock.
 */
import type { Level } from '../../money/book.ts';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { BoardContract, BoardEvent, Book } from '../event.ts';
import {
  type BoardRows,
  type ContractRow,
  type EventRow,
  KEEP_RESOLVED_MS,
  KEEP_RESOLVED_SHORT_MS,
  type ListingRow,
  makeBook,
  makeContract,
  makeEvent,
} from './board-rows.ts';

/** Ids of changed events and contracts. If an id is no longer on the board, it was dropped because of its age. */
export interface BoardChange {
  readonly contracts: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
}

/** The state of the service's connection to one venue. */
export interface VenueFeed {
  readonly venue: string;
  readonly connected: boolean;
  /** The last moment at which a live connection confirmed every book of its session. */
  readonly confirmedAt: Date | null;
  /** When the whole catalogue was last read. */
  readonly lastSyncAt: Date | null;
  /** Whether no orders may be sent to it: a support person must resume trading, the venue has paused it, or our sends are held back. */
  readonly stopped: boolean;
  /** Cash of our account there in millionths of a dollar; null if it was not read lately. */
  readonly cashMicros: bigint | null;
  /**
   * Our account on each part of a venue that keeps collateral apart; empty if it was not read lately, or there are no
   * parts.
   */
  readonly parts: ReadonlyMap<number, VenuePart>;
}

interface VenuePart {
  readonly cashMicros: bigint;
  /** Whether the venue takes no orders there now. */
  readonly paused: boolean;
}

interface Feed extends VenueFeed {
  readonly session: string;
}

const MS_PER_SECOND = 1000;

export class BoardState {
  revision = -1n;
  readonly events = new Map<string, BoardEvent>();
  readonly contracts = new Map<string, BoardContract>();
  readonly feeds = new Map<string, Feed>();
  /** The largest possible lead of the database's clock over ours, in milliseconds. */
  #aheadMs = 0;
  readonly #slugs = new Map<string, string>();
  readonly #eventRows = new Map<string, EventRow>();
  readonly #contractRows = new Map<string, ContractRow>();
  readonly #contractsOfEvent = new Map<string, Set<string>>();
  readonly #listings = new BoardListings(this.#contractRows);

  eventBySlug(slug: string): BoardEvent | undefined {
    const eventId = this.#slugs.get(slug);
    return eventId === undefined ? undefined : this.events.get(eventId);
  }

  /** @param askedAt our time when the rows were requested, so that computed ages are never too low */
  measureClock(rows: Pick<BoardRows, 'at'>, askedAt: Date): void {
    this.#aheadMs = new Date(rows.at).getTime() - askedAt.getTime();
  }

  /** Converts our time to the clock of the database, on which confirmations of books are recorded. */
  databaseTime(now: Date): Date {
    return new Date(now.getTime() + this.#aheadMs);
  }

  /** See `Board.ageSeconds`. A heartbeat confirms the books that were received over the same connection. */
  ageSeconds(contractId: string, venue: string, now: Date): number {
    const listing = this.#listings.of(contractId).find(({ row }) => row.venue === venue);
    if (listing === undefined || listing.confirmedAt === 0) {
      return Number.POSITIVE_INFINITY;
    }
    const feed = this.feeds.get(venue);
    const heartbeat = feed?.session === listing.row.session ? (feed.confirmedAt?.getTime() ?? 0) : 0;
    const confirmedAt = Math.max(listing.confirmedAt, heartbeat);
    return Math.max(0, this.databaseTime(now).getTime() - confirmedAt) / MS_PER_SECOND;
  }

  /** Applies a complete load. Everything that it does not contain is removed. */
  replace(rows: BoardRows): BoardChange {
    const events = new Set(this.events.keys());
    const contracts = new Set(this.contracts.keys());
    for (const map of [this.events, this.contracts, this.feeds]) {
      map.clear();
    }
    for (const map of [this.#slugs, this.#eventRows, this.#contractRows, this.#contractsOfEvent, this.#listings]) {
      map.clear();
    }
    const change = this.#take(rows);
    return { events: new Set([...events, ...change.events]), contracts: new Set([...contracts, ...change.contracts]) };
  }

  /**
   * Applies rows of later revisions.
   *
   * @returns null, with nothing changed, if the event of a contract is not on the board; a complete load is needed then
   */
  apply(rows: BoardRows): BoardChange | null {
    const arriving = new Set(rows.events.map(({ eventId }) => eventId));
    const orphaned = rows.contracts.some(({ eventId }) => !arriving.has(eventId) && !this.#eventRows.has(eventId));
    return orphaned ? null : this.#take(rows);
  }

  #take(rows: BoardRows): BoardChange {
    const events = new Set<string>();
    const contracts = new Set<string>();
    for (const row of rows.events) {
      this.#eventRows.set(row.eventId, row);
      this.#slugs.set(row.slug, row.eventId);
      events.add(row.eventId);
    }
    for (const row of rows.contracts) {
      const before = this.#contractRows.get(row.contractId);
      if (before !== undefined && before.eventId !== row.eventId) {
        this.#contractsOfEvent.get(before.eventId)?.delete(row.contractId);
        events.add(before.eventId);
      }
      for (const contractId of this.#listings.regroup(before, row)) {
        contracts.add(contractId);
      }
      this.#contractRows.set(row.contractId, row);
      const siblings = this.#contractsOfEvent.get(row.eventId) ?? new Set();
      this.#contractsOfEvent.set(row.eventId, siblings.add(row.contractId));
      contracts.add(row.contractId);
    }
    for (const row of rows.listings) {
      if (!this.#contractRows.has(row.contractId)) {
        continue;
      }
      this.#listings.take(row);
      contracts.add(row.contractId);
      for (const contractId of this.#listings.matchedWith(row.contractId)) {
        contracts.add(contractId);
      }
    }
    for (const row of rows.feeds) {
      if (row.retired) {
        this.feeds.delete(row.venue);
        continue;
      }
      this.feeds.set(row.venue, {
        venue: row.venue,
        connected: row.connected,
        session: row.session,
        confirmedAt: row.confirmedAt === null ? null : new Date(row.confirmedAt),
        lastSyncAt: row.lastSyncAt === null ? null : new Date(row.lastSyncAt),
        stopped: row.stopped,
        cashMicros: row.cashMicros === null ? null : BigInt(row.cashMicros),
        parts: new Map(
          row.parts.map(({ part, cashMicros, paused }) => [part, { cashMicros: BigInt(cashMicros), paused }]),
        ),
      });
    }
    for (const contractId of contracts) {
      events.add(this.#makeContract(contractId).eventId);
    }
    for (const eventId of events) {
      this.#makeEvent(eventId);
    }
    this.revision = BigInt(rows.revision);
    return { events, contracts };
  }

  #makeContract(contractId: string): BoardContract {
    const row = this.#contractRows.get(contractId) as ContractRow;
    const contract = makeContract(row, this.#listings.of(contractId));
    this.contracts.set(contractId, contract);
    return contract;
  }

  #makeEvent(eventId: string): void {
    const row = this.#eventRows.get(eventId);
    const contracts = [...(this.#contractsOfEvent.get(eventId) ?? [])].flatMap(
      (contractId) => this.contracts.get(contractId) ?? [],
    );
    // All contracts of an event may have moved to other events. It is not shown then.
    if (row === undefined || contracts.length === 0) {
      this.events.delete(eventId);
    } else {
      this.events.set(eventId, makeEvent(row, contracts));
    }
  }

  /** Drops events that resolved too long ago; they remain in the database. */
  dropAged(now: Date): BoardChange {
    const events = new Set<string>();
    const contracts = new Set<string>();
    for (const event of this.events.values()) {
      const horizon = now.getTime() - (event.fiveMinute ? KEEP_RESOLVED_SHORT_MS : KEEP_RESOLVED_MS);
      const aged = event.contracts.every(({ resolvedAt }) => resolvedAt !== null && resolvedAt.getTime() < horizon);
      if (!aged) {
        continue;
      }
      events.add(event.eventId);
      for (const { contractId } of event.contracts) {
        contracts.add(contractId);
      }
    }
    for (const eventId of events) {
      this.events.delete(eventId);
      this.#slugs.delete(this.#eventRows.get(eventId)?.slug ?? '');
      this.#eventRows.delete(eventId);
      this.#contractsOfEvent.delete(eventId);
    }
    for (const contractId of contracts) {
      this.contracts.delete(contractId);
      this.#listings.drop(contractId, this.#contractRows.get(contractId));
      this.#contractRows.delete(contractId);
    }
    return { events, contracts };
  }
}

interface Listing {
  readonly row: ListingRow;
  readonly book: Book | null;
  /** Milliseconds since 1970; 0 if the venue never sent a book. */
  readonly confirmedAt: number;
}

/**
 * The listings of each contract with their books, and the groups of contracts that a support person matched, whose books serve each other.
 */
class BoardListings {
  /** The rows of all contracts on the board, which changes them. */
  readonly #contracts: ReadonlyMap<string, ContractRow>;
  readonly #listings = new Map<string, readonly Listing[]>();
  /** The contracts of each group. A group has several only if a support person matched listings of separate contracts. */
  readonly #contractsOfGroup = new Map<string, Set<string>>();

  constructor(contracts: ReadonlyMap<string, ContractRow>) {
    this.#contracts = contracts;
  }

  clear(): void {
    this.#listings.clear();
    this.#contractsOfGroup.clear();
  }

  take(row: ListingRow): void {
    const before = this.#listings.get(row.contractId) ?? [];
    const listing = {
      row,
      book: makeBook(row),
      confirmedAt: row.confirmedAt === null ? 0 : new Date(row.confirmedAt).getTime(),
    };
    const others = before.filter((other) => other.row.venue !== row.venue || other.row.listingId !== row.listingId);
    this.#listings.set(row.contractId, [...others, listing].sort(byRank));
  }

  /**
   * Takes the contract out of its former group and puts it into its present one.
   *
   * @returns the contracts that both groups had before
   */
  regroup(before: ContractRow | undefined, row: ContractRow): string[] {
    const affected = [before?.groupKey, row.groupKey].flatMap((group) => [
      ...(this.#contractsOfGroup.get(group ?? '') ?? []),
    ]);
    if (before !== undefined && before.groupKey !== null && before.groupKey !== row.groupKey) {
      this.#contractsOfGroup.get(before.groupKey)?.delete(row.contractId);
    }
    if (row.groupKey !== null) {
      const members = this.#contractsOfGroup.get(row.groupKey) ?? new Set();
      this.#contractsOfGroup.set(row.groupKey, members.add(row.contractId));
    }
    return affected;
  }

  /** The other contracts of its group. */
  matchedWith(contractId: string): string[] {
    const group = this.#contracts.get(contractId)?.groupKey ?? null;
    const members = group === null ? undefined : this.#contractsOfGroup.get(group);
    return members === undefined || members.size < 2 ? [] : [...members].filter((member) => member !== contractId);
  }

  /**
   * The listings of the contract, and those of contracts matched with it. A matched contract that is not open lends no
   * book.
   */
  of(contractId: string): readonly Listing[] {
    const own = this.#listings.get(contractId) ?? [];
    const matched = this.matchedWith(contractId);
    if (matched.length === 0) {
      return own;
    }
    const inverse = this.#contracts.get(contractId)?.inverse;
    const lent = matched.flatMap((member) => {
      const row = this.#contracts.get(member);
      const open = row?.status === 'open' && !row.tradingClosed;
      return (this.#listings.get(member) ?? []).map((listing) => ({
        ...listing,
        book: listing.book === null || !open ? null : asMatched(listing.book, row.inverse !== inverse),
      }));
    });
    return [...own, ...lent.sort(byRank)];
  }

  /** @param row that of the contract, to find its group */
  drop(contractId: string, row: ContractRow | undefined): void {
    this.#contractsOfGroup.get(row?.groupKey ?? '')?.delete(contractId);
    this.#listings.delete(contractId);
  }
}

function byRank(a: Listing, b: Listing): number {
  return a.row.rank - b.row.rank || (a.row.listingId < b.row.listingId ? -1 : 1);
}

/** The book as another contract of its group shows it. */
function asMatched(book: Book, inverse: boolean): Book {
  const turned = (levels: readonly Level[]) =>
    levels.map(({ priceMicros, quantityMicros }) => ({ priceMicros: ONE_DOLLAR_MICROS - priceMicros, quantityMicros }));
  const ladders = inverse ? { bids: turned(book.asks), asks: turned(book.bids) } : {};
  return { ...book, ...ladders, matched: true, inverse };
}

/**
 * Venues that trade but take no orders now (contract 19.5). Live operators see contracts that only these venues trade without executable
 * prices.
 */
export interface HaltedVenues {
  /** Equal for equal sets of venues. */
  readonly key: string;
  readonly names: ReadonlySet<string>;
  /** Whether orders can be sent to a venue at all. */
  readonly trades: (venue: string) => boolean;
}

/**
 * @param trades whether orders can be sent to a venue at all
 * @returns null if there are none
 */
export function readHaltedVenues(
  feeds: ReadonlyMap<string, VenueFeed>,
  trades: (venue: string) => boolean,
): HaltedVenues | null {
  const names = [...feeds.values()].flatMap(({ venue, stopped }) => (stopped && trades(venue) ? [venue] : [])).sort();
  return names.length === 0 ? null : { key: names.join(), names: new Set(names), trades };
}

/** Whether none of the trading venues of these books takes orders. Books of read-only venues alone are never halted. */
export function areHalted(books: readonly Book[], { names, trades }: HaltedVenues): boolean {
  const trading = books.filter(({ venue }) => trades(venue));
  return trading.length > 0 && trading.every(({ venue }) => names.has(venue));
}
