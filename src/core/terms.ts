/** The closed vocabularies that every room uses. A venue's own words for side and action are in `venues/order.ts`. */

/** The side of a contract. */
export type Side = 'YES' | 'NO';

export function otherSide(side: Side): Side {
  return side === 'YES' ? 'NO' : 'YES';
}

/** What a customer does with contracts. */
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

/** Whether anything of an order was sent to a venue, and whether it is known what became of it. */
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
