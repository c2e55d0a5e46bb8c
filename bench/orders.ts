/** Rows `orders-spread`, `orders-hot`, `orders-p99` and `quotes`: real requests with real keys to an API process. */
import { seedMarket } from '../test/support/market.ts';
import { inserts, tpcb } from './baselines.ts';
import type { LoadAnswer, LoadOrder, Shot } from './load-process.ts';
import { type BenchOperator, median, type World } from './world.ts';

const IN_FLIGHT = 64;
const ORDERS = 6_000;
const CUSTOMERS = 5_000;

export interface Measure {
  readonly measured: number;
  readonly baseline: number;
  readonly unit: string;
  readonly note?: string;
}

const load = async (world: World, order: LoadOrder): Promise<LoadAnswer> => {
  const answer = (await world.fork('./load-process.ts', order)) as LoadAnswer;
  const failed = Object.entries(answer.statuses).filter(([status]) => Number(status) >= 300);
  if (failed.length > 0) {
    throw new Error(`the load met refusals: ${JSON.stringify(answer.statuses)} ${answer.sampleFailure}`);
  }
  return answer;
};

function quoteShots(operators: readonly BenchOperator[], contractId: string, count: number): Shot[] {
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
async function orderShots(
  world: World,
  url: string,
  operators: readonly BenchOperator[],
  contractId: string,
  round: string,
  count = ORDERS,
): Promise<Shot[]> {
  const quoted = await load(world, {
    url,
    inFlight: IN_FLIGHT,
    shots: quoteShots(operators, contractId, count),
    bodies: true,
  });
  await world.sql`update quotes set expires_at = now() + interval '1 hour' where spent_by is null`;
  return quoted.bodies.map((body, index) => ({
    path: '/api/v1/orders',
    method: 'POST',
    headers: headersOf(operators, index),
    body: JSON.stringify({
      quoteId: (JSON.parse(body) as { quoteId: string }).quoteId,
      clientOrderId: `${round}-${index}`,
    }),
  }));
}

async function ordersRow(world: World, operators: readonly BenchOperator[], rounds: number): Promise<Measure> {
  const market = await seedMarket(world.sql, `bench-${operators[0]?.slug}`, {
    bids: [['0.55', '100000000']],
    asks: [['0.57', '100000000']],
  });
  const api = await world.startApi();
  const measured: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const shots = await orderShots(world, api.url, operators, market.contractId, `r${round}`);
    const answer = await load(world, { url: api.url, inFlight: IN_FLIGHT, shots });
    const base = await tpcb(world.database.ownerUrl);
    if (round > 0) {
      measured.push(answer.perSecond);
      baseline.push(base);
    }
  }
  await api.close();
  return { measured: median(measured), baseline: median(baseline), unit: 'per s' };
}

export async function ordersSpread(world: World, rounds: number): Promise<Measure> {
  return ordersRow(world, await world.createOperators('spread', 50, 4), rounds);
}

export async function ordersHot(world: World, rounds: number): Promise<Measure> {
  return ordersRow(world, await world.createOperators('hot', 1, 60), rounds);
}

/** p99 at half the peak, which is taken from a first unpaced round. */
export async function ordersP99(world: World, rounds: number): Promise<Measure> {
  const operators = await world.createOperators('paced', 50, 4);
  const market = await seedMarket(world.sql, 'bench-paced', {
    bids: [['0.55', '100000000']],
    asks: [['0.57', '100000000']],
  });
  const api = await world.startApi();
  await load(world, {
    url: api.url,
    inFlight: IN_FLIGHT,
    shots: await orderShots(world, api.url, operators, market.contractId, 'warm'),
  });
  const peak = await load(world, {
    url: api.url,
    inFlight: IN_FLIGHT,
    shots: await orderShots(world, api.url, operators, market.contractId, 'peak'),
  });
  const half = peak.perSecond / 2;
  const measured: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const shots = await orderShots(world, api.url, operators, market.contractId, `p${round}`);
    measured.push((await load(world, { url: api.url, inFlight: IN_FLIGHT, shots, perSecond: half })).p99Ms);
    baseline.push((await inserts(world.database.ownerUrl, ORDERS, half)).p99Ms);
  }
  await api.close();
  return {
    measured: median(measured),
    baseline: median(baseline),
    unit: 'ms',
    note: `at ${Math.round(half)} a second`,
  };
}

export async function quotes(world: World, rounds: number): Promise<Measure> {
  const operators = await world.createOperators('quoting', 50, 4);
  const market = await seedMarket(world.sql, 'bench-quoting', {
    bids: [['0.55', '100000000']],
    asks: [['0.57', '100000000']],
  });
  const api = await world.startApi();
  const measured: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const answer = await load(world, {
      url: api.url,
      inFlight: IN_FLIGHT,
      shots: quoteShots(operators, market.contractId, ORDERS),
    });
    const base = await inserts(world.database.ownerUrl);
    if (round > 0) {
      measured.push(answer.perSecond);
      baseline.push(base.rate);
    }
  }
  await api.close();
  return { measured: median(measured), baseline: median(baseline), unit: 'per s' };
}
