/** The closed vocabularies that every room uses. A venue's own words for side and action are in `venues/port.ts`. */

/** The side of a contract. */
export type Side = 'YES' | 'NO';

export function otherSide(side: Side): Side {
  return side === 'YES' ? 'NO' : 'YES';
}

/** A customer's action with contracts. */
export type Action = 'buy' | 'sell';

/** Whether an operator trades with simulated money or at real venues. */
export type Mode = 'sandbox' | 'live';

/** The result of a contract: one side wins, all stakes are returned, or each side is worth a part of a dollar. */
export type Resolution = 'YES' | 'NO' | 'VOID' | 'SPLIT';

/** The state of an order (contract chapter 12). */
export type OrderStatus =
  | 'reserve_pending'
  | 'pending_venue_execution'
  | 'submitted'
  | 'partially_filled'
  | 'filled'
  | 'rejected'
  | 'cancelled'
  | 'pending';

/** Whether an order was sent to a venue, and whether its outcome there is known. */
export type TransmissionState = 'not_transmitted' | 'unknown' | 'resolved';

/** The types of items in an operator's feed. */
export const FEED_ITEM_TYPES = [
  'order.state_changed',
  'order.filled',
  'fee.assessed',
  'collateral.moved',
  'ledger.posted',
  'position.exited',
  'position.settled',
  'webhook.emitted',
] as const;
export type FeedItemType = (typeof FEED_ITEM_TYPES)[number];

/** The categories of the catalogue in their canonical order (contract 5.11). */
export const CATEGORIES = [
  'politics',
  'sports',
  'crypto',
  'economics',
  'finance',
  'technology',
  'science',
  'culture',
  'climate',
  'world',
] as const;
export type CategoryName = (typeof CATEGORIES)[number];

export const CATEGORY_LABELS: Readonly<Record<CategoryName, string>> = {
  politics: 'Politics',
  sports: 'Sports',
  crypto: 'Crypto',
  economics: 'Economics',
  finance: 'Finance',
  technology: 'Technology',
  science: 'Science',
  culture: 'Culture',
  climate: 'Climate',
  world: 'World',
};

export function isCategory(text: string): text is CategoryName {
  return Object.hasOwn(CATEGORY_LABELS, text);
}

/** The groupings of a revenue statement: one subject, or two of them in the order of the columns and of the rows. */
export const REVENUE_BY = [
  'day',
  'customer',
  'market',
  'day,customer',
  'day,market',
  'customer,day',
  'customer,market',
  'market,day',
  'market,customer',
] as const;

export type RevenueBy = (typeof REVENUE_BY)[number];
export type RevenueSubject = 'day' | 'customer' | 'market';

export function revenueSubjects(by: RevenueBy): RevenueSubject[] {
  return by.split(',') as RevenueSubject[];
}
