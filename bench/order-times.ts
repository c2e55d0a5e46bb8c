/**
 * Rows `orders-p50` and `orders-p99`: how long an order takes at half the peak rate, against one INSERT with commit at that rate.
 * Row `order-alone`: quote and order of one client while nothing else happens, against two INSERTs.
 */
import { seedMarket } from '../test/support/market.ts';
import { inserts } from './baselines.ts';
import { interleave, type Measure, median, mediansOf, type Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots, quoteShots } from './orders.ts';
import { openLane, requestBytes } from './wire-lane.ts';
import type { World } from './world.ts';

interface Times {
  readonly p50Ms: number;
  readonly p99Ms: number;
}
interface PacedRun {
  readonly orders: readonly Times[];
  readonly inserts: readonly Times[];
  readonly perSecond: number;
}

/** Both rows read one run. */
const paced = new WeakMap<World, Promise<PacedRun>>();

export const ordersP50 = (world: World, run: Run): Promise<Measure> => timesOf(world, run, ({ p50Ms }) => p50Ms);
export const ordersP99 = (world: World, run: Run): Promise<Measure> => timesOf(world, run, ({ p99Ms }) => p99Ms);

async function timesOf(world: World, run: Run, pick: (times: Times) => number): Promise<Measure> {
  const measured = paced.get(world) ?? runPaced(world, run);
  paced.set(world, measured);
  const { orders, inserts: baseline, perSecond } = await measured;
  const note = `at ${Math.round(perSecond)} a second`;
  return { ...mediansOf(orders.map(pick), baseline.map(pick)), unit: 'ms', note };
}

/** The peak is taken from a first round without a pace. */
async function runPaced(world: World, { rounds, size, auditor }: Run): Promise<PacedRun> {
  const operators = await world.createOperators('paced', 50, 4);
  const market = await seedMarket(world.sql, 'bench-paced', DEEP);
  const api = await world.startApi();
  const count = size(ORDERS, IN_FLIGHT);
  const send = async (name: string, perSecond?: number) => {
    await confirmBook(world, market);
    const shots = await orderShots(world, api.url, operators, market.contractId, name, count);
    return load(world, { url: api.url, inFlight: IN_FLIGHT, shots, ...(perSecond !== undefined && { perSecond }) });
  };
  await send('warm');
  const perSecond = (await send('peak')).perSecond / 2;
  const [orders, baseline]: Times[][] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    await auditor.rest();
    const ours = await auditor.during(() => send(`p${round}`, perSecond));
    await auditor.rest();
    const theirs = await inserts(world.database.ownerUrl, count, perSecond);
    if (round > 0) {
      orders?.push(ours);
      baseline?.push(theirs);
    }
  }
  await api.close();
  return { orders: orders ?? [], inserts: baseline ?? [], perSecond };
}

export async function orderAlone(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const operators = await world.createOperators('alone', 1, 20);
  const market = await seedMarket(world.sql, 'bench-alone', DEEP);
  const api = await world.startApi();
  const count = size(PURCHASES, 20);
  const lane = await openLane(api.url, true);
  let number = 0;

  async function purchase(): Promise<number> {
    const [quote] = quoteShots(operators, market.contractId, 1);
    const lines = Object.entries(quote?.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
    const post = (path: string, body: string) => requestBytes(api.url, 'POST', path, lines.join(''), body);
    const start = performance.now();
    const quoted = await lane.send(post('/api/v1/quotes', quote?.body ?? ''));
    const { quoteId } = JSON.parse(quoted.body) as { quoteId: string };
    number += 1;
    const ordered = await lane.send(
      post('/api/v1/orders', JSON.stringify({ quoteId, clientOrderId: `alone-${number}` })),
    );
    if (ordered.status >= 300) {
      throw new Error(`an order was refused: ${ordered.body}`);
    }
    return performance.now() - start;
  }

  const times = await interleave(
    run,
    async () => {
      await confirmBook(world, market);
      const taken: number[] = [];
      for (let index = 0; index < count; index += 1) {
        taken.push(await purchase());
      }
      return median(taken);
    },
    async () => 2 * (await inserts(world.database.ownerUrl, count, undefined, 1)).p50Ms,
  );
  lane.close();
  await api.close();
  return { ...times, unit: 'ms', note: 'median of quote and order; baseline is twice the median of an INSERT' };
}

const PURCHASES = 300;
