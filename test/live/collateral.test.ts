/** Collateral as its operator sees it: `GET /collateral`, and `operators show` of the service operator. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { withThousands } from '../../src/core/plain-words.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { collateral as shape } from '../../src/wire/reconciliation.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant({ collateralMinor: 0n });
  await moveCollateral(live.sql, tenant.operator.operatorId, 'deposit', 100_000n, 'bank-1');
});
afterAll(() => live.close());

const read = (query = '', key = tenant.key) => live.request('GET', `/api/v1/collateral${query}`, { key });

test('an operator reads its collateral: available, committed, and what moved it last', async () => {
  live.venue.script = (order) => live.venue.fillWhole(order);
  const { orderId } = (await tenant.place('ana', { reserveReference: 'r-1' })).body;
  await until(
    () => tenant.read(orderId),
    (one) => one.transmissionState === 'resolved',
  );
  live.venue.script = () => live.venue.silence();
  const waiting = (await tenant.place('ben', { reserveReference: 'r-2' })).body;
  const { status, body } = await read();
  expect(status).toBe(200);
  shape.parse(body);
  // of the 10.00 a step of contracts left 0.09 over
  expect(body).toMatchObject({ currency: 'USD', available: '980.09', committed: '10.00', total: '990.09' });
  const byAna = { externalUserId: 'ana', orderId, reference: null };
  expect(body.movements).toMatchObject([
    {
      kind: 'commit',
      amount: '10.00',
      availableAfter: '980.09',
      committedAfter: '10.00',
      externalUserId: 'ben',
      orderId: waiting.orderId,
    },
    { kind: 'release', amount: '0.09', availableAfter: '990.09', committedAfter: '0.00', ...byAna },
    { kind: 'spend', amount: '9.91', ...byAna },
    { kind: 'commit', amount: '10.00', ...byAna },
    {
      kind: 'deposit',
      amount: '1000.00',
      availableAfter: '1000.00',
      reference: 'bank-1',
      externalUserId: null,
      orderId: null,
    },
  ]);
  const { items } = (
    await live.request('GET', '/api/v1/reconciliation/feed?type=collateral.moved', { key: tenant.key })
  ).body;
  expect(body.movements.map(({ id, sequence }: { id: string; sequence: number }) => [id, sequence]).reverse()).toEqual(
    items.map(({ id, sequence }: { id: string; sequence: number }) => [id, sequence]),
  );
  expect((await read('?limit=1')).body.movements).toHaveLength(1);
});

test('collateral takes the scope of the ledger, and shows each operator its own', async () => {
  const { apiKey } = await live.issueKey(tenant.operator, { scopes: ['orders:read'] });
  expect(await read('', apiKey)).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
  const other = await live.tenant({ collateralMinor: 0n });
  expect((await read('', other.key)).body).toEqual({
    currency: 'USD',
    available: '0.00',
    committed: '0.00',
    total: '0.00',
    movements: [],
  });
});

test('operators show prints the collateral', async () => {
  const run = await live.commands();
  const { available, committed } = (await read()).body;
  const { json } = await run('operators', 'show', tenant.operator.slug, '--json');
  expect(json).toMatchObject({ slug: tenant.operator.slug, collateral: { available, committed } });
  expect(json.collateral.movements.length).toBeGreaterThan(0);
  const { stdout } = await run('operators', 'show', tenant.operator.slug);
  expect(stdout).toMatch(new RegExp(`collateral +${withThousands(available)} USD free`));
  expect(stdout).toContain('deposit 1,000.00 bank-1');
});
