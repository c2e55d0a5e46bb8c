/** Positions and cash of our account at a venue, held against fills, fees, results and transfers: to the cent, and cleared when they agree again. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { compareAccount } from '../../src/trading/account/compare-account.ts';
import { compareCash } from '../../src/trading/account/our-side.ts';
import { recordTransfer } from '../../src/trading/account/transfers.ts';
import { listFindings, resumeTrading } from '../../src/trading/account/venue-findings.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

const BUY = { intent: 'record_intent', reserveReference: 'r' };
let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant();
});
afterAll(() => live.close());

// what one test finds stops trading, which the next one needs
beforeEach(async () => {
  await resumeTrading(live.sql, 'paper');
  await timePasses(1_200);
});

const compare = () => compareAccount({ ...createRecordPorts(live.sql), log: live.context.log }, live.venue, 0, 0);

const kinds = async () => (await compare()).map(({ kind }) => kind);

async function cash() {
  const compared = await compareCash(live.sql, 'paper', live.venue.account);
  if (compared === null) {
    throw new Error('the opening balance is not known');
  }
  return compared;
}

// contract 19.1, contract 19.2
test('cash agrees to the micro over buys, sells, pairs and fees of several operators', async () => {
  live.venue.script = (order, venue) => venue.fillWhole(order, 70);
  expect(await kinds()).toEqual([]);
  const other = await live.tenant();
  expect((await tenant.place('ana', BUY)).body.status).toBe('filled');
  expect((await other.place('ben', BUY, { side: 'NO', stake: 3 })).body.status).toBe('filled');
  const sold = await tenant.place('ana', BUY, { action: 'sell', stake: undefined, contracts: 7.03 });
  expect(sold.body.status, sold.text).toBe('filled');
  const compared = await cash();
  expect(compared).toMatchObject({ least: compared.theirs, most: compared.theirs, difference: 0n });
  expect(compared.theirs).toBeLessThan(live.venue.cashMicros);
  expect(await kinds()).toEqual([]);
});

test('a venue that keeps both sides has not returned the dollars of pairs', async () => {
  const { sql } = live;
  const held = { ...live.venue.account, keepsBothSides: true };
  const rows = await sql<{ quantityMicros: bigint }[]>`
    select sum(quantity_micros)::bigint as quantity_micros from positions where status = 'open' and not simulated group by side`;
  const pairs = rows.map(({ quantityMicros }) => quantityMicros).reduce((least, one) => (one < least ? one : least));
  const [together, apart] = [await cash(), await compareCash(sql, 'paper', held)];
  expect(pairs).toBeGreaterThan(0n);
  expect(together.least - (apart?.least ?? 0n)).toBe(pairs);
});

test('while an order is unknown, cash may be what it is with and without it, and nothing else', async () => {
  live.venue.script = (_order, venue) => venue.silence();
  const { orderId } = (await tenant.place('ana', { intent: 'record_intent' })).body;
  await tenant.confirm(orderId);
  await until(
    () => live.sentOf(orderId),
    (sent) => sent.length === 1,
  );
  const open = await cash();
  expect(open.difference).toBe(0n);
  expect(open.most).toBeGreaterThan(open.least);
  expect(await kinds()).toEqual([]);
  live.venue.cashMicros -= 100_000_000n;
  expect((await cash()).difference).toBeLessThan(0n);
  live.venue.cashMicros += 100_000_000n;
  const [order] = await live.sentOf(orderId);
  if (order === undefined) {
    throw new Error('nothing was sent');
  }
  live.venue.fillWhole(order, 70);
  await live.sql`update transmissions set next_lookup_at = now() where order_id = ${orderId}`;
  await until(
    () => tenant.read(orderId),
    ({ status }) => status === 'filled',
  );
  expect(await cash()).toMatchObject({ difference: 0n });
  expect((await cash()).least).toBe((await cash()).most);
});

test('money that is missing at the venue is a finding, until a transfer explains it', async () => {
  const { sql } = live;
  live.venue.cashMicros -= 5_000_000n;
  expect(await kinds()).toEqual(['cash']);
  expect((await listFindings(sql)).map(({ kind, subject }) => [kind, subject])).toEqual([['cash', 'account']]);
  await recordTransfer(sql, 'paper', 'withdrawal 7', -5_000_000n);
  // the same transfer again records nothing
  await recordTransfer(sql, 'paper', 'withdrawal 7', -5_000_000n);
  await expect(recordTransfer(sql, 'paper', 'withdrawal 7', -6_000_000n)).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
  expect(await kinds()).toEqual([]);
  expect(await listFindings(sql)).toEqual([]);
  // two cents are found, one is the rounding of venues that keep cents
  live.venue.cashMicros += 10_000n;
  expect((await cash()).difference).toBe(0n);
  live.venue.cashMicros += 10_000n;
  expect((await cash()).difference).toBe(20_000n);
  live.venue.cashMicros -= 20_000n;
});

// contract 19.2
test('a position of another size than ours is a finding with both, less or more, until they agree', {
  tags: 'proof',
}, async () => {
  const { sql } = live;
  // the missing money of the test before has stopped trading
  await resumeTrading(sql, 'paper');
  const bought = (await tenant.place('ana', { intent: 'record_intent' }, { stake: 2 })).body;
  live.venue.script = (order, venue) => venue.fillWhole(order);
  await tenant.confirm(bought.orderId);
  await until(
    () => tenant.read(bought.orderId),
    ({ status }) => status === 'filled',
  );
  const [order] = await live.sentOf(bought.orderId);
  const whole = live.venue.orders.get(order?.ourId ?? '');
  const [fill] = whole?.fills ?? [];
  if (whole === undefined || fill === undefined) {
    throw new Error('the order was not filled');
  }
  for (const delta of [-10_000n, 10_000n]) {
    live.venue.change(whole.ourId, { fills: [{ ...fill, quantityMicros: fill.quantityMicros + delta }] });
    expect(await kinds()).toContain('position');
    const [row] = await sql<{ theirs: string; ours: string; operatorId: string | null }[]>`
      select raw ->> 'theirs' as theirs, raw ->> 'ours' as ours, operator_id from venue_findings
      where kind = 'position' and cleared_at is null`;
    expect(BigInt(row?.theirs ?? 0) - BigInt(row?.ours ?? 0)).toBe(delta);
    live.venue.change(whole.ourId, { fills: [fill] });
    expect(await kinds()).toEqual([]);
    expect(await listFindings(sql)).toEqual([]);
  }
});

test('a result lets the venue pay within a day, and then it must have paid', async () => {
  const { sql } = live;
  const before = await cash();
  await sql`
    update contracts set status = 'resolved', resolution = 'YES', venue_resolution = 'YES', resolved_at = now(), resolved_by = 'venue'
    where contract_id = ${live.market.contractId}`;
  const soon = await cash();
  const payout = soon.most - soon.least;
  expect(soon).toMatchObject({ theirs: before.theirs, least: before.theirs, difference: 0n });
  expect(payout).toBeGreaterThan(0n);
  await sql`update contracts set resolved_at = now() - interval '25 hours' where contract_id = ${live.market.contractId}`;
  expect(await cash()).toMatchObject({
    least: before.theirs + payout,
    most: before.theirs + payout,
    difference: -payout,
  });
  // a venue that pays on redemption owes it until then
  const owes = { ...live.venue.account, redeemableMicros: async () => payout };
  expect(await compareCash(sql, 'paper', owes)).toMatchObject({ difference: 0n });
  live.venue.cashMicros += payout;
  expect((await cash()).difference).toBe(0n);
  // in the end every pair is worth a dollar, whenever it was paid
  const apart = await compareCash(sql, 'paper', { ...live.venue.account, keepsBothSides: true });
  expect(apart).toMatchObject({ least: before.theirs + payout, difference: 0n });
});
