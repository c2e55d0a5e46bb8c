/** One fact that a money statement records: a feed item, with its ledger lines or its webhook event if it has them. */

export const FEED_ITEM_TYPES = [
  'order.state_changed',
  'order.filled',
  'fee.assessed',
  'collateral.moved',
  'ledger.posted',
  'position.exited',
  'position.settled',
  'webhook.emitted',
  'log.key_changed',
] as const;
export type FeedItemType = (typeof FEED_ITEM_TYPES)[number];

/** Becomes the SQL type `feed_fact`; the statement adds the position id and the sequence number. */
export interface Fact {
  readonly type: FeedItemType;
  readonly itemId: string;
  readonly money: object | null;
  readonly detail: object;
  /** Account and signed cents as text; a debit is positive. */
  readonly lines?: readonly (readonly [string, string])[];
}
