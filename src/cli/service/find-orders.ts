/**
 * Orders over all operators, for the service operator: one order by any of its references, and lists with the names of markets. A
 * reference that fits several orders is refused with the list of them.
 */
import { minuteOf, nameMarket } from '../../core/plain-words.ts';
import type { Sql } from '../../db/client.ts';
import { readContractNames } from '../../markets/catalogue/names.ts';
import {
  findNearOrders,
  findOrders,
  listNewest,
  listStuck,
  type OrdersWithin,
  type ReferencedOrder,
  type StuckOrder,
} from '../../trading/orders/read-orders.ts';
import { Failure } from '../failure.ts';

/** @throws Failure not found (exit 3) with near misses in `nearest`, or ambiguous (exit 2) with the orders in `matches`. */
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

export interface Named {
  /** Name of the market; null if the catalogue does not have the contract. */
  readonly market: string | null;
}

export type NamedOrder = ReferencedOrder & Named;
export type NamedStuckOrder = StuckOrder & Named;

/** @returns the orders of unknown outcome, the oldest first */
export async function listNamedStuck(sql: Sql): Promise<NamedStuckOrder[]> {
  return withMarkets(sql, await listStuck(sql));
}

/** @returns at most `most` orders, the newest first */
export async function listNamedNewest(sql: Sql, most: number): Promise<NamedOrder[]> {
  return withMarkets(sql, await listNewest(sql, most));
}

async function withMarkets<O extends ReferencedOrder>(sql: Sql, orders: readonly O[]): Promise<(O & Named)[]> {
  if (orders.length === 0) {
    return [];
  }
  const markets = await marketsOf(sql, orders);
  return orders.map((order) => ({ ...order, market: markets.get(order.contractId) ?? null }));
}

/** @returns the names of the rows' markets by contract id, for those that the catalogue has */
export async function marketsOf(
  sql: Sql,
  rows: readonly { readonly contractId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = await readContractNames(sql, [...new Set(rows.map(({ contractId }) => contractId))]);
  return new Map(names.map(({ id, title, label }) => [id, nameMarket(title, label)]));
}
