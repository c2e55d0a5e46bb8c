/** The caller of a trading route as the trading rooms know it. */
import { refuse } from '../core/errors.ts';
import type { Trader } from '../trading/quotes/issue-quote.ts';
import type { Caller } from './http/api.ts';

/** @throws missing_user where the route let a call through without a customer. */
export function traderOf(caller: Caller): Trader {
  if (caller.externalUserId === null) {
    throw refuse('missing_user');
  }
  const book = caller.session?.bookEventIds ?? null;
  return {
    operator: caller.operator,
    externalUserId: caller.externalUserId,
    offering: { categories: caller.operator.offerCategories, eventIds: book === null ? null : new Set(book) },
  };
}
