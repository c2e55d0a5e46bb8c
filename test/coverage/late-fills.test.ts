/** Live orders beside a resolution and a feed that fell silent: an unresolved sell holds its position back, a late fill settles at once, an old price is waited out. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { TestMarket } from '../support/market.ts';
import { settlementsIn } from '../support/settlements.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant();
});
afterAll(() => live.close());

async function market(name: string): Promise<TestMarket> {
  const made = await live.openMarket(name);
  return made;
}
/** Confirmed apart, so that no call waits for the venue. */
async function send(on: TestMarket, quote: object = {}): Promise<string> {
  const placed = await tenant.place('ana', {}, { marketId: on.contractId, ...quote });
  expect((await tenant.confirm(placed.body.orderId)).status).toBe(200);
  return placed.body.orderId;
}
const becomes = (orderId: string, status: string) =>
  until(
    () => tenant.read(orderId),
    (one) => one.status === status,
  );
const resolve = (on: TestMarket) => live.sql`select * from decide_market(${on.contractId}, 'resolve', 'YES', null)`;
const ourIdOf = async (orderId: string) => (await live.sentOf(orderId))[0]?.ourId ?? '';
const settlements = async (on: TestMarket) =>
  live.sql`select outcome, settlement_credit_minor::int as credit from ${settlementsIn(live.sql)} where contract_id = ${on.contractId}`;

// contract 16.7
test('a position with contracts in an unresolved sell settles when that resolves', async () => {
  const sold = await market('sold');
  await becomes(await send(sold), 'filled');
  live.venue.script = (order) => live.venue.accept(order, [], 'working');
  const sell = await send(sold, { action: 'sell', stake: undefined, contracts: 5 });
  await becomes(sell, 'submitted');
  await resolve(sold);
  expect(await settleMarket(live.sql, sold.contractId)).toBe(0);
  live.venue.change(await ourIdOf(sell), { state: 'closed' });
  await becomes(sell, 'cancelled');
  expect(await settleMarket(live.sql, sold.contractId)).toBe(1);
  // 17.19 contracts, as nothing was sold
  expect(await settlements(sold)).toEqual([{ outcome: 'won', credit: 1719 }]);
  expect(await tenant.audit()).toEqual([]);
});

// contract 16.7
test('a fill after settlement opens a new position, settled at once', async () => {
  const late = await market('late');
  live.venue.script = (order) => live.venue.fillWhole(order);
  await becomes(await send(late), 'filled');
  live.venue.script = (order) => live.venue.accept(order, [], 'working');
  const buy = await send(late);
  await becomes(buy, 'submitted');
  await resolve(late);
  expect(await settleMarket(live.sql, late.contractId)).toBe(1);
  const [sent] = await live.sentOf(buy);
  if (sent === undefined) {
    throw new Error('never sent');
  }
  live.venue.change(sent.ourId, { state: 'closed', fills: [live.venue.fill(sent, 0, sent.quantityMicros, 0)] });
  await becomes(buy, 'filled');
  expect(await settleMarket(live.sql, late.contractId)).toBe(1);
  expect(await settlements(late)).toEqual([
    { outcome: 'won', credit: 1719 },
    { outcome: 'won', credit: 1719 },
  ]);
  expect(await tenant.audit()).toEqual([]);
});

test('an order on a price that grew old waits, and goes when the feed is back', async () => {
  const old = await market('old');
  await tenant.set('execution_confirmed', false);
  live.venue.script = (order) => live.venue.fillWhole(order);
  const orderId = await send(old, { stake: 150 });
  const age = async (seconds: number) => {
    await live.sql`
      with r as (update board_revision set revision = revision + 1 returning revision)
      update listings set book_confirmed_at = now() - make_interval(secs => ${seconds}), revision = r.revision
      from r where contract_id = ${old.contractId}`;
    await live.sql`select pg_notify('board', (select revision::text from board_revision))`;
  };
  await age(60);
  await live.renewJob();
  await tenant.set('execution_confirmed', true);
  await timePasses(900);
  expect(await tenant.read(orderId)).toMatchObject({ status: 'pending_venue_execution' });
  await age(0);
  await becomes(orderId, 'filled');
});
