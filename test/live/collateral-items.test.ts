/** `collateral.moved` items name the order, position and customer that caused them; those of the service operator name none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant();
});
afterAll(() => live.close());

interface Moved {
  readonly kind: string;
  readonly externalUserId: string | null;
  readonly orderId: string | null;
  readonly positionId: string | null;
}

async function moved(): Promise<Moved[]> {
  const answer = await live.request('GET', '/api/v1/reconciliation/feed?type=collateral.moved&limit=500', {
    key: tenant.key,
  });
  return answer.body.items.map((item: Moved & { detail: { kind: string } }) => ({
    kind: item.detail.kind,
    externalUserId: item.externalUserId,
    orderId: item.orderId,
    positionId: item.positionId,
  }));
}

const resolved = (orderId: string) =>
  until(
    () => tenant.read(orderId),
    (one) => one.transmissionState === 'resolved',
  );

// contract 21.13
test('collateral.moved carries the order, the position and the customer that caused it', async () => {
  // half of it fills, so that the rest is released
  live.venue.script = (order) => live.venue.accept(order, [1_000_000n], 'closed');
  const bought = (await tenant.place('ana', { reserveReference: 'r-1' })).body;
  await resolved(bought.orderId);
  const held = await live.request('GET', '/api/v1/positions?externalUserId=ana', { key: tenant.key });
  const { positionId } = held.body.positions[0];
  const byOrder = { externalUserId: 'ana', orderId: bought.orderId };
  expect(await moved()).toEqual([
    { kind: 'deposit', externalUserId: null, orderId: null, positionId: null },
    { kind: 'commit', ...byOrder, positionId: null },
    { kind: 'spend', ...byOrder, positionId },
    { kind: 'release', ...byOrder, positionId },
  ]);

  live.venue.script = (order) => live.venue.fillWhole(order);
  const sold = (
    await tenant.place('ana', { reserveReference: 'r-2' }, { action: 'sell', contracts: 0.5, stake: undefined })
  ).body;
  await resolved(sold.orderId);
  expect((await moved()).at(-1)).toEqual({ kind: 'return', externalUserId: 'ana', orderId: sold.orderId, positionId });

  await live.sql`select * from decide_market(${live.market.contractId}, 'resolve', 'YES', null)`;
  await settleMarket(live.sql, live.market.contractId);
  expect((await moved()).at(-1)).toEqual({ kind: 'return', externalUserId: 'ana', orderId: null, positionId });

  await moveCollateral(live.sql, tenant.operator.operatorId, 'withdrawal', 100n);
  expect((await moved()).at(-1)).toEqual({ kind: 'withdrawal', externalUserId: null, orderId: null, positionId: null });
  expect(await tenant.audit()).toEqual([]);
});
