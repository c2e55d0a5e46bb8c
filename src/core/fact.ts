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

/**
 * A batch as a money statement takes it: numbered rows, each with the number of its facts, and apart from them the facts,
 * each with the number of its row. The statement refuses a batch whose facts are not as many as its rows count.
 */
export function packBatch(commands: readonly FactCommand[]): { rows: string; facts: string } {
  const rows = commands.map(({ facts, ...columns }, index) => ({
    number: index + 1,
    fact_count: facts.length,
    ...columns,
  }));
  const facts = commands.flatMap((command, index) =>
    command.facts.map((fact) => ({
      command: index + 1,
      operator_id: command.operator_id,
      external_user_id: command.external_user_id,
      order_id: command.order_id,
      ...fact,
    })),
  );
  return { rows: JSON.stringify(rows), facts: JSON.stringify(facts.map((fact, ord) => ({ ord: ord + 1, ...fact }))) };
}
