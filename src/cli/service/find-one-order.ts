/** Finds one order by any of its references; several matches are listed and refused. */
import type { Sql } from '../../db/client.ts';
import { findOrders, type ReferencedOrder } from '../../trading/orders/find-orders.ts';
import { Failure, notFound } from '../failure.ts';

/** @throws not found (exit 3); several matches (exit 2), with the ids in `matches`. */
export async function findOneOrder(
  sql: Sql,
  reference: string,
  within: { readonly operator?: string | undefined; readonly externalUserId?: string | undefined } = {},
): Promise<ReferencedOrder> {
  return expectOneOrder(await findOrders(sql, reference, within), reference);
}

/**
 * @param found what was found for the reference
 * @throws not found (exit 3); several matches (exit 2), with the ids in `matches`.
 */
export function expectOneOrder(found: readonly ReferencedOrder[], reference: string): ReferencedOrder {
  const [first, ...others] = found;
  if (first === undefined) {
    throw notFound(`No order has the reference ${reference}.`, 'unknown_order');
  }
  if (others.length > 0) {
    const matches = found.map((order) => ({
      orderId: order.orderId,
      operator: order.slug,
      externalUserId: order.externalUserId,
      status: order.status,
      createdAt: order.createdAt.toISOString(),
    }));
    const lines = matches.map(
      (match) => `${match.orderId}  ${match.operator}  ${match.externalUserId}  ${match.status}`,
    );
    throw new Failure('ambiguous_reference', `Several orders have the reference ${reference}:\n${lines.join('\n')}`, {
      exitCode: 2,
      next: 'Name one by its order id, or add --operator and --user.',
      extra: { matches },
    });
  }
  return first;
}
