/** Which cells hold what a command names. Rows that an operator left behind when it moved do not count. */
import type { Sql } from '../../db/client.ts';
import { findOrders } from '../../trading/orders/find-orders.ts';
import { askCells, type SilentCell } from './ask-cells.ts';
import type { Cell } from './cells-file.ts';

const DEADLINE_MS = 10_000;

export type NamedKind = 'operator' | 'key' | 'endpoint' | 'delivery' | 'order' | 'approval' | 'break';

export interface Named {
  readonly kind: NamedKind;
  /** A slug, an id, or any reference of an order. */
  readonly reference: string;
}

export interface Holders {
  readonly holders: readonly string[];
  /** Cells that did not answer, and may hold it too. */
  readonly silent: readonly SilentCell[];
}

export async function findHolders(cells: readonly Cell[], { kind, reference }: Named): Promise<Holders> {
  const { answers, silent } = await askCells(cells, (sql) => HOLDS[kind](sql, reference), DEADLINE_MS);
  return { holders: answers.flatMap(({ cell, answer }) => (answer ? [cell.name] : [])), silent };
}

type Holds = (sql: Sql, reference: string) => Promise<boolean>;

const ofOperator =
  (table: string, column: string): Holds =>
  async (sql, reference) => {
    const rows = await sql`select from ${sql(table)} where ${sql(column)} = ${reference}
      and operator_id <> all ((select operators_elsewhere())::text[]) limit 1`;
    return rows.length > 0;
  };

const HOLDS: Readonly<Record<NamedKind, Holds>> = {
  operator: async (sql, reference) => {
    const rows = await sql`select from operators where (slug = ${reference} or operator_id = ${reference})
      and operator_id <> all ((select operators_elsewhere())::text[]) limit 1`;
    return rows.length > 0;
  },
  key: ofOperator('api_keys', 'key_id'),
  endpoint: ofOperator('webhook_endpoints', 'endpoint_id'),
  delivery: ofOperator('webhook_deliveries', 'delivery_id'),
  order: async (sql, reference) => (await findOrders(sql, reference)).length > 0,
  // kept by the cell in which the change is to be made
  approval: async (sql, reference) =>
    (await sql`select from approvals where approval_id = ${reference} limit 1`).length > 0,
  break: async (sql, reference) =>
    (await sql`select from outside_breaks where break_id = ${reference} limit 1`).length > 0,
};
