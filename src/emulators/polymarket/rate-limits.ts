/**
 * The exchange's own count of the orders and cancellations of a signer, and the headers that tell it. In its warning mode a request
 * beyond the limit is still taken, and says so.
 */
import type { Answer } from '../http.ts';
import type { Account, ExchangeState } from './state.ts';

type Counted = 'orders' | 'cancels';

/** @returns the headers of the answer, and the refusal where the request is not taken */
export function countRequest(
  { limits }: ExchangeState,
  account: Account,
  kind: Counted,
  now: Date,
): { readonly headers: Readonly<Record<string, string>>; readonly refusal: Answer | undefined } {
  const { perSecond, atOnce } = limits[kind];
  const known = account.counted[kind] ?? { left: atOnce, at: now.getTime() };
  const left = Math.min(atOnce, known.left + ((now.getTime() - known.at) / 1_000) * perSecond) - 1;
  const beyond = left < 0;
  const refused = beyond && limits.enforced;
  // what is refused costs nothing
  account.counted[kind] = { left: refused ? left + 1 : left, at: now.getTime() };
  const waitS = beyond ? -left / perSecond : 0;
  const reset = Math.ceil(now.getTime() / 1_000 + waitS);
  const headers = {
    'poly-ratelimit-remaining': String(Math.floor(left)),
    'poly-ratelimit-reset': String(reset),
    'poly-ratelimit-tier': limits.tier,
    ...(beyond && !refused ? { 'poly-ratelimit-warning': 'true' } : {}),
  };
  const wait = { ...headers, 'retry-after': String(Math.max(1, reset - Math.floor(now.getTime() / 1_000))) };
  return {
    headers,
    refusal: refused ? { status: 429, body: { error: 'Too Many Requests' }, headers: wait } : undefined,
  };
}
