/** Rows `orders-spread`, `orders-hot` and `quotes`: real requests with real keys to an API process. */
import { seedMarket, setBook, type TestMarket } from '../test/support/market.ts';
import { inserts, tpcb } from './baselines.ts';
import type { LoadAnswer, LoadOrder, Shot } from './load-process.ts';
import { type Costs, interleave, type Measure, median, type Run } from './measure.ts';
import { cpuSeconds } from './process-facts.ts';
import type { BenchOperator, World } from './world.ts';

export const IN_FLIGHT = 64;
export const ORDERS = 6_000;
const TRANSACTIONS = 6_000;
const INSERTS = 12_000;
const CUSTOMERS = 5_000;
/** A book that no row of the bench uses up. */
export const DEEP = { bids: [['0.55', '100000000']], asks: [['0.57', '100000000']] } as const;

/**
 * @param accepted a status from 300 up that does not count as a refusal
 * @throws if any request was refused
 */
export async function load(world: World, order: LoadOrder, accepted?: number): Promise<LoadAnswer> {
  const answer = (await world.fork('./load-process.ts', order)) as LoadAnswer;
  const failed = Object.entries(answer.statuses).filter(
    ([status]) => Number(status) >= 300 && Number(status) !== accepted,
  );
  if (failed.length > 0) {
    throw new Error(`the load met refusals: ${JSON.stringify(answer.statuses)} ${answer.sampleFailure}`);
  }
  return answer;
}

export function quoteShots(operators: readonly BenchOperator[], contractId: string, count: number): Shot[] {
  const body = JSON.stringify({ marketId: contractId, side: 'YES', action: 'buy', stake: 2 });
  return Array.from({ length: count }, (_, index) => ({
    path: '/api/v1/quotes',
    method: 'POST',
    headers: headersOf(operators, index),
    body,
  }));
}

function headersOf(operators: readonly BenchOperator[], index: number): Record<string, string> {
  const operator = operators[index % operators.length] as BenchOperator;
  const key = operator.keys[Math.floor(index / operators.length) % operator.keys.length] ?? '';
  return {
    authorization: `Bearer ${key}`,
    'x-service-user': `u${index % CUSTOMERS}`,
    'content-type': 'application/json',
  };
}

/** Quotes that are there before the clock starts, held for an hour. */
export async function orderShots(
  world: World,
  url: string,
  operators: readonly BenchOperator[],
  contractId: string,
  round: string,
  count: number,
  extra: object = {},
): Promise<Shot[]> {
  const quoted = await load(world, {
    url,
    inFlight: IN_FLIGHT,
    shots: quoteShots(operators, contractId, count),
    bodies: true,
  });
  await world.lengthenQuotes();
  await world.analyze();
  return quoted.bodies.map((body, index) => ({
    path: '/api/v1/orders',
    method: 'POST',
    headers: headersOf(operators, index),
    body: JSON.stringify({
      quoteId: (JSON.parse(body) as { quoteId: string }).quoteId,
      clientOrderId: `${round}-${index}`,
      ...extra,
    }),
  }));
}

/** The steady work of a venue that is followed: without it the price of a long row grows too old to trade on. */
export async function confirmBook(world: World, market: TestMarket): Promise<void> {
  await setBook(world.sql, market, DEEP);
}

async function ordersRow(world: World, operators: readonly BenchOperator[], run: Run): Promise<Measure> {
  const { size } = run;
  const market = await seedMarket(world.sql, `bench-${operators[0]?.slug}`, DEEP);
  const api = await world.startApi();
  const count = size(ORDERS, IN_FLIGHT);
  const spent = cpuOf(world, api.pid, count);
  const rates = await interleave(
    run,
    async (round) => {
      await confirmBook(world, market);
      const shots = await orderShots(world, api.url, operators, market.contractId, `r${round}`, count);
      return spent.during(async () => (await load(world, { url: api.url, inFlight: IN_FLIGHT, shots })).perSecond);
    },
    () => tpcb(world.database.ownerUrl, size(TRANSACTIONS)),
  );
  await api.close();
  return { ...rates, unit: 'per s', note: spent.note('an order'), costs: spent.costs() };
}

export async function ordersSpread(world: World, run: Run): Promise<Measure> {
  return ordersRow(world, await world.createOperators('spread', 50, 4), run);
}

export async function ordersHot(world: World, run: Run): Promise<Measure> {
  return ordersRow(world, await world.createOperators('hot', 1, 60), run);
}

export async function quotes(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const operators = await world.createOperators('quoting', 50, 4);
  const market = await seedMarket(world.sql, 'bench-quoting', DEEP);
  const api = await world.startApi();
  const shots = quoteShots(operators, market.contractId, size(ORDERS, IN_FLIGHT));
  const spent = cpuOf(world, api.pid, shots.length);
  const rates = await interleave(
    run,
    async () => {
      await confirmBook(world, market);
      return spent.during(async () => (await load(world, { url: api.url, inFlight: IN_FLIGHT, shots })).perSecond);
    },
    async () => (await inserts(world.database.ownerUrl, size(INSERTS))).rate,
  );
  await api.close();
  return { ...rates, unit: 'per s', note: spent.note('a quote'), costs: spent.costs() };
}

/** Processor time of API and database, µs for each of `count`, the median of the rounds after the first. */
export function cpuOf(world: World, apiPid: number, count: number) {
  const inApi: number[] = [];
  const inDatabase: number[] = [];
  return {
    async during<T>(work: () => Promise<T>): Promise<T> {
      const before = [cpuSeconds(apiPid), world.databaseCpu()] as const;
      const result = await work();
      inApi.push(((cpuSeconds(apiPid) - before[0]) * 1_000_000) / count);
      inDatabase.push(((world.databaseCpu() - before[1]) * 1_000_000) / count);
      return result;
    },
    note: (what: string) =>
      `µs of CPU ${what}: API ${median(inApi.slice(1)).toFixed(0)}, database ${median(inDatabase.slice(1)).toFixed(0)}`,
    costs: (): Costs => ({ apiMicros: median(inApi.slice(1)), databaseMicros: median(inDatabase.slice(1)) }),
  };
}
