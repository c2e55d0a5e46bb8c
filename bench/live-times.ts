/**
 * Rows `live-alone` and `live-steady`: how long a customer waits for a live order at an exchange that takes a tenth of a second, against what
 * the exchange itself took: one order in flight, and 20 a second. Row `live-chain`: how long an order at Polymarket takes until it is filled,
 * against the exchange's response and the time until the chain has confirmed the trade.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '../src/core/environment.ts';
import { moveCollateral } from '../src/ledger/collateral.ts';
import { addEndpoint, createEndpointAdmin } from '../src/webhooks/endpoints.ts';
import type { EmulatedExchange, ExchangeOrder, SeenOrder } from './exchange-process.ts';
import type { Shot } from './load-process.ts';
import { interleave, type Measure, median, percentile, type Run } from './measure.ts';
import { load, orderShots } from './orders.ts';
import { startSink } from './webhooks.ts';
import type { BenchOperator, World } from './world.ts';

const COLLATERAL_MINOR = 1_000_000_000n;
const LOOK_MS = 50;
const TIMEOUT_MS = 60_000;
/** The share of the exchange's own p99 that a customer waits at most. */
const P99_AT_MOST = 1.6;
const WARM_UP = 20;
/** The emulated chain is quicker than the real one, which takes 10 to 50 seconds. */
const CHAIN_MS = 2_000;
/** Well below what the exchange lets an account request, with what is asked until the chain has confirmed. */
const CHAIN_PER_SECOND = 5;

export const liveAlone = (world: World, run: Run): Promise<Measure> =>
  liveTimes(world, run, { inFlight: 1, count: run.size(60, 20) });
export const liveSteady = (world: World, run: Run): Promise<Measure> =>
  liveTimes(world, run, { inFlight: 64, count: run.size(200, 60), perSecond: 20 });

interface Pace {
  readonly inFlight: number;
  readonly count: number;
  readonly perSecond?: number;
}

async function liveTimes(world: World, run: Run, { count, ...pace }: Pace): Promise<Measure> {
  const { exchange, worker, api, operators, operatorId, contractId } = await trading(world, { venue: 'kalshi' });
  const shotsOf = async (round: string, orders: number) =>
    byOneKey(await orderShots(world, api.url, operators, contractId, round, orders, { reserveReference: round }));
  const p99s: { ours: number; theirs: number }[] = [];
  /** Milliseconds of our own of each order that counts: from its POST to the exchange, and from the exchange's last message to 201. */
  const shares: { before: number; after: number }[] = [];
  let theirs: readonly number[] = [];

  const times = await interleave(
    run,
    async (round) => {
      // planned anew after the statistics have changed, which is seldom where orders come
      const first = await shotsOf(`f${round}`, WARM_UP);
      const shots = await shotsOf(`t${round}`, count);
      await load(world, { url: api.url, shots: first, inFlight: 1 });
      await exchange.ask('seen');
      const { latencies, startedAt, codes } = await load(world, { url: api.url, shots, ...pace });
      if (codes.some((code) => code !== 201)) {
        throw new Error(`a live order was not answered with 201: ${codes}`);
      }
      const seen = (await exchange.ask('seen')) as SeenOrder[];
      if (seen.length !== count) {
        throw new Error(`the exchange received ${seen.length} of ${count} orders`);
      }
      theirs = seen.map(({ arrivedAt, answeredAt }) => answeredAt - arrivedAt);
      if (round > 0) {
        shares.push(...ownShares(startedAt, latencies, seen));
        p99s.push({ ours: percentile(latencies, 0.99), theirs: percentile(theirs, 0.99) });
      }
      return median(latencies);
    },
    async () => median(theirs),
  );
  const [sink, port] = await startSink();
  await receiveFills(world, operatorId, port);
  await load(world, { url: api.url, shots: await shotsOf('told', run.size(60, 20)), ...pace });
  const webhook = await timeOfWebhooks(world, operatorId);
  sink.disconnect();
  await api.close();
  await worker.close();
  await exchange.close();
  const [ours99, theirs99] = [median(p99s.map(({ ours }) => ours)), median(p99s.map((one) => one.theirs))];
  const [before, after] = [shares.map((share) => share.before), shares.map((share) => share.after)];
  return {
    ...times,
    unit: 'ms',
    note: `p50 of ${count} orders a round; p99 ${ours99.toFixed(0)} ms, at the exchange ${theirs99.toFixed(0)} ms; our own share ${timesOf(before)} before the exchange has the order and ${timesOf(after)} after its last message; the webhook of a fill leaves ${webhook.toFixed(0)} ms after its row`,
    bounds: [{ what: 'p99', value: ours99 / theirs99, unit: 'times that of the exchange', atMost: P99_AT_MOST }],
  };
}

const timesOf = (ms: readonly number[]): string =>
  `${percentile(ms, 0.5).toFixed(1)} ms (p99 ${percentile(ms, 0.99).toFixed(0)})`;

/** The orders with one key, as a partner's server sends them. */
const byOneKey = (shots: readonly Shot[]): Shot[] =>
  shots.map((shot) => ({
    ...shot,
    headers: { ...shot.headers, authorization: shots[0]?.headers.authorization ?? '' },
  }));

/** Compares the orders by rank, so that one that overtakes another is compared with the time of the other. */
function ownShares(startedAt: readonly number[], latencies: readonly number[], seen: readonly SeenOrder[]) {
  const arrived = seen.map(({ arrivedAt }) => arrivedAt).toSorted((one, other) => one - other);
  const told = seen.map(({ toldAt }) => toldAt).toSorted((one, other) => one - other);
  const ended = startedAt.map((start, index) => start + (latencies[index] ?? 0)).toSorted((one, other) => one - other);
  return startedAt.map((start, index) => ({
    before: (arrived[index] ?? 0) - start,
    after: (ended[index] ?? 0) - (told[index] ?? 0),
  }));
}

export async function liveChain(world: World, run: Run): Promise<Measure> {
  const { exchange, worker, api, operators, operatorId, contractId } = await trading(world, {
    venue: 'polymarket',
    finalMs: CHAIN_MS,
  });
  const count = run.size(40, 20);
  const answered: number[] = [];
  let theirs: readonly number[] = [];
  const times = await interleave(
    run,
    async (round) => {
      const shots = await orderShots(world, api.url, operators, contractId, `c${round}`, count, {
        reserveReference: `chain-${round}`,
      });
      await exchange.ask('seen');
      const { latencies } = await load(world, { url: api.url, shots, inFlight: 64, perSecond: CHAIN_PER_SECOND });
      theirs = ((await exchange.ask('seen')) as SeenOrder[]).map(({ arrivedAt, answeredAt }) => answeredAt - arrivedAt);
      answered.push(median(latencies));
      return timeOfFills(world, operatorId, `c${round}`, count);
    },
    async () => median(theirs) + CHAIN_MS,
  );
  await api.close();
  await worker.close();
  await exchange.close();
  return {
    ...times,
    unit: 'ms',
    note: `p50 of ${count} orders a round, from its row to filled; the first response comes after ${median(answered).toFixed(0)} ms, and the chain takes ${CHAIN_MS} ms`,
  };
}

/** An exchange, the processes that trade there, and an operator whose first order was filled. */
async function trading(world: World, order: Omit<ExchangeOrder, 'folder'>) {
  const exchange = await world.start('./exchange-process.ts', {
    ...order,
    folder: world.dataDir,
  } satisfies ExchangeOrder);
  const { settings, listingId } = exchange.first as EmulatedExchange;
  const worker = await world.startWorker({ ...settings, INLAY_WEBHOOK_ALLOW_LOOPBACK: 'true' });
  const api = await world.startApi(settings);
  const operators = await world.createOperators('live', 1, 60, 'live');
  const operatorId = operators[0]?.operatorId ?? '';
  await moveCollateral(world.sql, operatorId, 'deposit', COLLATERAL_MINOR);
  const contractId = await listed(world, order.venue, listingId);
  await takesOrders(world, api.url, operators, contractId);
  return { exchange, worker, api, operators, operatorId, contractId };
}

/** Waits until all orders of a round are filled. @returns milliseconds from their rows to that, the median */
async function timeOfFills({ sql }: World, operatorId: string, round: string, count: number): Promise<number> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const [row] = await sql<[{ filled: number; waited: number }]>`
      select count(*)::int as filled,
             percentile_cont(0.5) within group (order by extract(epoch from updated_at - created_at) * 1000)::float8 as waited
      from orders where operator_id = ${operatorId} and client_order_id like ${`${round}-%`} and status = 'filled'`;
    if (row.filled === count) {
      return row.waited;
    }
  }
  throw new Error('not all orders were filled');
}

async function receiveFills({ sql, secrets }: World, operatorId: string, port: number): Promise<void> {
  const admin = await createEndpointAdmin({
    sql,
    secrets,
    environment: { ...readEnvironment({}), webhookAllowLoopback: true },
  });
  await addEndpoint(admin, operatorId, `http://127.0.0.1:${port}/fills`, ['order.filled']);
}

/** @returns milliseconds from the row of the journal to the start of the first attempt, the median */
async function timeOfWebhooks({ sql }: World, operatorId: string): Promise<number> {
  const [row] = await sql<[{ waited: number }]>`
    select percentile_cont(0.5) within group (order by extract(epoch from attempt.started_at - delivery.recorded_at) * 1000)::float8 as waited
    from webhook_deliveries delivery join webhook_attempts attempt using (operator_id, delivery_id)
    where operator_id = ${operatorId} and attempt.attempt = 1`;
  return row.waited;
}

async function listed(world: World, venue: string, listingId: string): Promise<string> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const [row] = await world.sql<{ contractId: string }[]>`
      select contract_id from listings where venue = ${venue} and listing_id = ${listingId}`;
    if (row !== undefined) {
      return row.contractId;
    }
  }
  throw new Error('the exchange was not listed');
}

/** Until a first order is filled: the exchange is connected, and our account there was compared. */
async function takesOrders(
  world: World,
  url: string,
  operators: readonly BenchOperator[],
  contractId: string,
): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const shots = await orderShots(world, url, operators, contractId, `warm${Date.now()}`, 1, {
      reserveReference: 'warm',
    }).catch(() => null);
    if (shots !== null && (await load(world, { url, inFlight: 1, shots }, 409)).codes[0] === 201) {
      return;
    }
  }
  throw new Error('the exchange takes no orders');
}
