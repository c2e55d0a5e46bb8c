/** Orders over all operators as people read them: with the name of their market. */
import type { Sql } from '../../db/client.ts';
import { readContractNames } from '../../markets/catalogue/contract-names.ts';
import { listNewest, listStuck, type ReferencedOrder, type StuckOrder } from '../../trading/orders/read-orders.ts';
import { nameMarket } from './market-names.ts';

interface Named {
  /** Null if its contract is no longer known. */
  readonly market: string | null;
}

export type NamedOrder = ReferencedOrder & Named;
export type NamedStuckOrder = StuckOrder & Named;

/** @returns those of unknown outcome, the oldest first */
export async function listNamedStuck(sql: Sql): Promise<NamedStuckOrder[]> {
  return withMarkets(sql, await listStuck(sql));
}

/** @returns at most so many, the newest first */
export async function listNamedNewest(sql: Sql, most: number): Promise<NamedOrder[]> {
  return withMarkets(sql, await listNewest(sql, most));
}

async function withMarkets<O extends ReferencedOrder>(sql: Sql, orders: readonly O[]): Promise<(O & Named)[]> {
  if (orders.length === 0) {
    return [];
  }
  const names = await readContractNames(sql, [...new Set(orders.map(({ contractId }) => contractId))]);
  const markets = new Map(names.map(({ id, title, label }) => [id, nameMarket(title, label)]));
  return orders.map((order) => ({ ...order, market: markets.get(order.contractId) ?? null }));
}
