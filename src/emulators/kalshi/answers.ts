/** How the emulated exchange answers: its refusals, and lists that come in pages. */
import type { Answer } from '../http.ts';

const PAGE = 100;

export function refused(status: number, code: string, message: string): Answer {
  return { status, body: { code, message } };
}

export function notFound(message: string): Answer {
  return refused(404, 'not_found', message);
}

/** A parameter or a body that the exchange does not take. */
export function invalid(message: string): Answer {
  return refused(400, 'invalid_parameters', message);
}

/** @param query `limit` and `cursor`; the cursor is where the next page begins */
export function page<T>(items: readonly T[], query: URLSearchParams): { items: readonly T[]; cursor: string } {
  const from = Number(query.get('cursor') || 0);
  const limit = Math.min(1_000, Number(query.get('limit') ?? PAGE));
  const next = from + limit;
  return { items: items.slice(from, next), cursor: next < items.length ? String(next) : '' };
}
