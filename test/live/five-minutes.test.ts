/** An order that could have been sent for five minutes and was not is withdrawn, whatever kept it (contract 18.14). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listWaiting } from '../../src/trading/execution/attempts.ts';
import type { RunCommand } from '../support/run-command.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let inlay: RunCommand;

beforeAll(async () => {
  live = await openLive({ job: false });
  inlay = await live.commands({ INLAY_VENUES: 'paper' });
});
afterAll(() => live.close());

async function waiting(tenant: Tenant): Promise<string> {
  const { orderId } = (await tenant.place('ana')).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  return orderId;
}

const age = (orderId: string, seconds: number) =>
  live.damage(
    `with aged as (
       update orders set updated_at = now() - make_interval(secs => ${seconds}), reserve_confirmed_at = now() - make_interval(secs => ${seconds})
       where order_id = '${orderId}' returning order_id, reserve_confirmed_at)
     update journal set decided_at = aged.reserve_confirmed_at from aged
     where journal.order_id = aged.order_id and journal.kind = 'reserve_confirmed'`,
  );

// contract 12.13, contract 18.14
test('nothing is withdrawn before, and after five minutes it is cancelled, told and released, with nothing sent', async () => {
  const tenant = await live.tenant();
  const [late, early] = [await waiting(tenant), await waiting(tenant)];
  // no worker ran meanwhile
  await age(late, 301);
  await age(early, 290);
  const job = await live.startJob();
  try {
    await until(
      () => tenant.read(late),
      ({ status }) => status === 'cancelled',
      20_000,
    );
    await until(
      () => tenant.read(early),
      ({ status }) => status === 'filled',
      20_000,
    );
  } finally {
    await job.close();
  }
  expect(await live.sentOf(late)).toEqual([]);
  expect(await tenant.read(late)).toMatchObject({
    status: 'cancelled',
    cancelReason: 'venue_unavailable',
    transmissionState: 'not_transmitted',
    intent: { reason: 'venue_unavailable', releaseAmount: '10.00' },
  });
  expect(await tenant.events(late)).toContain('order.cancelled');
  expect(await tenant.told(late)).toContain('pending_venue_execution>cancelled');
  expect(await tenant.audit()).toEqual([]);
});

// contract 18.14
test('the five minutes begin when the last of the gates opens', async () => {
  const tenant = await live.tenant({ executionConfirmed: false, arming: 'manual' });
  const orderId = await waiting(tenant);
  const reasons = async () => (await listWaiting(live.sql, 100)).find((one) => one.orderId === orderId)?.withdraw;
  await age(orderId, 3_600);
  expect(await reasons()).toBeUndefined();
  expect((await inlay('orders', 'arm', orderId, '--yes', '--json')).exitCode).toBe(0);
  await age(orderId, 3_600);
  expect((await inlay('operators', 'update', tenant.operator.slug, '--execution-confirmed', '--json')).exitCode).toBe(
    0,
  );
  expect(await reasons()).toBeNull();
  await live.sql`
    update operators set execution_confirmed_at = now() - interval '301 seconds' where operator_id = ${tenant.operator.operatorId}`;
  expect(await reasons()).toBe('venue_unavailable');
});

// contract 12.15
test('an order whose reserve is not confirmed is withdrawn with its market', async () => {
  const tenant = await live.tenant();
  const { orderId } = (await tenant.place('ana')).body;
  expect((await tenant.read(orderId)).status).toBe('reserve_pending');
  await live.sql`update contracts set trading_closed = true where contract_id = ${live.market.contractId}`;
  const job = await live.startJob();
  try {
    await until(
      () => tenant.read(orderId),
      ({ status }) => status === 'cancelled',
      20_000,
    );
  } finally {
    await job.close();
  }
  expect(await tenant.read(orderId)).toMatchObject({ cancelReason: 'market_not_open' });
});
