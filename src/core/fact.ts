/** One thing that a money statement records: a feed item, with its ledger lines or its webhook event where it has them. */

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

/** Named as the SQL type `fact`, which it becomes; the statement adds operator, customer, position and dense number. */
export interface Fact {
  readonly type: FeedItemType;
  readonly item_id: string;
  readonly money: object | null;
  readonly detail: object;
  /** Account and signed cents as text, debit positive. */
  readonly lines?: readonly (readonly [string, string])[];
  /** Data of the webhook event that a `webhook.emitted` item announces. */
  readonly event?: object;
}

/** The facts of one command in the order in which they get their positions. */
export function numberFacts(facts: readonly Fact[]): (Fact & { ord: number })[] {
  return facts.map((fact, index) => ({ ord: index + 1, ...fact }));
}
