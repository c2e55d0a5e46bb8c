/** The fills of orders in the journal: the row of each, and the fees that later responses brought. */
import { asOperator, operatorOf, readByOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { Fill } from '../money/live.ts';
import type { JournalRow, LateFees } from './journal-row.ts';

export interface RecordedFill extends Fill {
  readonly fillId: string;
  /** The venue's id of it; null if the service filled the order itself. */
  readonly venueFillId: string | null;
  readonly filledAt: Date;
}

/** The columns of a row that `fillsOf` reads. */
export type FillSource = Pick<
  JournalRow,
  | 'kind'
  | 'orderId'
  | 'digits'
  | 'quantityMicros'
  | 'priceMicros'
  | 'fillFeeMicros'
  | 'venueFillId'
  | 'decidedAt'
  | 'detail'
>;

/**
 * @param rows of one order, in their order; rows of other kinds are passed over
 * @returns its fills, in the order of their numbers
 */
export function fillsOf(rows: Iterable<FillSource>): RecordedFill[] {
  const fills: RecordedFill[] = [];
  for (const row of rows) {
    if (row.kind === 'order_filled' || (row.kind === 'order_executed' && row.quantityMicros)) {
      fills.push({
        fillId: `fil_${row.digits ?? row.orderId?.slice('ord_'.length) ?? ''}`,
        quantityMicros: row.quantityMicros ?? 0n,
        priceMicros: row.priceMicros ?? 0n,
        feeMicros: row.kind === 'order_executed' ? 0n : (row.fillFeeMicros ?? null),
        venueFillId: row.venueFillId ?? null,
        filledAt: row.decidedAt,
      });
    } else if (row.kind === 'order_answered') {
      for (const [number, fee] of Object.entries((row.detail as LateFees | null)?.fees ?? {})) {
        const fill = fills[Number(number) - 1];
        if (fill !== undefined) {
          fills[Number(number) - 1] = { ...fill, feeMicros: BigInt(fee) };
        }
      }
    }
  }
  return fills;
}

/** The fills of an order of this operator, in the order of their numbers. */
export async function readFillsOfOrder(sql: Sql, operatorId: string, orderId: string): Promise<RecordedFill[]> {
  const rows = await asOperator<FillSource[]>(
    sql,
    operatorId,
    sql`
    select ${fillColumns(sql)} from journal row where ${isTold(sql)} and operator_id = ${operatorId} and order_id = ${orderId}
    order by sequence`,
  );
  return fillsOf(rows);
}

const fillColumns = (
  sql: Sql,
) => sql`kind, order_id, replace(digits::text, '-', '') as digits, quantity_micros, price_micros, fill_fee_micros,
  venue_fill_id, decided_at, detail`;

/** The kinds of rows that record fills. */
const isTold = (sql: Sql) => sql`row.kind in ('order_executed', 'order_filled', 'order_answered')`;

/** More rows than the fills of an order can have, because each fill is at least one step of the venue's quantity. */
const MOST_ROWS = 200_000;

/**
 * The fills of many orders, read in one statement.
 * @returns by order id, in the order of their numbers; an order without fills has no entry
 */
export async function readFills(
  sql: Sql,
  orders: readonly { readonly operatorId: string; readonly orderId: string }[],
): Promise<Map<string, RecordedFill[]>> {
  const rows = await readByOperator(
    sql,
    orders,
    (operatorId, some) => sql<(FillSource & { readonly orderId: string })[]>`
      select told.* from (select distinct * from unnest(${some.map((one) => one.operatorId)}::text[],
          ${some.map(({ orderId }) => orderId)}::text[])) as x(operator_id, order_id)
        cross join lateral (
          select ${fillColumns(sql)} from journal row
          where ${isTold(sql)} and row.operator_id = ${operatorOf(sql, operatorId)} and row.order_id = x.order_id
          order by row.sequence limit ${MOST_ROWS}) told`,
  );
  return new Map([...Map.groupBy(rows, ({ orderId }) => orderId)].map(([orderId, own]) => [orderId, fillsOf(own)]));
}
