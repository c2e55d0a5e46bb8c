/**
 * The whole paper catalogue in a world: a worker follows the paper venue until nothing new comes. On a development machine it also
 * writes months of past prices once (some 460,000 rows), which takes both cores for seconds and is not what any row measures.
 */
import type { Helper, World } from './world.ts';

const LOOK_MS = 1_000;
const TIMEOUT_MS = 180_000;
const LEAST_CONTRACTS = 600;
const LEAST_PAST_PRICES = 100_000;

/** @returns the worker, which still runs. */
export async function loadCatalogue(world: World): Promise<Helper> {
  const worker = await world.startWorker();
  const end = Date.now() + TIMEOUT_MS;
  let before = '';
  for (;;) {
    const [row] = await world.sql<{ contracts: number; pastPrices: number }[]>`
      select (select count(*)::int from contracts c join listings l on l.contract_id = c.contract_id
          where cardinality(l.bid_prices) > 0) as contracts,
        (select count(*)::int from price_history) as past_prices`;
    const { contracts = 0, pastPrices = 0 } = row ?? {};
    const now = `${contracts} contracts with a book, ${pastPrices} past prices`;
    if (contracts >= LEAST_CONTRACTS && pastPrices >= LEAST_PAST_PRICES && now === before) {
      return worker;
    }
    if (Date.now() > end) {
      throw new Error(`only ${now} came within ${TIMEOUT_MS / 1000} s`);
    }
    before = now;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
