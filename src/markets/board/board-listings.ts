/**
 * The listings of each contract with their books, and the groups of contracts that a person matched, whose books serve
 * each other. Synchronous and in memory.
 */
import type { Book } from '../contract.ts';
import { asMatched, makeBook } from './board-objects.ts';
import type { ContractRow, ListingRow } from './board-rows.ts';

export interface Listing {
  readonly row: ListingRow;
  readonly book: Book | null;
  /** Milliseconds since 1970; 0 if the venue never sent a book. */
  readonly confirmedAt: number;
}

function byRank(a: Listing, b: Listing): number {
  return a.row.rank - b.row.rank || (a.row.listingId < b.row.listingId ? -1 : 1);
}

export class BoardListings {
  /** The rows of all contracts on the board; the board changes them. */
  readonly #contracts: ReadonlyMap<string, ContractRow>;
  readonly #listings = new Map<string, readonly Listing[]>();
  /** Contracts of each group; several only if a person matched listings of contracts that were apart. */
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

  /** Puts the contract into its group, and out of the group that it had. @returns all contracts of both groups before */
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

  /** Its own listings and those of contracts matched with it. A matched contract that is not open lends no book. */
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

  /** @param row of the contract, which the board still has */
  drop(contractId: string, row: ContractRow | undefined): void {
    this.#contractsOfGroup.get(row?.groupKey ?? '')?.delete(contractId);
    this.#listings.delete(contractId);
  }
}
