/** Orders of unknown outcome as people read them: with the name of their market. */
import type { Sql } from '../../db/client.ts';
import { readContractNames } from '../../markets/catalogue/contract-names.ts';
import { listStuck, type StuckOrder } from '../../trading/orders/find-orders.ts';
import { nameMarket } from './market-names.ts';

export interface NamedStuckOrder extends StuckOrder {
  /** Null if its contract is no longer known. */
  readonly market: string | null;
}

/** @returns the oldest first */
export async function listNamedStuck(sql: Sql): Promise<NamedStuckOrder[]> {
  const orders = await listStuck(sql);
  if (orders.length === 0) {
    return [];
  }
  const names = await readContractNames(sql, [...new Set(orders.map(({ contractId }) => contractId))]);
  const markets = new Map(names.map(({ id, title, label }) => [id, nameMarket(title, label)]));
  return orders.map((order) => ({ ...order, market: markets.get(order.contractId) ?? null }));
}
