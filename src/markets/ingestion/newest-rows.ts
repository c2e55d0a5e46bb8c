/** Remembers the newest row of each subject by its digest, so that what a venue repeats is not written again. Bounded by the catalogue. */
import type { IngestRow } from './venue-rows.ts';

export interface NewestRows {
  /** The rows that differ from what was remembered of them; remembered from now on, whether they are written yet or not. */
  changed(rows: readonly IngestRow[]): IngestRow[];
  /** Written again when it comes again, even if it has not changed. */
  forget(key: string): void;
  /** Forgets the rows of a venue that its catalogue no longer has. @param listed ids without the venue. */
  forgetOthers(venue: string, listed: readonly string[]): void;
  readonly size: number;
}

export function rememberRows(): NewestRows {
  const digests = new Map<string, string>();
  return {
    changed(rows) {
      const changed = rows.filter((row) => digests.get(row.key) !== row.digest);
      for (const row of changed) {
        digests.set(row.key, row.digest);
      }
      return changed;
    },
    forget(key) {
      digests.delete(key);
    },
    forgetOthers(venue, listed) {
      const kept = new Set(listed.map((id) => `${venue}:${id}`));
      for (const key of digests.keys()) {
        if (key.startsWith(`${venue}:`) && !kept.has(key)) {
          digests.delete(key);
        }
      }
    },
    get size() {
      return digests.size;
    },
  };
}
