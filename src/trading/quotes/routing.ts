/** Which venue's book prices a quote, and how it was chosen. It exposes no venue name. */

import { executableBooks } from '../../markets/board/best-prices.ts';
import type { BoardContract, Book } from '../../markets/event.ts';

export type RoutingReason = 'single_venue' | 'best_price' | 'unverified_group';

export interface Routing {
  readonly reason: RoutingReason;
  readonly consideredVenues: number;
  /** Only once a person verified the listings as one contract. */
  readonly routable: boolean;
}

export interface Candidates {
  readonly books: readonly Book[];
  readonly routing: Routing;
}

/** The books to price against, the primary venue's first: all of a verified group, else the primary's own alone. */
export function candidateBooks(contract: BoardContract): Candidates {
  const several = contract.books.length > 1;
  if (several && contract.routable) {
    return {
      books: executableBooks(contract),
      routing: { reason: 'best_price', consideredVenues: contract.books.length, routable: true },
    };
  }
  return {
    books: executableBooks({ ...contract, routable: false }),
    routing: { reason: several ? 'unverified_group' : 'single_venue', consideredVenues: 1, routable: false },
  };
}
