/** The running exposure of a customer and of an operator, when a buy's venue fee becomes known after everything was sold. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
beforeAll(async () => {
  live = await openLive({ keepTrading: true });
  tenant = await live.tenant();
});
afterAll(() => live.close());

const { send, ended, due } = createSentOrders(
  () => live,
  () => tenant,
);

const exposures = async () =>
  (
    await live.sql<{ owner: string; minor: bigint }[]>`
      select external_user_id as owner, exposure_minor as minor from exposures
      where operator_id = ${tenant.operator.operatorId} order by external_user_id`
  ).map(({ owner, minor }) => [owner, minor]);

test('a late fee that takes the rest of a hold leaves no exposure behind once the contracts are sold', async () => {
  live.venue.script = (order, venue) => venue.fillWhole(order, null);
  const { orderId, sent } = await send();
  const bought = await until(
    () => tenant.read(orderId),
    (order) => order.filledQuantity > 0,
  );
  expect(bought).toMatchObject({ status: 'partially_filled', transmissionState: 'unknown' });
  live.venue.script = (order, venue) => venue.fillWhole(order, 0);
  const sold = await send({ action: 'sell', stake: undefined, contracts: bought.filledQuantity });
  await ended(sold.orderId);
  expect(await exposures()).not.toEqual([
    ['', 0n],
    ['ana', 0n],
  ]);
  // more than is left of the hold: the customer pays the rest of it
  const [fill] = live.venue.orders.get(sent.ourId)?.fills ?? [];
  expect(fill).toBeDefined();
  live.venue.change(sent.ourId, { fills: [{ ...fill, feeMicros: 5_000_000n } as never] });
  await due(orderId);
  expect(await ended(orderId)).toMatchObject({ operatorMoney: { actualDebit: '10.00', releaseAmount: '0.00' } });
  expect(await exposures()).toEqual([
    ['', 0n],
    ['ana', 0n],
  ]);
  expect(await tenant.audit()).toEqual([]);
});

test('a venue fee that later contracts push out leaves no exposure of what was sold meanwhile', async () => {
  // 400 cents of fee for 500 cents of contracts; the order stays open at the venue
  live.venue.script = (order, venue) => venue.accept(order, [10_000_000n], 'working', 7_000);
  const { orderId, sent } = await send();
  await until(
    () => tenant.read(orderId),
    ({ filledQuantity }) => filledQuantity === 10,
  );
  live.venue.script = (order, venue) => venue.fillWhole(order, 0);
  const sold = await send({ action: 'sell', stake: undefined, contracts: 10 });
  await ended(sold.orderId);
  // the rest costs nearly all that was authorized, so that less of it is left for the fee
  const order = live.venue.orders.get(sent.ourId);
  live.venue.change(sent.ourId, {
    state: 'closed',
    fills: [...(order?.fills ?? []), live.venue.fill(sent, 1, sent.quantityMicros - 10_000_000n, 5_000)],
  });
  await due(orderId);
  expect(await ended(orderId)).toMatchObject({ operatorMoney: { actualDebit: '10.00' } });
  // 10.00 less the 5.70 that were sold and the fee that went with them: what 7.02 contracts cost
  expect(await exposures()).toEqual([
    ['', 401n],
    ['ana', 401n],
  ]);
  expect(await tenant.audit()).toEqual([]);
});
