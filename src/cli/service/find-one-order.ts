/** Finds one order by any of its references; several matches are listed and refused, and for none the nearest are named. */
import type { Sql } from '../../db/client.ts';
import {
  findNearOrders,
  findOrders,
  type OrdersWithin,
  type ReferencedOrder,
} from '../../trading/orders/read-orders.ts';
import { Failure } from '../failure.ts';
import { minuteOf } from '../print/facts.ts';

/** @throws not found (exit 3), with the nearest in `nearest`; several matches (exit 2), with the ids in `matches`. */
export async function findOneOrder(sql: Sql, reference: string, within: OrdersWithin = {}): Promise<ReferencedOrder> {
  const found = await findOrders(sql, reference, within);
  const [first, ...others] = found;
  if (first === undefined) {
    const nearest = (await findNearOrders(sql, reference, within)).map(describe);
    throw new Failure('unknown_order', `No order has the reference ${reference}.`, {
      next:
        nearest.length === 0
          ? 'Ask for the customer, and look among the orders of "inlay customers show CUSTOMER".'
          : `Perhaps one of these is meant:\n${nearest.map(lineOf).join('\n')}`,
      extra: { nearest },
    });
  }
  if (others.length > 0) {
    const matches = found.map(describe);
    throw new Failure(
      'ambiguous_reference',
      `Several orders have the reference ${reference}:\n${matches.map(lineOf).join('\n')}`,
      {
        exitCode: 2,
        next: 'Name one by its reference or order id, or add --operator, --user or --since.',
        extra: { matches },
      },
    );
  }
  return first;
}

function describe({ orderId, executionRef, slug, externalUserId, status, createdAt }: ReferencedOrder) {
  return { orderId, executionRef, operator: slug, externalUserId, status, createdAt: createdAt.toISOString() };
}

function lineOf({ executionRef, createdAt, operator, externalUserId, status }: ReturnType<typeof describe>): string {
  return `${executionRef}  ${minuteOf(createdAt)}  ${operator}  ${externalUserId}  ${status}`;
}
