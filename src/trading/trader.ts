/** Who trades: the operator, its customer, and what they are offered. */
import type { Operator } from '../operators/operator.ts';
import type { Offering } from '../risk/offering.ts';

export interface Trader {
  readonly operator: Operator;
  readonly externalUserId: string;
  /** The operator's policy, narrowed by the book of an embed session. */
  readonly offering: Offering;
}

/** @param bookEventIds events of the book that an embed session is bound to; null if there is none. */
export function traderOf(
  operator: Operator,
  externalUserId: string,
  bookEventIds: readonly string[] | null = null,
): Trader {
  const eventIds = bookEventIds === null ? null : new Set(bookEventIds);
  return { operator, externalUserId, offering: { categories: operator.offerCategories, eventIds } };
}
