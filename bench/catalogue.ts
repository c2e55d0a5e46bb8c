/** The whole paper catalogue in a world: a worker follows the paper venue until nothing new comes. */
import type { Helper, World } from './world.ts';

const LOOK_MS = 500;
const TIMEOUT_MS = 60_000;
const LEAST_CONTRACTS = 600;

/** @returns the worker, which still runs. */
export async function loadCatalogue(world: World): Promise<Helper> {
  const worker = await world.startWorker();
  const end = Date.now() + TIMEOUT_MS;
  let before = -1;
  for (;;) {
    const [row] = await world.sql<{ count: number }[]>`
      select count(*)::int as count from contracts c join listings l on l.contract_id = c.contract_id where cardinality(l.bid_prices) > 0`;
    const count = row?.count ?? 0;
    if (count >= LEAST_CONTRACTS && count === before) {
      return worker;
    }
    if (Date.now() > end) {
      throw new Error(`only ${count} contracts with a book came within ${TIMEOUT_MS / 1000} s`);
    }
    before = count;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
