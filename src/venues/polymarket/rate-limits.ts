/**
 * What the exchange says with each answer to an order or a cancellation: how many more of them it takes of our signer now, and from
 * which second on where there are none. https://docs.polymarket.com, "Trading rate limits"
 */
import type { RequestKind } from '../../core/request-budget.ts';
import type { VenueAnswer, VenueMethod } from '../http.ts';
import type { RequestsLeft } from '../port.ts';
import type { Note } from '../unknowns.ts';

const KINDS: Partial<Readonly<Record<VenueMethod, RequestKind>>> = { POST: 'send', DELETE: 'cancel' };

/**
 * @param nowMs the exchange's clock
 * @param note takes a request that the exchange would have refused, were it not warning only
 * @returns undefined for an answer that says nothing of it
 */
export function requestsLeft(
  method: VenueMethod,
  { headers }: Pick<VenueAnswer, 'headers'>,
  nowMs: number,
  note: Note,
): RequestsLeft | undefined {
  const kind = KINDS[method];
  const left = numberOf(headers['poly-ratelimit-remaining']);
  if (kind === undefined || left === undefined) {
    return undefined;
  }
  const warned = headers['poly-ratelimit-warning'] === 'true';
  if (warned) {
    note('rate limit warning', kind);
  }
  // on a request that was taken the second may be this one: it is no reason to wait by itself
  const resetMs = (numberOf(headers['poly-ratelimit-reset']) ?? 0) * 1_000;
  return { kind, left, waitMs: warned || left < 0 ? Math.max(0, resetMs - nowMs) : 0 };
}

function numberOf(header: string | string[] | undefined): number | undefined {
  const value = Number(header ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}
