/**
 * Whether an event is offered: by the operator's categories, and by the operator book of the session. It stands alone because quotes,
 * orders and the server's lists of events apply the same rule.
 */
import { type Refusal, refuse } from '../core/errors.ts';

export interface Offering {
  /** Canonical categories; null offers all of them. */
  readonly categories: readonly string[] | null;
  /** Events of the operator book of an embed session; null if the session is not bound to one. */
  readonly eventIds: ReadonlySet<string> | null;
}

export function isOffered(offering: Offering, event: { readonly eventId: string; readonly category: string }): boolean {
  if (offering.eventIds !== null && !offering.eventIds.has(event.eventId)) {
    return false;
  }
  return offering.categories === null || offering.categories.includes(event.category);
}

/** @returns market_not_offered, or null. */
export function checkOffering(
  offering: Offering,
  event: { readonly eventId: string; readonly category: string },
): Refusal | null {
  return isOffered(offering, event) ? null : refuse('market_not_offered');
}
