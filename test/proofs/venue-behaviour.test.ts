/**
 * Venues that are silent, late or forgetful, or that repeat themselves: whatever is true is booked once, and the authorization
 * stays held until it is known, if need be from a person. Reports that contradict the order are in `venue-contradictions.test.ts`.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import { createRecordPorts, recordExecution, resolveByPerson } from '../../src/trading/execution/record-execution.ts';
import { findOrder } from '../../src/trading/orders/orders.ts';
import type { PlaceAnswer, VenueOrder } from '../../src/venues/port.ts';
import { readEvents } from '../support/events.ts';
import { micros } from '../support/operator-books.ts';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
beforeAll(async () => {
  live = await openLive({ keepTrading: true });
});
afterAll(() => live.close());
beforeEach(async () => {
  live.venue.lookupIsComplete = true;
  live.venue.script = (order) => live.venue.fillWhole(order);
  tenant = await live.tenant();
});

const { send, ended, due, attempt, asked, evidence, holds } = createSentOrders(
  () => live,
  () => tenant,
);

// contract 18.4
test('it accepts and then never answers: found by our id, booked once, sent once', async () => {
  live.venue.script = (order) => {
    live.venue.fillWhole(order, 100);
    return live.venue.silence();
  };
  const { orderId } = await send();
  expect((await ended(orderId)).status).toBe('filled');
  expect(await live.sentOf(orderId)).toHaveLength(1);
  expect(await tenant.audit()).toEqual([]);
});

test('it answers late, after a look-up has reported everything: the late answer changes nothing', async () => {
  let answer: (value: PlaceAnswer) => void = () => {};
  live.venue.script = (order) => {
    const filled = live.venue.fillWhole(order, 100);
    return new Promise<PlaceAnswer>((resolve) => {
      answer = () => resolve(filled);
    });
  };
  const other = await live.startJob();
  const { orderId, sent } = await send();
  // the other worker's look-up finds it while the sender still waits
  await due(orderId);
  const before = await ended(orderId);
  expect(before.status).toBe('filled');
  const told = await tenant.told(orderId);
  answer({ outcome: 'accepted', order: live.venue.orders.get(sent.ourId) as VenueOrder });
  await timePasses(200);
  await other.close();
  expect(await tenant.read(orderId)).toEqual(before);
  expect(await tenant.told(orderId)).toEqual(told);
  expect(await tenant.audit()).toEqual([]);
});

test('it answers the same many times at once: one fill, one debit', async () => {
  live.venue.script = (order) => live.venue.accept(order, [1_000_000n], 'working', 50);
  const { orderId, sent } = await send();
  await until(
    () => tenant.read(orderId),
    (one) => one.status === 'partially_filled',
  );
  live.venue.change(sent.ourId, {
    state: 'closed',
    fills: [0, 1].map((index) => live.venue.fill(sent, index, 1_000_000n, 50)),
  });
  const report = { from: 'venue', order: live.venue.orders.get(sent.ourId) as VenueOrder } as const;
  const processes = Array.from({ length: 6 }, () => createRecordPorts(live.sql));
  await Promise.all(
    processes.flatMap((ports) =>
      [1, 2].map(() => recordExecution(ports, tenant.operator.operatorId, orderId, 'live', report)),
    ),
  );
  const order = await ended(orderId);
  expect(order.fills).toHaveLength(2);
  expect(await tenant.events(orderId)).toEqual([
    'order.intent_recorded',
    'order.filled',
    'order.filled',
    'order.completed',
  ]);
  expect(await tenant.audit()).toEqual([]);
});

test('fills come repeated, out of order and one by one: each is booked once, in the order of the venue', async () => {
  live.venue.script = (order) => live.venue.accept(order, [], 'working');
  const { orderId, sent } = await send();
  const fill = (index: number) => live.venue.fill(sent, index, 1_000_000n, 100);
  for (const fills of [[fill(2)], [fill(2), fill(0)], [fill(0), fill(0), fill(2)], [fill(1), fill(0), fill(2)]]) {
    live.venue.change(sent.ourId, { fills });
    await asked(orderId);
    await holds(orderId);
  }
  live.venue.change(sent.ourId, { state: 'closed' });
  await due(orderId);
  const order = await ended(orderId);
  expect(order).toMatchObject({ status: 'partially_filled', filledQuantity: 3 });
  expect(order.fills).toHaveLength(3);
  const rows = (await readEvents(live.sql, tenant.operator.operatorId)).filter(({ type }) => type === 'order.filled');
  expect(rows.map((row) => row.data.fillSequence)).toEqual([1, 2, 3]);
  const debits = rows.map((row) => Number(row.data.operatorMoney.actualDebit));
  expect(debits).toEqual(debits.toSorted((a, b) => a - b));
  expect(await tenant.audit()).toEqual([]);
});

test('a report is held against fills that are no older than its order, so each is reported once', async () => {
  live.venue.script = (order) => live.venue.accept(order, [], 'working');
  const { orderId, sent } = await send();
  live.venue.change(sent.ourId, { fills: [0, 1, 2].map((index) => live.venue.fill(sent, index, 1_000_000n, 100)) });
  const report = { from: 'venue', order: live.venue.orders.get(sent.ourId) as VenueOrder } as const;
  const { promise: recordedByAnother, resolve } = Promise.withResolvers<void>();
  // the read of the order is late; whatever else is read goes out at once
  const late = new Proxy(live.sql, {
    apply(target, self, args: [readonly string[], ...unknown[]]) {
      const query = Reflect.apply(target, self, args) as PromiseLike<unknown>;
      return args[0].join('').includes('select * from orders r') ? recordedByAnother.then(() => query) : query;
    },
  });
  const key = [tenant.operator.operatorId, orderId, 'live'] as const;
  const slow = recordExecution(createRecordPorts(late), ...key, report);
  await timePasses(200);
  await recordExecution(createRecordPorts(live.sql), ...key, report);
  resolve();
  await slow;
  expect((await tenant.events(orderId)).filter((type) => type === 'order.filled')).toHaveLength(3);
  live.venue.change(sent.ourId, { state: 'closed' });
  await due(orderId);
  await ended(orderId);
  expect(await tenant.audit()).toEqual([]);
});

test('a move that was decided on fills that are older than its order is refused, so no fill is reported twice', async () => {
  live.venue.script = (order) => live.venue.accept(order, [], 'working');
  const { orderId, sent } = await send();
  const key = [tenant.operator.operatorId, orderId, 'live'] as const;
  const ports = createRecordPorts(live.sql);
  const report = (count: number) => {
    const fills = Array.from({ length: count }, (_, index) => live.venue.fill(sent, index, 1_000_000n, 100));
    live.venue.change(sent.ourId, { fills });
    return { from: 'venue', order: live.venue.orders.get(sent.ourId) as VenueOrder } as const;
  };
  await recordExecution(ports, ...key, report(1));
  const before = await tenant.read(orderId);
  expect(before.fills).toHaveLength(1);
  const early = {
    ...ports,
    readExecutionContext: async (of: Parameters<typeof ports.readExecutionContext>[0]) => ({
      ...(await ports.readExecutionContext(of)),
      recorded: [],
    }),
  };
  await expect(recordExecution(early, ...key, report(2))).rejects.toMatchObject({ code: 'IN005' });
  expect(await tenant.read(orderId)).toEqual(before);
  await recordExecution(ports, ...key, report(2));
  expect((await tenant.events(orderId)).filter((type) => type === 'order.filled')).toHaveLength(2);
  live.venue.change(sent.ourId, { state: 'closed' });
  await due(orderId);
  await ended(orderId);
  expect(await tenant.audit()).toEqual([]);
});

test('a fill after it said closed is not ours to book: the order is final', async () => {
  live.venue.script = (order) => live.venue.accept(order, [], 'closed');
  const { orderId, sent } = await send();
  const before = await ended(orderId);
  expect(before.status).toBe('cancelled');
  live.venue.change(sent.ourId, { fills: [live.venue.fill(sent, 0, 1_000_000n, 0)] });
  const report = { from: 'venue', order: live.venue.orders.get(sent.ourId) as VenueOrder } as const;
  const ports = createRecordPorts(live.sql);
  expect(await recordExecution(ports, tenant.operator.operatorId, orderId, 'live', report)).toBeNull();
  expect(await tenant.read(orderId)).toEqual(before);
  expect(await tenant.audit()).toEqual([]);
});

describe('it forgets', () => {
  const forget = async () => {
    live.venue.script = () => live.venue.silence();
    const { orderId } = await send();
    return orderId;
  };
  const expire = (orderId: string, seconds: number) =>
    live.sql`update transmissions set expires_at = now() - make_interval(secs => ${seconds}) where order_id = ${orderId}`;

  // contract 18.8
  test('"not found" before the expiry and a minute is no answer, however often', async () => {
    const orderId = await forget();
    for (let look = 0; look < 4; look += 1) {
      await asked(orderId);
    }
    await expire(orderId, 55);
    for (let look = 0; look < 4; look += 1) {
      await asked(orderId);
    }
    expect((await attempt(orderId))?.notFound).toBe(0);
    expect((await holds(orderId)).status).toBe('submitted');
  });

  // contract 18.8
  test('three times running after it: rejected, everything released', async () => {
    const orderId = await forget();
    await expire(orderId, 61);
    await asked(orderId);
    await asked(orderId);
    await holds(orderId);
    await due(orderId);
    const order = await ended(orderId);
    expect(order).toMatchObject({ status: 'rejected', operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00' } });
    expect(await tenant.events(orderId)).toEqual(['order.intent_recorded', 'order.rejected']);
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 18.8
  test('an unanswered look-up in between starts the count again', async () => {
    const orderId = await forget();
    await expire(orderId, 61);
    await asked(orderId);
    await asked(orderId);
    const find = live.venue.findOrder;
    live.venue.findOrder = async () => live.venue.silence();
    await asked(orderId);
    live.venue.findOrder = find;
    expect((await attempt(orderId))?.notFound).toBe(0);
    await asked(orderId);
    await asked(orderId);
    await holds(orderId);
  });

  // contract 18.8, contract 18.9
  test('where its look-up is not complete it stays unknown, until a person says', async () => {
    live.venue.lookupIsComplete = false;
    const orderId = await forget();
    await expire(orderId, 3600);
    for (let look = 0; look < 5; look += 1) {
      await asked(orderId);
    }
    await holds(orderId);
    await byPerson(orderId, { rejected: true });
    expect((await ended(orderId)).status).toBe('rejected');
    expect(await evidence(orderId)).toContain('person');
    expect(await tenant.audit()).toEqual([]);
  });
});

async function byPerson(orderId: string, learned: Parameters<typeof resolveByPerson>[2]): Promise<void> {
  const order = await findOrder(live.sql, tenant.operator.operatorId, orderId);
  const [row] = await live.sql`select * from orders where order_id = ${orderId}`;
  const ports = createRecordPorts(live.sql);
  await resolveByPerson(ports, { ...order, ...row, mode: 'live' } as never, learned, 'told on the telephone');
}

describe('what a person learned', () => {
  // contract 18.9
  test('of fills that were not recorded', async () => {
    live.venue.script = () => live.venue.silence();
    const { orderId, sent } = await send();
    await byPerson(orderId, {
      rejected: false,
      quantityMicros: 5_000_000n,
      priceMicros: sent.limitPriceMicros,
      feeMinor: 3n,
    });
    const order = await ended(orderId);
    expect(order).toMatchObject({
      status: 'partially_filled',
      filledQuantity: 5,
      operatorMoney: { venueFee: '0.03', venueFeeKnown: true },
    });
    expect(await tenant.audit()).toEqual([]);
  });

  test('of a fee that the venue never tells', async () => {
    live.venue.script = (order) => live.venue.fillWhole(order, null);
    const { orderId, sent } = await send();
    await until(
      () => tenant.read(orderId),
      (one) => one.status === 'partially_filled',
    );
    await byPerson(orderId, {
      rejected: false,
      quantityMicros: sent.quantityMicros,
      priceMicros: sent.limitPriceMicros,
      feeMinor: 4n,
    });
    const order = await ended(orderId);
    expect(order).toMatchObject({ status: 'filled', operatorMoney: { venueFee: '0.04', venueFeeKnown: true } });
    expect(await tenant.audit()).toEqual([]);
  });
});

test('a sell whose fee is being read keeps its contracts held, and a fee after everything was sold is a loss', async () => {
  live.venue.script = (order) => live.venue.fillWhole(order, null);
  const { orderId, sent } = await send();
  const bought = await until(
    () => tenant.read(orderId),
    (one) => one.status === 'partially_filled',
  );
  // all of it is sold while the fee of the buy is still unknown
  live.venue.script = (order) => live.venue.fillWhole(order, null);
  const sell = await send({ action: 'sell', stake: undefined, contracts: bought.filledQuantity });
  await until(
    () => tenant.read(sell.orderId),
    (one) => one.status === 'partially_filled',
  );
  expect((await tenant.quote('ana', { action: 'sell', stake: undefined, contracts: 1 })).body.error).toBe(
    'insufficient_position',
  );
  expect(await tenant.audit()).toEqual([]);
  live.venue.change(sell.sent.ourId, { fills: [live.venue.fill(sell.sent, 0, sell.sent.quantityMicros, 100)] });
  await due(sell.orderId);
  expect((await ended(sell.orderId)).status).toBe('filled');
  expect(await tenant.audit()).toEqual([]);
  live.venue.change(sent.ourId, { fills: [live.venue.fill(sent, 0, sent.quantityMicros, 100)] });
  await due(orderId);
  expect((await ended(orderId)).status).toBe('filled');
  expect(await tenant.audit()).toEqual([]);
  const report = await live.request('GET', '/api/v1/reconciliation', { key: tenant.key });
  expect(report.body).toMatchObject({ ok: true, findings: [] });
});

// contract 14.7
test('an exit is of one holding venue, for at most what it holds', async () => {
  const bought = await tenant.place('ana', { reserveReference: 'r' });
  const held = micros(bought.body.filledQuantity);
  const { sql } = live;
  await sql`update position_holdings set quantity_micros = 10000000 where operator_id = ${tenant.operator.operatorId}`;
  await sql`
    insert into position_holdings (operator_id, position_id, venue, quantity_micros)
    select operator_id, position_id, 'paper-2', ${held - 10_000_000n} from position_holdings where operator_id = ${tenant.operator.operatorId}`;
  const sell = (contracts: number) => ({ action: 'sell', stake: undefined, contracts });
  expect((await tenant.quote('ana', sell(11))).body.error).toBe('insufficient_position');
  // quoted while it could be sold, ordered when it cannot
  const [first, late] = [await tenant.quote('ana', sell(10)), await tenant.quote('ana', sell(4))];
  const order = (quote: typeof first, clientOrderId: string) =>
    tenant.order('ana', { quoteId: quote.body.quoteId, clientOrderId, reserveReference: 'r' });
  expect((await order(first, 'first')).body.status).toBe('filled');
  const refused = await order(late, 'late');
  expect([refused.status, refused.body.error]).toEqual([422, 'insufficient_position']);
  // the second venue was invented here, and no row of the journal knows it
  await live.damage(
    `delete from position_holdings where operator_id = '${tenant.operator.operatorId}' and venue = 'paper-2';
     update position_holdings set quantity_micros = ${held - 10_000_000n} where operator_id = '${tenant.operator.operatorId}'`,
  );
  expect(await tenant.audit()).toEqual([]);
});

// contract 13.14
test('a position whose fee is being read settles when it is known, at what it then cost', async () => {
  const market = await live.openMarket(`reading${tenant.operator.slug}`, undefined, { feeBps: 100 });
  live.venue.script = (order) => live.venue.fillWhole(order, null);
  const { orderId, sent } = await send({ marketId: market.contractId });
  await until(
    () => tenant.read(orderId),
    (one) => one.status === 'partially_filled',
  );
  await live.sql`select * from decide_market(${market.contractId}, 'resolve', 'VOID', null)`;
  expect(await settleMarket(live.sql, market.contractId)).toBe(0);
  live.venue.change(sent.ourId, { fills: [live.venue.fill(sent, 0, sent.quantityMicros, 100)] });
  await due(orderId);
  const order = await ended(orderId);
  expect(await settleMarket(live.sql, market.contractId)).toBe(1);
  const page = await live.request('GET', '/api/v1/settlements', { key: tenant.key });
  expect(page.body.settlements[0].operatorMoney.voidCredit).toBe(order.operatorMoney.actualDebit);
  expect(await tenant.audit()).toEqual([]);
});
