/**
 * The examples of the OpenAPI document for the states of an order are answers of a running service, recorded here. After a change of
 * what an order looks like: npx vitest run test/server/recorded-orders.test.ts -u
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { ORDER_STATUSES } from '../../src/wire/order.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

const FILE = join(projectRoot, 'fixtures', 'recorded-orders.json');
const HALF_A_MINUTE = 30_000;

let live: Live;
beforeAll(async () => {
  live = await openLive({ job: false });
}, 60_000);
afterAll(() => live.close());

/** Ids and times differ from run to run: each id is the first of its kind, and each time the same. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\bctr_live\d+/g, 'ctr_z3t5tn0mrtg4m2wzsttb74acd0'],
  [/\b([a-z]{2,4})_[0-9a-f]{32}\b/g, '$1_0192f1c4a7b87d2e9c3f5a6b7c8d9e0f'],
  [/\binl_Best_[0-9A-Z]{14}\b/g, 'inl_Best_7K2M9XQ4T1VZ8R'],
  [/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '2026-11-22T18:00:00.000Z'],
  [/"key-\d+"/g, '"order-1001"'],
];

function recorded(orders: readonly (readonly [string, AnyJson])[]): object {
  const named = Object.fromEntries(
    orders.map(([summary, value]) => [summary.toLowerCase().replaceAll(/[^a-z]+/g, '_'), { summary, value }]),
  );
  const text = CHANGING.reduce((kept, [from, to]) => kept.replaceAll(from, to), JSON.stringify(named));
  return JSON.parse(text);
}

async function placed(tenant: Tenant, order: object = {}, quote: object = {}): Promise<AnyJson> {
  const answer = await tenant.place('player-1', order, { stake: 20, ...quote });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const once = (tenant: Tenant, orderId: string, wanted: string): Promise<AnyJson> =>
  until(
    () => tenant.read(orderId),
    ({ status }) => status === wanted,
    HALF_A_MINUTE,
  );

/** A live order that ends in this state; the answer to its placing may be a refusal that names it. */
const endedAs = async (tenant: Tenant, wanted: string): Promise<AnyJson> =>
  once(tenant, (await tenant.place('player-1', { reserveReference: 'hold-1001' }, { stake: 20 })).body.orderId, wanted);

// contract 11.1
test('each state of an order has an example, as the service answers it', async () => {
  const { venue } = live;
  const sandbox = await live.tenant({ mode: 'sandbox' });
  const real = await live.tenant();
  const filled = await placed(sandbox);
  await live.request('POST', '/api/v1/sandbox/scenarios', {
    key: sandbox.key,
    body: { kind: 'partial_fill', fillFraction: 0.4 },
  });
  const inPart = await placed(sandbox);
  const held = await placed(sandbox, { executionIntent: 'record_intent' });
  const heldRead = await sandbox.read(held.orderId);
  await sandbox.cancel(held.orderId);
  const sold = await placed(sandbox, {}, { action: 'sell', stake: undefined, contracts: 10 });
  const waiting = await placed(real, { reserveReference: 'hold-1001' });
  const waitingRead = await real.read(waiting.orderId);

  venue.lookupIsComplete = false;
  venue.script = (order) => venue.accept(order, [], 'working');
  await live.startJob();
  const submitted = await once(real, waiting.orderId, 'submitted');
  venue.script = () => ({ outcome: 'rejected', reason: 'market halted', order: null });
  const rejected = await endedAs(real, 'rejected');
  venue.script = (order) => venue.accept(order, [], 'closed');
  const unfilled = await endedAs(real, 'cancelled');

  const examples = {
    createOrder: recorded([
      ['Filled', filled],
      ['Filled in part', inPart],
      ['A sell, filled', sold],
      ['Recorded, waits for your reserve', held],
      ['Live, waits to be sent', waiting],
    ]),
    getOrder: recorded([
      ['Filled', await sandbox.read(filled.orderId)],
      ['Filled in part', await sandbox.read(inPart.orderId)],
      ['A sell, filled', await sandbox.read(sold.orderId)],
      ['Recorded, waits for your reserve', heldRead],
      ['Cancelled by you', await sandbox.read(held.orderId)],
      ['Live, waits to be sent', waitingRead],
      ['At the venue, outcome unknown: hold the authorization', submitted],
      ['Rejected by the venue', rejected],
      ['Closed by the venue without a fill', unfilled],
    ]),
  };
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(FILE);
  const states = new Set(Object.values(examples.getOrder).map(({ value }) => value.status));
  // no new order is pending (12.1)
  expect([...states, 'pending'].sort()).toEqual([...ORDER_STATUSES].sort());
  const document = (await live.request('GET', '/openapi.json')).body;
  for (const [operationId, each] of Object.entries(examples)) {
    const operation = Object.values<AnyJson>(document.paths)
      .flatMap((methods) => Object.values<AnyJson>(methods))
      .find((one) => one.operationId === operationId);
    const status = operationId === 'createOrder' ? '201' : '200';
    expect(operation.responses[status].content['application/json'].examples).toEqual(each);
  }
}, 120_000);
