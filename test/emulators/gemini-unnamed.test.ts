/**
 * Live orders at the emulated Gemini, which lists them under ids that it made itself, as it was recorded: each is recognised by what it
 * says, and none counts for two.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Order } from '../../src/emulators/gemini/state.ts';
import { nameAttempt } from '../../src/trading/execution/attempts.ts';
import { createRecordPorts, resolveByPerson } from '../../src/trading/execution/record-execution.ts';
import type { Learned } from '../../src/trading/execution/report.ts';
import { listStuck } from '../../src/trading/orders/read-orders.ts';
import { openGemini } from '../../src/venues/gemini/gemini.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { geminiOrderOf, KEY_ID } from './gemini-venue.ts';
import { RAIN, startLiveGemini } from './live-exchange.ts';

const SLOWEST_MS = 60_000;
const SEND = 'POST /v1/prediction-markets/order';
const PATIENT = { timeout: 180_000 };

const exchange = await startLiveGemini();
const { service, tenant, emulator, secretFile } = exchange;
const { sql } = service;
/** Somebody else who trades in the same account. */
const stranger = openGemini('gemini', async () => emulator.url, {
  ...VENUE_SETTINGS.gemini,
  url: emulator.url,
  keyId: KEY_ID,
  secretFile,
});
afterAll(async () => {
  await stranger.close();
  await exchange.close();
});

const account = () => exchange.account;
const orderOf = (orderId: string): Order | undefined =>
  [...account().orders.values()].find(({ sentId }) => sentId === orderId.replace('ord_', 'att_'));
const refOf = (orderId: string): string => String(orderOf(orderId)?.orderId);

interface AttemptRow {
  readonly state: string;
  readonly venueRef: string | null;
  readonly lookups: number;
  readonly notFound: number;
}
async function attempt(orderId: string): Promise<AttemptRow | undefined> {
  const [row] = await sql<AttemptRow[]>`
    select state, venue_ref, lookups, not_found from transmissions where order_id = ${orderId}`;
  return row;
}

/** Places an order for each customer, at the same time. */
async function place(...users: string[]): Promise<string[]> {
  await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
  const placed = await Promise.all(users.map((user) => tenant.place(user, { reserveReference: 'r' }, { stake: 5 })));
  return placed.map(({ body, text }) => {
    expect(body.orderId, text).toBeDefined();
    return body.orderId;
  });
}
const filled = (orderId: string) =>
  until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);

/** Lets the worker ask once more. */
async function asked(orderId: string): Promise<AttemptRow | undefined> {
  const before = (await attempt(orderId))?.lookups ?? 0;
  await sql`update transmissions set next_lookup_at = now() where order_id = ${orderId} and state <> 'done'`;
  return until(
    () => attempt(orderId),
    (row) => (row?.lookups ?? 0) > before,
    SLOWEST_MS,
  );
}
const unknown = (orderId: string) =>
  until(
    () => attempt(orderId),
    (row) => row?.state === 'unknown',
    SLOWEST_MS,
  );
const expire = (orderId: string) =>
  sql`update transmissions set expires_at = now() - interval '61 seconds' where order_id = ${orderId}`;
const reasons = async (orderId: string) =>
  (
    await sql<{ reason: string }[]>`
      select distinct raw ->> 'reason' as reason from venue_evidence where order_id = ${orderId} and kind = 'garbage'`
  ).map(({ reason }) => reason);

async function decide(orderId: string, learned: Learned): Promise<void> {
  const order = (await listStuck(sql)).find((one) => one.orderId === orderId);
  expect(order).toBeDefined();
  await resolveByPerson(createRecordPorts(sql), order as NonNullable<typeof order>, learned, 'the account there');
}

/** The next comparison ends, and has found nothing that the books do not know. */
async function nothingFound(): Promise<void> {
  const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  const since = now?.at ?? new Date();
  await until(async () => {
    expect(await sql`select from venue_accounts where compared_until > ${since}`).toHaveLength(1);
  }, SLOWEST_MS);
  expect([...(await sql`select kind, subject from venue_findings`)]).toEqual([]);
  expect([...(await sql`select because from venue_stops`)]).toEqual([]);
  expect(await tenant.audit()).toEqual([]);
}

beforeEach(() => emulator.faults.clear());

// contract 18.18
test('an order is known by the id of the exchange as soon as it has answered', PATIENT, async () => {
  const [orderId = ''] = await place('ann');
  await filled(orderId);
  expect((await attempt(orderId))?.venueRef).toBe(refOf(orderId));
  expect(orderOf(orderId)?.clientOrderId).toMatch(/^[0-9a-f]{8}-/);
  await nothingFound();
});

// contract 18.4, contract 18.18
test('an order whose answer is lost is recognised by what it says, and is there once', PATIENT, async () => {
  const before = account().orders.size;
  emulator.faults.arm({ kind: 'timeout_after_apply' }, SEND);
  const [orderId = ''] = await place('ann');
  await filled(orderId);
  expect((await attempt(orderId))?.venueRef).toBe(refOf(orderId));
  expect(account().orders.size).toBe(before + 1);
  await nothingFound();
});

// contract 18.18
test('two equal orders whose answers are lost have one order there each', PATIENT, async () => {
  emulator.faults.arm({ kind: 'timeout_after_apply' }, SEND, 2);
  const [first = '', second = ''] = await place('ann', 'bea');
  await filled(first);
  await filled(second);
  const refs = [await attempt(first), await attempt(second)].map((row) => row?.venueRef);
  expect(new Set(refs)).toEqual(new Set([refOf(first), refOf(second)]));
  await nothingFound();
});

// contract 18.8, contract 18.18
test(
  'of two equal orders of which one arrived, neither is decided before a person did, and then not by the same order',
  PATIENT,
  async () => {
    emulator.faults.arm({ kind: 'timeout_after_apply' }, SEND);
    emulator.faults.arm({ kind: 'timeout_before_apply' }, SEND);
    const both = await place('ann', 'bea');
    const [arrived = '', lost = ''] = both.toSorted((one) => (orderOf(one) === undefined ? 1 : -1));
    for (const orderId of [arrived, lost]) {
      await unknown(orderId);
      expect(await asked(orderId)).toMatchObject({ state: 'unknown', venueRef: null, notFound: 0 });
      expect(await reasons(orderId)).toEqual(['one of several orders there could be this one']);
    }
    await nothingFound();
    const { count: quantityMicros, paid } = orderOf(arrived) as Order;
    const priceMicros = paid / quantityMicros;
    const fees = account().trades.filter(({ orderId }) => String(orderId) === refOf(arrived));
    const feeMinor = fees.reduce((sum, { fee }) => sum + fee, 0n) / 10_000n;
    await decide(arrived, { rejected: false, quantityMicros, priceMicros, feeMinor });
    // the order there is not given to the other one
    expect(await asked(lost)).toMatchObject({ state: 'unknown', venueRef: null });
    await decide(lost, { rejected: true });
    await nothingFound();
  },
);

const strange = (changes: Partial<OrderToPlace>) =>
  stranger.placeOrder(geminiOrderOf({ listingId: RAIN, quantityMicros: 2_000_000n, ...changes }), () => true);

// contract 18.8, contract 18.18
test(
  'an order that never arrived is absent beside orders that cannot be it, and unknown beside one that could',
  PATIENT,
  async () => {
    emulator.faults.arm({ kind: 'timeout_before_apply' }, SEND);
    const [first = ''] = await place('ann');
    await unknown(first);
    // it fills nothing, so that the comparison has nothing to find
    await strange({ side: 'NO', limitPriceMicros: 10_000n });
    await expire(first);
    await until(async () => {
      await sql`update transmissions set next_lookup_at = now() where order_id = ${first} and state <> 'done'`;
      expect((await tenant.read(first)).status).toBe('rejected');
    }, SLOWEST_MS);
    emulator.faults.arm({ kind: 'timeout_before_apply' }, SEND);
    const [second = ''] = await place('ann');
    await unknown(second);
    await strange({ limitPriceMicros: 10_000n });
    await expire(second);
    for (let look = 0; look < 4; look += 1) {
      expect(await asked(second)).toMatchObject({ state: 'unknown', notFound: 0, venueRef: null });
    }
    await decide(second, { rejected: true });
    await nothingFound();
  },
);

test(
  'a trade of somebody else is found and stops trading, also while an order of ours is unknown',
  PATIENT,
  async () => {
    emulator.faults.arm({ kind: 'timeout_before_apply' }, SEND);
    const [orderId = ''] = await place('ann');
    await unknown(orderId);
    const answer = await strange({ limitPriceMicros: 420_000n });
    const subject = answer.order?.venueOrderId ?? '';
    await until(async () => {
      expect([...(await sql`select kind, subject from venue_findings where kind = 'foreign_order'`)]).toEqual([
        { kind: 'foreign_order', subject },
      ]);
    }, SLOWEST_MS);
    expect(await sql`select because from venue_stops`).toHaveLength(1);
  },
);

// contract 18.18
test('of two attempts that are given the same order at the same moment, one has it', PATIENT, async () => {
  const unnamed = await sql<{ operatorId: string; orderId: string }[]>`
    select operator_id, order_id from transmissions where venue_ref is null and state = 'done' limit 2`;
  expect(unnamed).toHaveLength(2);
  const name = (one: (typeof unnamed)[number], ref: string) =>
    nameAttempt(sql, { name: 'gemini', mayOmitOurId: true }, one, ref);
  expect((await Promise.all(unnamed.map((one) => name(one, 'of both')))).toSorted()).toEqual([false, true]);
  // who has one keeps it
  expect((await Promise.all(unnamed.map((one) => name(one, 'of both')))).toSorted()).toEqual([false, true]);
  const [first, second] = await sql<{ venueRef: string | null }[]>`
    select venue_ref from transmissions where order_id = any (${unnamed.map(({ orderId }) => orderId)}::text[]) order by venue_ref`;
  expect([first?.venueRef, second?.venueRef]).toEqual(['of both', null]);
});
