/** The whole paper catalogue in a world: a worker follows the paper venue until nothing new comes. */
import type { Helper, World } from './world.ts';

const LOOK_MS = 1_000;
const TIMEOUT_MS = 180_000;
const LEAST_CONTRACTS = 600;

/** @returns the worker, which still runs. */
export async function loadCatalogue(world: World): Promise<Helper> {
  const worker = await world.startWorker();
  const end = Date.now() + TIMEOUT_MS;
  let before = 0;
  for (;;) {
    const [row] = await world.sql<{ contracts: number }[]>`
      select count(*)::int as contracts from contracts c join listings l on l.contract_id = c.contract_id
      where cardinality(l.bid_prices) > 0`;
    const contracts = row?.contracts ?? 0;
    if (contracts >= LEAST_CONTRACTS && contracts === before) {
      return worker;
    }
    if (Date.now() > end) {
      throw new Error(`only ${contracts} contracts with a book came within ${TIMEOUT_MS / 1000} s`);
    }
    before = contracts;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
