/**
 * A worker killed with SIGKILL at each step of the path, every query and every call of the venue counted: whatever the step,
 * the venue receives the order once at most, nothing is released while it may be there, and the next worker finds the end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemTicks } from '../../src/core/time.ts';
import { listWaiting, type WaitingOrder } from '../../src/trading/execution/attempts.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import { transmitOrder } from '../../src/trading/execution/transmit-order.ts';
import { setBook } from '../support/market.ts';
import { serveVenue } from '../support/remote-venue.ts';
import { OPEN_GATE, onlyVenues } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

const CHILD = fileURLToPath(new URL('../support/crashing-worker.ts', import.meta.url));
const SIDE_BY_SIDE = 3;
const MOST_STEPS = 60;

let live: Live;
let served: { url: string; close(): Promise<void> };
let cache: string;
beforeAll(async () => {
  live = await openLive({ job: false });
  served = await serveVenue(live.venue);
  cache = await mkdtemp(join(tmpdir(), 'inlay-compiled-'));
});
afterAll(async () => {
  await served.close();
  await live.close();
  await rm(cache, { recursive: true, force: true });
});
beforeEach(async () => {
  // the price of the beginning may be too old by now
  await setBook(live.sql, live.market);
  await live.context.board.refresh();
  live.venue.script = (order) => live.venue.fillWhole(order, 100);
});

/** @returns how many steps there were, or null where it died at the step. */
async function work(orderId: string, path: 'transmit' | 'resolve', step: number): Promise<number | null> {
  const child = spawn(process.execPath, [CHILD, live.database.url, served.url, orderId, path, String(step)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // the first, which ends well, leaves its compiled sources to those that are killed
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal === 'SIGKILL') {
    return null;
  }
  expect(code).toBe(0);
  return Number(/steps (\d+)/.exec(said)?.[1]);
}

/** Sends it from this process, which lives. */
async function sendHere(orderId: string): Promise<void> {
  const { sql, board, clock, log } = live.context;
  const order = (await listWaiting(sql, 1000)).find((one) => one.orderId === orderId);
  expect(order).toBeDefined();
  const ports = {
    ...createRecordPorts(sql),
    board,
    clock,
    gate: OPEN_GATE,
    ticks: systemTicks,
    log,
    venues: onlyVenues(live.venue),
  };
  await transmitOrder(ports, order as WaitingOrder);
}

/** Runs it for each step on an order of its own. @returns the orders, by step. */
async function dieEverywhere(make: () => Promise<string>, path: 'transmit' | 'resolve'): Promise<string[]> {
  const whole = await make();
  const steps = await work(whole, path, 0);
  expect(steps).toBeGreaterThan(5);
  expect(steps).toBeLessThan(MOST_STEPS);
  const orders: string[] = [];
  const queue = Array.from({ length: steps ?? 0 }, (_, index) => index + 1).values();
  await Promise.all(
    Array.from({ length: SIDE_BY_SIDE }, async () => {
      for (const step of queue) {
        const orderId = await make();
        orders.push(orderId);
        expect(await work(orderId, path, step), `step ${step}`).toBeNull();
      }
    }),
  );
  return [whole, ...orders];
}

/** Lets each look-up be due, and each send's expiry be long past, as if the time had gone by. */
const passTime = () => live.sql`
  update transmissions set next_lookup_at = now(), expires_at = least(expires_at, now() - interval '2 minutes') where state <> 'done'`;

async function isSafe(tenant: Tenant, orders: readonly string[]): Promise<void> {
  for (const orderId of orders) {
    const sends = await live.sentOf(orderId);
    expect(sends.length).toBeLessThanOrEqual(1);
    const order = await tenant.read(orderId);
    if (sends.length === 1) {
      // it may be at the venue: held, and not to be cancelled
      expect(order.transmissionState).not.toBe('not_transmitted');
      expect((await tenant.cancel(orderId)).status).toBe(409);
    }
    if (order.settlementState === 'pending' && order.operatorMoney !== null) {
      expect(order.operatorMoney.actualDebit).toBe('0.00');
    }
  }
  expect(await tenant.audit()).toEqual([]);
}

async function endsRight(tenant: Tenant, orders: readonly string[]): Promise<void> {
  const job = await live.startJob();
  try {
    const ended = await until(
      async () => {
        await passTime();
        return Promise.all(orders.map((orderId) => tenant.read(orderId)));
      },
      (all) => all.every((one) => one.settlementState === 'settled'),
      20_000,
    );
    for (const order of ended) {
      const sends = await live.sentOf(order.orderId);
      // filled where the venue has it; never received where it died between the record of the attempt and the wire
      expect([sends.length, order.status]).toEqual(sends.length === 1 ? [1, 'filled'] : [0, 'rejected']);
      if (order.status === 'rejected') {
        expect(order.rejectReason).toContain('never_received');
      }
    }
    expect(ended.filter((order) => order.status === 'filled').length).toBeGreaterThan(2);
    expect([...live.venue.received.values()].every((sends) => sends.length === 1)).toBe(true);
    expect(await tenant.audit()).toEqual([]);
  } finally {
    await job.close();
  }
}

describe('killed at every step', { timeout: 180_000 }, () => {
  // contract 18.4
  test('of sending a buy', async () => {
    const tenant = await live.tenant();
    const orders = await dieEverywhere(async () => {
      const { orderId } = (await tenant.place(`u${Math.random()}`)).body;
      await tenant.confirm(orderId);
      return orderId;
    }, 'transmit');
    await isSafe(tenant, orders);
    await endsRight(tenant, orders);
  });

  test('of sending sells, all of one position', async () => {
    const tenant = await live.tenant();
    const { orderId: bought } = (await tenant.place('ana', {}, { stake: 60 })).body;
    await tenant.confirm(bought);
    await sendHere(bought);
    const orders = await dieEverywhere(async () => {
      const { orderId } = (await tenant.place('ana', {}, { action: 'sell', stake: undefined, contracts: 2 })).body;
      await tenant.confirm(orderId);
      return orderId;
    }, 'transmit');
    await isSafe(tenant, orders);
    await endsRight(tenant, orders);
    const [position] = await live.sql<{ quantityMicros: bigint; heldQuantityMicros: bigint }[]>`
      select quantity_micros, held_quantity_micros from positions where operator_id = ${tenant.operator.operatorId}`;
    const sold = await live.sql<{ filled: bigint }[]>`
      select sum(case action when 'buy' then filled_quantity_micros else -filled_quantity_micros end)::bigint as filled from orders
      where operator_id = ${tenant.operator.operatorId}`;
    expect(position).toEqual({ quantityMicros: sold[0]?.filled, heldQuantityMicros: 0n });
  });

  // contract 18.4
  test('of asking about an unknown buy', async () => {
    const tenant = await live.tenant();
    live.venue.script = (order) => {
      live.venue.fillWhole(order, 100);
      return live.venue.silence();
    };
    const orders = await dieEverywhere(async () => {
      const { orderId } = (await tenant.place(`u${Math.random()}`)).body;
      await tenant.confirm(orderId);
      await sendHere(orderId);
      return orderId;
    }, 'resolve');
    await isSafe(tenant, orders);
    await endsRight(tenant, orders);
  });
});
