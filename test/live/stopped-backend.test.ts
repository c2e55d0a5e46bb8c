/** A database connection of a worker that stops answering under trading: its calls end, others do the work, nothing is done twice. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFrozenProcesses } from '../support/frozen-processes.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

const BUY = { intent: 'record_intent', reserveReference: 'r' };
/** The deadline of a worker's statements, the pause before an order is tried again, a look-up, and a loaded machine. */
const GOES_ON_WITHIN_MS = 30_000;
/** The deadline of a worker's statements, and the pause before it is believed. */
const PAST_DEADLINE_MS = 12_000;
const ORDERS = 24;

let live: Live;
const { pids: stopped, freeze, thaw } = createFrozenProcesses();

beforeAll(async () => {
  live = await openLive();
});
afterEach(thaw);
afterAll(() => live.close());

const workerBackends = () =>
  live.sql<{ pid: number; query: string; state: string; waits: string | null }[]>`
    select pid, query, state, wait_event_type as waits from pg_stat_activity
    where datname = current_database() and application_name = 'inlay-worker'`;

const backends = async (state: string) => (await workerBackends()).filter((backend) => backend.state === state);

async function allFilled(orderIds: readonly string[]): Promise<void> {
  await until(
    () => live.sql`
      select order_id, status, transmission_state from orders where order_id = any (${[...orderIds]}::text[]) and status <> 'filled'`,
    (rows) => rows.length === 0,
    GOES_ON_WITHIN_MS,
  );
}

async function sentOnce(orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds) {
    expect(await live.sentOf(orderId)).toHaveLength(1);
    const fills = await live.sql`select from order_fills where order_id = ${orderId}`;
    expect(fills).toHaveLength(1);
  }
}

/** Resolves when none of them runs a statement any more. */
async function quiet(pids: readonly number[]): Promise<void> {
  await until(
    () => live.sql`
      select from pg_stat_activity where pid = any (${[...pids]}::integer[]) and state is distinct from 'idle'`,
    (rows) => rows.length === 0,
    20_000,
  );
}

const trade = (tenant: Tenant, name: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => tenant.place(`${name}-${n}`, BUY)));

test('every connection that a worker holds stops answering; orders go out once by connections that it opens', {
  timeout: 90_000,
  tags: 'proof',
}, async () => {
  const tenant = await live.tenant();
  const before = (await trade(tenant, 'before', ORDERS)).map(({ body }) => body.orderId as string);
  await allFilled(before);
  const pids = await stopAtRest();
  const placed = await trade(tenant, 'during', ORDERS);
  // what the venue did not answer in five seconds is waiting or unknown, and nothing else
  expect(placed.every(({ status }) => status === 201 || status === 409)).toBe(true);
  const orderIds = placed.map(({ body }) => body.orderId as string);
  await allFilled(orderIds);

  // what the stopped backends had received is executed when they go on, and finds that all is done
  thaw();
  await quiet(pids);
  // the worker had left those that it called while they were stopped
  const kept = await live.sql`select from pg_stat_activity where pid = any (${pids}::integer[])`;
  expect(kept.length).toBeLessThan(pids.length);
  await sentOnce(orderIds);
  expect(await tenant.audit()).toEqual([]);
});

test('a backend that stops in the middle of a move delays only its operator, and duplicates nothing when it continues', {
  timeout: 90_000,
  tags: 'proof',
}, async () => {
  const [held, free] = [await live.tenant(), await live.tenant()];
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  live.venue.script = async (order, venue) => {
    arrived.resolve();
    await answered.promise;
    return venue.fillWhole(order);
  };
  const { orderId } = (await held.place('ana', { intent: 'record_intent' })).body;
  expect((await held.confirm(orderId)).status).toBe(200);
  await arrived.promise;
  live.venue.script = (order, venue) => venue.fillWhole(order);
  const pid = await stopInMove(answered.resolve);
  const stoppedAt = Date.now();

  // the stopped backend holds the ledger of this operator, in which its money statements end
  const refused = await held.place('bob', BUY);
  expect([refused.status, refused.body.error]).toEqual([503, 'service_unavailable']);
  const placed = (await trade(free, 'free', ORDERS)).map(({ body }) => body.orderId as string);
  await allFilled(placed);
  await timePasses(Math.max(0, stoppedAt + PAST_DEADLINE_MS - Date.now()));
  expect((await held.read(orderId)).status).toBe('submitted');

  thaw();
  // the worker had left this connection
  await until(
    () => live.sql`select from pg_stat_activity where pid = ${pid}`,
    (rows) => rows.length === 0,
  );
  await allFilled([orderId]);
  await sentOnce([orderId, ...placed]);
  expect([...(await held.audit()), ...(await free.audit())]).toEqual([]);
});

/** Stops all backends of the worker, none of them in the middle of a statement: what it calls next is one of them. */
async function stopAtRest(): Promise<number[]> {
  await until(
    async () => {
      thaw();
      for (const { pid } of await backends('idle')) {
        freeze(pid);
      }
      // one that was called between the look and the stop holds locks, perhaps, and one that is new was not stopped
      const running = await workerBackends();
      return running.every(({ pid, state }) => stopped.has(pid) && state === 'idle');
    },
    (allStopped) => allStopped,
  );
  return [...stopped];
}

/** Stops the backend that records an answer of the venue, while it holds the ledger of the operator and waits to write the journal. */
async function stopInMove(answer: () => void): Promise<number> {
  const blocker = new pg.Client({ connectionString: live.database.ownerUrl });
  await blocker.connect();
  try {
    await blocker.query('begin');
    await blocker.query('lock table journal in share mode');
    answer();
    const moving = await until(
      async () =>
        (await backends('active')).filter(({ query, waits }) => query.includes('move_orders') && waits === 'Lock'),
      (rows) => rows.length > 0,
      20_000,
    );
    const pid = moving[0]?.pid ?? 0;
    freeze(pid);
    await blocker.query('commit');
    return pid;
  } finally {
    await blocker.end();
  }
}
