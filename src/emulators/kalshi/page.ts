/** Lists of the emulated exchange come in pages. */

const PAGE = 100;

/** @param query `limit` and `cursor`; the cursor is where the next page begins */
export function page<T>(items: readonly T[], query: URLSearchParams): { items: readonly T[]; cursor: string } {
  const from = Number(query.get('cursor') || 0);
  const limit = Math.min(1_000, Number(query.get('limit') ?? PAGE));
  const next = from + limit;
  return { items: items.slice(from, next), cursor: next < items.length ? String(next) : '' };
}
