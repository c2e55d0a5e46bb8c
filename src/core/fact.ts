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

/** A command of a money statement: its columns, and the facts that are recorded with it in this order. */
export interface FactCommand {
  readonly operator_id: string;
  readonly external_user_id: string;
  readonly order_id: string;
  readonly facts: readonly Fact[];
}

const FACTS_EACH = 1000;

/** A batch as a money statement takes it: numbered rows, and apart from them their facts, those of row n from n * 1000 up. */
export function packBatch(commands: readonly FactCommand[]): { rows: string; facts: string } {
  const rows = commands.map(({ facts: _, ...columns }, index) => ({ number: index + 1, ...columns }));
  const facts = commands.flatMap((command, index) =>
    command.facts.map((fact, place) => ({
      ord: (index + 1) * FACTS_EACH + place,
      operator_id: command.operator_id,
      external_user_id: command.external_user_id,
      order_id: command.order_id,
      ...fact,
    })),
  );
  return { rows: JSON.stringify(rows), facts: JSON.stringify(facts) };
}

/** The facts of an operator that come from no order, in the order in which they get their positions. */
export function numberFacts(facts: readonly Fact[]): (Fact & { ord: number })[] {
  return facts.map((fact, index) => ({ ord: index + 1, ...fact }));
}
