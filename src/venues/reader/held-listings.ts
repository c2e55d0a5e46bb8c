/**
 * Listings whose results other cells need, although the venue may no longer list them. A cell names them again every minute; one
 * that does not is forgotten.
 */
import type { Ticks } from '../../core/clock.ts';

const KEPT_MS = 5 * 60_000;

export interface HeldListings {
  put(cell: string, listings: readonly string[]): void;
  /** Those of all cells, each once. */
  all(): string[];
}

export function createHeldListings(ticks: Ticks): HeldListings {
  const cells = new Map<string, { readonly listings: readonly string[]; readonly at: number }>();
  return {
    put(cell, listings) {
      cells.set(cell, { listings, at: ticks() });
    },
    all() {
      for (const [cell, { at }] of cells) {
        if (ticks() - at > KEPT_MS) {
          cells.delete(cell);
        }
      }
      return [...new Set([...cells.values()].flatMap(({ listings }) => listings))];
    },
  };
}
