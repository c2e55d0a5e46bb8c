/** Many clients on one thing: one quote, one key, one wallet, one scenario, one position, one collateral account, one cap. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import type { Tenant, TestResponse } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive, openWorld, type World } from '../support/world.ts';

let live: Live;
/** A second API process on the same database, with its own board, pool and batches. */
let second: World;
beforeAll(async () => {
  live = await openLive();
  second = await openWorld({ database: live.database });
  await second.context.board.refresh();
});
afterAll(async () => {
  await second.close();
  await live.close();
});
beforeEach(() => {
  live.venue.script = (order) => live.venue.fillWhole(order);
});

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Sends each second order to the other process. */
const order = (tenant: Tenant, user: string, body: object, index: number): Promise<TestResponse> =>
  (index % 2 === 0 ? live : second).request('POST', '/api/v1/orders', { key: tenant.key, user, body });

const tally = (answers: readonly TestResponse[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, body }) => `${status} ${body.error ?? body.status}`)].map(([what, of]) => [
      what,
      of.length,
    ]),
  );

describe('two API processes on one database', () => {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await live.tenant({ mode: 'sandbox' });
  });

  // contract 9.12
  test('one quote under fifty keys is spent once, and the other orders name the order that spent it', async () => {
    const quoted = await tenant.quote('ana');
    const answers = await times(50, (n) =>
      order(tenant, 'ana', { quoteId: quoted.body.quoteId, clientOrderId: `k${n}` }, n),
    );
    expect(tally(answers)).toEqual({ '201 filled': 1, '409 quote_already_used': 49 });
    const winner = answers.find((answer) => answer.status === 201)?.body.orderId;
    expect(answers.every((answer) => answer.body.orderId === winner)).toBe(true);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 10.2
  test('one key sent fifty times is one order', async () => {
    const quoted = await tenant.quote('ana');
    const answers = await times(50, (n) =>
      order(tenant, 'ana', { quoteId: quoted.body.quoteId, clientOrderId: 'k' }, n),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(49);
    const bodies = answers.map(({ body: { idempotentReplay, ...rest } }) => rest);
    expect(bodies.every((body) => JSON.stringify(body) === JSON.stringify(bodies[0]))).toBe(true);
    expect(await tenant.audit()).toEqual([]);
  });

  test('one key over many quotes names one order and conflicts with the rest', async () => {
    const quotes = await times(20, () => tenant.quote('ana'));
    const answers = await times(20, (n) =>
      order(tenant, 'ana', { quoteId: quotes[n]?.body.quoteId, clientOrderId: 'k' }, n),
    );
    expect(tally(answers)).toEqual({ '201 filled': 1, '409 idempotency_conflict': 19 });
    expect(await tenant.audit()).toEqual([]);
  });

  test('one wallet of 10,000.00 takes exactly ten orders of 1,000.00 and is never below zero', async () => {
    const quotes = await times(24, () => tenant.quote('ana', { stake: 1000 }));
    const answers = await times(24, (n) =>
      order(tenant, 'ana', { quoteId: quotes[n]?.body.quoteId, clientOrderId: `k${n}` }, n),
    );
    expect(tally(answers)).toEqual({ '201 filled': 10, '422 insufficient_funds': 14 });
    const [low] = await live.sql`
      select min(-balance_after)::text as low from ledger_lines where operator_id = ${tenant.operator.operatorId} and account_id = 'wallet:ana'`;
    expect(low?.['low']).toBe('0');
    expect(await tenant.audit()).toEqual([]);
  });

  test('one scenario for any order is taken by one of many', async () => {
    const scenario = { kind: 'partial_fill', fillFraction: 0.5 };
    await live.request('POST', '/api/v1/sandbox/scenarios', { key: tenant.key, body: scenario });
    const quotes = await times(20, (n) => tenant.quote(`u${n}`));
    const answers = await times(20, (n) =>
      order(tenant, `u${n}`, { quoteId: quotes[n]?.body.quoteId, clientOrderId: 'k' }, n),
    );
    expect(tally(answers)).toEqual({ '201 filled': 19, '201 partially_filled': 1 });
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 14.4
  test('a race of sells sells what is held and not one contract more', async () => {
    const bought = await tenant.place('ana', {}, { stake: 10.2 });
    const held: number = bought.body.filledQuantity;
    const contracts = Math.floor((held / 5) * 1e6) / 1e6;
    const quotes = await times(12, () => tenant.quote('ana', { action: 'sell', stake: undefined, contracts }));
    expect(quotes.filter((one) => one.status !== 200).map((one) => one.text)).toEqual([]);
    const answers = await times(12, (n) =>
      order(tenant, 'ana', { quoteId: quotes[n]?.body.quoteId, clientOrderId: `s${n}` }, n),
    );
    expect(tally(answers)).toEqual({ '201 filled': 5, '422 insufficient_position': 7 });
    expect(await tenant.audit()).toEqual([]);
  });

  test('buys, sells and settlement of one customer at once', async () => {
    await tenant.place('ana', {}, { stake: 50 });
    const quotes = await times(16, (n) =>
      tenant.quote('ana', n % 2 === 0 ? { stake: 5 } : { action: 'sell', stake: undefined, contracts: 3 }),
    );
    expect(quotes.filter((one) => one.status !== 200).map((one) => one.text)).toEqual([]);
    const positions = await live.request('GET', '/api/v1/positions?externalUserId=ana', { key: tenant.key });
    const resolution = { positionId: positions.body.positions[0].positionId, resolution: 'WIN' };
    const [answers, resolved] = await Promise.all([
      times(16, (n) => order(tenant, 'ana', { quoteId: quotes[n]?.body.quoteId, clientOrderId: `m${n}` }, n)),
      times(4, () => live.request('POST', '/api/v1/sandbox/resolutions', { key: tenant.key, body: resolution })),
    ]);
    expect(resolved.map((answer) => [answer.status, answer.body.settled])).toEqual(Array(4).fill([200, true]));
    expect(
      Object.keys(tally(answers)).filter((what) => !['201 filled', '422 insufficient_position'].includes(what)),
    ).toEqual([]);
    expect(await tenant.audit()).toEqual([]);
  });
});

test('fifty operators quote and order at once through two processes', async () => {
  const tenants = await times(50, () => live.tenant({ mode: 'sandbox' }));
  const answers = await Promise.all(
    tenants.flatMap((tenant, operator) =>
      ['ana', 'ben'].map(async (user) => {
        const quoted = await tenant.quote(user, { side: operator % 2 === 0 ? 'YES' : 'NO' });
        return order(tenant, user, { quoteId: quoted.body.quoteId, clientOrderId: 'same' }, operator);
      }),
    ),
  );
  expect(tally(answers)).toEqual({ '201 filled': 100 });
  expect(new Set(answers.map((answer) => answer.body.orderId)).size).toBe(100);
  expect(await audit(live.sql)).toEqual([]);
});

describe('live', () => {
  // contract 20.3
  test('one collateral account confirms exactly what it holds', async () => {
    const tenant = await live.tenant({ collateralMinor: 10_000n, executionConfirmed: false });
    const placed = await times(20, (n) => tenant.place(`u${n}`));
    const answers = await times(20, (n) =>
      (n % 2 === 0 ? live : second).request('POST', `/api/v1/orders/${placed[n]?.body.orderId}/confirm-reserve`, {
        key: tenant.key,
      }),
    );
    expect(tally(answers)).toEqual({ '200 pending_venue_execution': 10, '422 insufficient_collateral': 10 });
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 18.17
  test('confirm and cancel of one order: one of them, and the money with it', async () => {
    const tenant = await live.tenant();
    for (let round = 0; round < 6; round += 1) {
      const { orderId } = (await tenant.place('ana')).body;
      const [confirms, cancels] = await Promise.all([
        times(3, () => tenant.confirm(orderId)),
        times(3, () => tenant.cancel(orderId)),
      ]);
      const done = await until(
        () => tenant.read(orderId),
        (one) => one.settlementState === 'settled',
      );
      if (done.status === 'cancelled') {
        expect(cancels.every((answer) => answer.status === 200)).toBe(true);
        expect(cancels.filter((answer) => answer.body.idempotentReplay !== true)).toHaveLength(1);
        expect(new Set(cancels.map((answer) => answer.body.cancellationId)).size).toBe(1);
        expect(await live.sentOf(orderId)).toHaveLength(0);
      } else {
        expect(confirms.every((answer) => answer.status === 200)).toBe(true);
        expect(cancels.every((answer) => answer.body.error === 'order_not_cancellable')).toBe(true);
        expect(await live.sentOf(orderId)).toHaveLength(1);
      }
    }
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 20.6
  test('three workers on one database send each order once and keep caps to the number', async () => {
    const workers = await times(2, () => live.startJob());
    try {
      const tenants = await times(4, () => live.tenant({ executionConfirmed: false }));
      const orders = await Promise.all(
        tenants.flatMap((tenant) =>
          Array.from({ length: 10 }, async (_, n) => {
            const placed = await tenant.place(`u${n}`, { reserveReference: 'r' });
            return { tenant, orderId: placed.body.orderId as string };
          }),
        ),
      );
      await Promise.all(tenants.map((tenant) => tenant.set('total_orders', 3)));
      await Promise.all(tenants.map((tenant) => tenant.set('execution_confirmed', true)));
      const states = await until(
        () => Promise.all(orders.map(({ tenant, orderId }) => tenant.read(orderId))),
        (all) => all.every((one) => one.settlementState === 'settled'),
      );
      expect(states.filter((one) => one.status === 'filled')).toHaveLength(12);
      expect([...live.venue.received.values()].every((sends) => sends.length === 1)).toBe(true);
      for (const tenant of tenants) {
        expect(await tenant.audit()).toEqual([]);
      }
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
    }
  });

  // contract 14.7
  test('simulated and live contracts never share a position', async () => {
    const tenant = await live.tenant({ simulateCeilingMinor: 100_000n });
    const bought = await tenant.place('ana', { reserveReference: 'r' });
    expect(bought.body).toMatchObject({ status: 'filled', simulated: false });
    // a simulated sell may not take live contracts
    const sell = { action: 'sell', stake: undefined, contracts: 5 };
    const simulated = await tenant.place('ana', { executionIntent: 'simulate' }, sell);
    expect(simulated.body.error).toBe('insufficient_position');
    // nor a live sell simulated ones
    const pretended = await tenant.place('ben', { executionIntent: 'simulate' });
    expect(pretended.body).toMatchObject({ status: 'filled', simulated: true });
    expect((await tenant.place('ben', { reserveReference: 'r' }, sell)).body.error).toBe('insufficient_position');
    expect((await tenant.place('ben', { executionIntent: 'simulate' }, sell)).body).toMatchObject({
      status: 'filled',
      simulated: true,
    });
    expect(await tenant.audit()).toEqual([]);
  });
});
