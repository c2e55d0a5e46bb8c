/** How many requests Gemini allows our account: 600 private ones a minute, of which five more may wait. */
import type { RequestBucket } from '../../core/net/request-budget.ts';

/** A fifth is left to the comparison of the account. A look-up reads three lists, that of a sale twice; a send reads trades too. */
export const GEMINI_LIMITS: readonly RequestBucket[] = [
  { perSecond: 8, burst: 12, costs: { look_up: 3, cancel: 7, send: 2 } },
];
