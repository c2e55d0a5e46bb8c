/** Orders of a capped operator go out together: caps are added up in order inside the statement, to the cent and to the number. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { listWaiting } from '../../src/trading/execution/attempts.ts';
import { beginning } from '../../src/trading/execution/transmit-order.ts';
import { packCommands, parametersOf } from '../../src/trading/orders/orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive({ job: false });
});
afterAll(() => live.close());

/** Confirmed live buys of different customers, in dollars, waiting to be sent. */
async function waiting(tenant: Tenant, stakes: readonly number[]): Promise<void> {
  for (const [index, stake] of stakes.entries()) {
    const placed = await tenant.place(`u${index}`, { intent: 'record_intent' }, { stake });
    expect(placed.status, placed.text).toBe(201);
    expect((await tenant.confirm(placed.body.orderId)).status).toBe(200);
  }
}

/** Begins all of them in one statement. @returns their codes, in order. */
async function begin(tenant: Tenant): Promise<(string | null)[]> {
  const all = await listWaiting(live.sql, 1000);
  const orders = all.filter((order) => order.operatorId === tenant.operator.operatorId);
  const lists = packCommands(
    orders.map((order) =>
      beginning(order, {
        ourId: newId('att'),
        listingId: 'listing',
        side: 'YES',
        action: 'BUY',
        quantityMicros: 1_000_000n,
        limitPriceMicros: 570_000n,
      }),
    ),
  );
  const verdicts = await live.sql<{ code: string | null }[]>`
    select code from move_orders(${parametersOf(live.sql, lists, tenant.operator.operatorId)}) order by number`;
  return verdicts.map((verdict) => verdict.code);
}

const exposure = async (tenant: Tenant) => {
  const [row] = await live.sql<{ exposureMinor: bigint }[]>`
    select exposure_minor from exposures where operator_id = ${tenant.operator.operatorId} and external_user_id = ''`;
  return row?.exposureMinor;
};

test('twenty orders of a capped operator begin in one statement', async () => {
  const tenant = await live.tenant({ collateralMinor: 1_000_000n });
  await tenant.set('total_exposure_minor', 500_000);
  await tenant.set('player_exposure_minor', 5_000);
  await tenant.set('total_orders', 1_000);
  await waiting(tenant, Array(20).fill(10));
  expect(await begin(tenant)).toEqual(Array(20).fill(null));
  expect(await exposure(tenant)).toBe(20_000n);
});

// contract 20.7
test('what does not fit leaves its room to the next, to the cent', async () => {
  const tenant = await live.tenant({ collateralMinor: 1_000_000n });
  await waiting(tenant, [10, 30, 15, 5.01, 5]);
  await tenant.set('total_exposure_minor', 3_000);
  expect(await begin(tenant)).toEqual([null, 'over_tenant_exposure', null, 'over_tenant_exposure', null]);
  expect(await exposure(tenant)).toBe(3_000n);
});

// contract 20.5, contract 20.7
test('the cap on orders of a day is kept to the number', async () => {
  const tenant = await live.tenant({ collateralMinor: 1_000_000n });
  await waiting(tenant, [10, 10, 10, 10]);
  await tenant.set('total_orders', 3);
  expect(await begin(tenant)).toEqual([null, null, null, 'over_tenant_exposure']);
});
