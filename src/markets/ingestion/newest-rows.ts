/**
 * Remembers the newest row of each subject by its digest, so that unchanged reports are not written again. Bounded by
 * the catalogue.
 */
import type { IngestRow } from './venue-rows.ts';

export interface NewestRows {
  /** Returns the rows that differ from the remembered ones, and remembers them, whether or not they are written yet. */
  changed(rows: readonly IngestRow[]): IngestRow[];
  /** The next row with this key is written even if it has not changed. */
  forget(key: string): void;
  /**
   * Forgets the rows of a venue that its catalogue no longer contains.
   * @param listed ids without the venue
   */
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
