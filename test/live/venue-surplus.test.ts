/**
 * What a venue has beyond our books is a warning and stops nothing: gifts, rebates, interest. What is missing there, or what an order of
 * ours could explain, stops trading. What the venue lists as paid in or out is booked under its ids.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { compareAccount } from '../../src/trading/account/compare-account.ts';
import { compareCash } from '../../src/trading/account/our-side.ts';
import { listRecordedTransfers, recordTransfer } from '../../src/trading/account/transfers.ts';
import { listFindings, listStops, resumeTrading } from '../../src/trading/account/venue-findings.ts';
import { createRecordPorts, resolveByPerson } from '../../src/trading/execution/record-execution.ts';
import { findOrders } from '../../src/trading/orders/read-orders.ts';
import type { VenueAccount, VenuePosition, VenueTransfer } from '../../src/venues/port.ts';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { inspectWork } from '../support/work-checks.ts';
import { type Live, openLive } from '../support/world.ts';

const BUY = { intent: 'record_intent', reserveReference: 'r' };
const DOLLAR = 1_000_000n;
const orders = createSentOrders(
  () => live,
  () => tenant,
);
let live: Live;
let tenant: Tenant;
let listingId: string;
/** Beside what the account of the test holds. */
let gifts: VenuePosition[] = [];
let listed: VenueTransfer[] = [];

beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant();
  listingId = `${live.market.contractId.slice('ctr_'.length)}-listing`;
  const { account } = live.venue;
  const held = account.positions;
  Object.assign(account, {
    keepsBothSides: true,
    positions: async () => [...(await held()), ...gifts],
    transfersSince: async () => listed,
  } satisfies Partial<VenueAccount>);
  await compare();
  live.venue.script = (order, venue) => venue.fillWhole(order, 70);
  expect((await tenant.place('ana', BUY)).body.status).toBe('filled');
  expect(await compare()).toEqual([]);
});
afterAll(() => live.close());

beforeEach(async () => {
  gifts = [];
  await resumeTrading(live.sql, 'paper');
  await timePasses(1_200);
});

const compare = () => compareAccount({ ...createRecordPorts(live.sql), log: live.context.log }, live.venue, 0, 0);
const open = async () => (await listFindings(live.sql)).map(({ kind, warning }) => [kind, warning]);
const stops = async () => (await listStops(live.sql)).map(({ because }) => because);

test('cash beyond the books is a warning, and what of it vanishes again stops trading', async () => {
  live.venue.cashMicros += 33_930_001n;
  expect(await compare()).toMatchObject([{ kind: 'cash', size: 3393n }]);
  expect(await open()).toEqual([['cash', true]]);
  expect(await stops()).toEqual([]);
  const accounts = (await inspectWork(live.database, live.context.environment)).find(({ name }) => name === 'accounts');
  expect(accounts).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringContaining('paper: cash account is more than the books explain'),
  });
  // trading goes on, and the same surplus is no news
  expect((await tenant.place('ana', BUY, { stake: 5 })).body.status).toBe('filled');
  await compare();
  expect(await stops()).toEqual([]);

  live.venue.cashMicros -= 5n * DOLLAR;
  expect(await compare()).toMatchObject([{ kind: 'cash', size: -500n }]);
  expect(await open()).toEqual([['cash', false]]);
  expect(await stops()).toEqual(['cash account']);
  live.venue.cashMicros += 5n * DOLLAR;

  // a person books it to the micro
  await resumeTrading(live.sql, 'paper');
  await recordTransfer(live.sql, 'paper', 'interest of November', 33_930_001n);
  expect(await compare()).toEqual([]);
  expect(await open()).toEqual([]);
  expect(await compareCash(live.sql, 'paper', live.venue.account)).toMatchObject({ difference: 0n, unexplained: 0n });
  // once it is explained, it is missed like any other money
  live.venue.cashMicros -= 5n * DOLLAR;
  expect(await compare()).toMatchObject([{ kind: 'cash', size: -500n }]);
  expect(await stops()).toEqual(['cash account']);
  live.venue.cashMicros += 5n * DOLLAR;
  expect(await compare()).toEqual([]);
});

test('a market that closed a day ago and is held without a result is a warning until it has one', async () => {
  const { contractId } = live.market;
  const [listing] = await live.sql<{ listingId: string }[]>`
    select listing_id from listings where contract_id = ${contractId}`;
  const [held] = await live.sql<{ quantityMicros: bigint }[]>`
    select sum(quantity_micros)::bigint as quantity_micros from positions where contract_id = ${contractId} and status = 'open'`;
  const [before] = await live.sql`select closes_at, updated_at from contracts where contract_id = ${contractId}`;
  const close = (closed: string, closesHours: number, changedHours: number) => live.sql`
    update contracts set trading_closed = ${closed === 'closed'}, closes_at = now() - make_interval(hours => ${closesHours}),
      updated_at = now() - make_interval(hours => ${changedHours}) where contract_id = ${contractId}`;
  await close('closed', 23, 23);
  expect(await compare()).toEqual([]);
  await close('open', 25, 25);
  expect(await compare()).toEqual([]);
  const overdue = [{ kind: 'result_overdue', subject: listing?.listingId, size: held?.quantityMicros }];
  // by the clock, and before its time
  await close('closed', 25, 1);
  expect(await compare()).toMatchObject(overdue);
  await close('closed', -100, 25);
  expect(await compare()).toMatchObject(overdue);
  expect(await open()).toEqual([['result_overdue', true]]);
  expect(await stops()).toEqual([]);
  const accounts = (await inspectWork(live.database, live.context.environment)).find(({ name }) => name === 'accounts');
  expect(accounts).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringContaining(
      `paper: result overdue ${listing?.listingId} closed a day ago, and is held without a result`,
    ),
  });
  // a result that is on its way to the books is enough
  await live.sql`update contracts set venue_resolution = 'YES' where contract_id = ${contractId}`;
  expect(await compare()).toEqual([]);
  expect(await open()).toEqual([]);
  await live.sql`
    update contracts set venue_resolution = null, trading_closed = false, closes_at = ${before?.['closesAt']},
      updated_at = ${before?.['updatedAt']} where contract_id = ${contractId}`;
});

test('what the venue lists is booked under its ids, once, in micro-dollars; what is pending may be in the balance or not', async () => {
  const at = new Date(Date.now() + 60_000);
  const moved = (id: string, kind: VenueTransfer['kind'], amountMicros: bigint, pending = false): VenueTransfer => {
    return { id, kind, amountMicros, at, pending };
  };
  listed = [
    moved('before', 'deposit', 900n * DOLLAR),
    moved('0x1', 'rebate', 1_234_567n),
    moved('0x1', 'reward', 5_000_000n),
    moved('7', 'deposit', 100n * DOLLAR),
    moved('8', 'withdrawal', -40n * DOLLAR, true),
  ].map((one) => (one.id === 'before' ? { ...one, at: new Date(Date.now() - 86_400_000) } : one));
  live.venue.cashMicros += 106_234_567n;
  expect(await compare()).toEqual([]);
  // the money of a withdrawal leaves before the bank has it
  live.venue.cashMicros -= 40n * DOLLAR;
  expect(await compare()).toEqual([]);
  listed = listed.map((one) => ({ ...one, pending: false }));
  expect(await compare()).toEqual([]);
  expect(await compareCash(live.sql, 'paper', live.venue.account, listed)).toMatchObject({ difference: 0n });
  const booked = (await listRecordedTransfers(live.sql, 'paper', 10)).filter(({ kind }) => kind !== 'by_hand');
  expect(booked.map(({ kind, reference, amountMicros }) => [kind, reference, amountMicros])).toEqual([
    ['deposit', '7', 100n * DOLLAR],
    ['rebate', '0x1', 1_234_567n],
    ['reward', '0x1', 5_000_000n],
    ['withdrawal', '8', -40n * DOLLAR],
  ]);
});

test('shares that somebody sends are a warning on either side; a share that is missing stops trading in spite of them', async () => {
  const gift = (side: 'YES' | 'NO', quantityMicros: bigint, of = listingId) => ({
    listingId: of,
    side,
    quantityMicros,
  });
  gifts = [gift('YES', 1n), gift('YES', 3n, 'never-listed')];
  expect((await compare()).map(({ subject, size }) => [subject, size])).toEqual([
    [listingId, 1n],
    ['never-listed', 3n],
  ]);
  expect(await stops()).toEqual([]);
  // shares of the other side do not count against ours
  gifts = [gift('NO', 7n * DOLLAR)];
  expect(await compare()).toMatchObject([{ kind: 'position', subject: listingId, size: 7n * DOLLAR }]);
  expect(await stops()).toEqual([]);
  gifts = [gift('NO', 7n * DOLLAR), gift('YES', -10_000n)];
  expect(await compare()).toMatchObject([{ kind: 'position', subject: listingId, size: -10_000n }]);
  expect(await stops()).toEqual([`position ${listingId}`]);
  gifts = [];
  expect(await compare()).toEqual([]);
  expect(await open()).toEqual([]);
});

test('the tolerance grows with the fills whose fee we reckon', async () => {
  const reckoned = { ...live.venue.account, feeErrorMicros: 10_000n };
  const exact = async (account: VenueAccount) => (await compareCash(live.sql, 'paper', account, listed))?.difference;
  live.venue.cashMicros -= 20_000n;
  expect(await exact(live.venue.account)).toBe(-20_000n);
  expect(await exact(reckoned)).toBe(0n);
  live.venue.cashMicros += 20_000n;
});

/** The venue never got it, and answers no look-up with it. */
async function forget(): Promise<string> {
  live.venue.readsOthers = true;
  live.venue.script = (_, venue) => venue.silence();
  const { orderId } = await orders.send();
  await until(
    () => orders.attempt(orderId),
    (one) => one?.state === 'unknown',
  );
  return orderId;
}

test('shares that an order which counts as never received could explain stop trading', async () => {
  const orderId = await forget();
  await live.sql`update transmissions set expires_at = now() - interval '61 seconds' where order_id = ${orderId}`;
  await orders.asked(orderId);
  await orders.asked(orderId);
  await orders.due(orderId);
  expect(await orders.ended(orderId)).toMatchObject({ status: 'rejected' });
  gifts = [{ listingId, side: 'YES', quantityMicros: 10_000n }];
  expect(await compare()).toMatchObject([{ kind: 'position', subject: listingId, size: -10_000n }]);
  expect(await stops()).toEqual([`position ${listingId}`]);
  gifts = [];
  expect(await compare()).toEqual([]);
});

test('a fill of an order that a person called rejected stops trading', async () => {
  const orderId = await forget();
  const [order] = await findOrders(live.sql, orderId);
  if (order === undefined) {
    throw new Error('no order');
  }
  await resolveByPerson(createRecordPorts(live.sql), order, { rejected: true }, 'ticket 4711');
  expect(await compare()).toEqual([]);
  const [sent] = await live.sentOf(orderId);
  live.venue.fillWhole(sent as NonNullable<typeof sent>, 70);
  expect((await compare()).map(({ kind }) => kind)).toContain('late_fill');
  expect(await stops()).toEqual([expect.stringContaining('late fill')]);
});
