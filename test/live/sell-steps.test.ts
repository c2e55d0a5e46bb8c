/** A venue that trades in steps: what a sell cannot ask for stays in the position, and the partner is told why. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readItems } from '../support/items.ts';
import { setBook } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive();
  const { sql } = live;
  await sql`update listings set quantity_step_micros = 1000000 where contract_id = ${live.market.contractId}`;
  await setBook(sql, live.market, { bids: [['0.55', '100000']], asks: [['0.57', '100000']] });
  await live.context.board.refresh();
  tenant = await live.tenant();
});
afterAll(() => live.close());

const sell = (contracts: number) =>
  tenant.place(
    'ana',
    { intent: 'record_intent', reserveReference: 'r' },
    { action: 'sell', stake: undefined, contracts },
  );

async function reasons(orderId: string): Promise<(string | null)[]> {
  const items = await readItems(live.sql, tenant.operator.operatorId);
  return items
    .filter((item) => item.orderId === orderId && item.type === 'order.state_changed')
    .map(({ detail }) => detail.reason);
}

async function held(): Promise<number> {
  const { body } = await live.request('GET', '/api/v1/positions?externalUserId=ana', { key: tenant.key });
  return body.positions[0].quantity;
}

test('a live sell that the step of the venue fills only partly says so in reason, and the rest stays sellable', async () => {
  const bought = await tenant.place('ana', { intent: 'record_intent', reserveReference: 'r' }, { stake: 10 });
  expect(bought.body.status, bought.text).toBe('filled');
  const quantity = await held();
  expect(Number.isInteger(quantity)).toBe(true);

  const first = await sell(quantity - 1.5);
  expect(first.body, first.text).toMatchObject({ status: 'filled', filledQuantity: quantity - 2 });
  expect((await reasons(first.body.orderId)).at(-1)).toBe('rest_below_venue_step');
  expect(await live.sentOf(first.body.orderId)).toMatchObject([{ quantityMicros: BigInt(quantity - 2) * 1_000_000n }]);
  expect(await held()).toBe(2);

  // less than a step cannot be sent at all
  const none = await sell(0.5);
  expect(none.body.status, none.text).toBe('cancelled');
  expect(none.body).toMatchObject({ rejectReason: null, cancelReason: 'below_venue_minimum' });
  expect((await reasons(none.body.orderId)).at(-1)).toBe('below_venue_minimum');
  expect(await live.sentOf(none.body.orderId)).toEqual([]);

  // the half contract that was left over and the one and a half that were never offered are two whole ones
  const last = await sell(2);
  expect(last.body, last.text).toMatchObject({ status: 'filled', filledQuantity: 2 });
  expect((await reasons(last.body.orderId)).every((reason) => reason === null)).toBe(true);
  expect(await tenant.audit()).toEqual([]);
});
