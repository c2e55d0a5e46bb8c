/** The transmission job beside others: a venue that hangs holds up no other, and of many workers one asks. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { VenueUnknown } from '../../src/venues/port.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

/** More than the lanes of a venue and than one reading of what waits, together with one order more. */
const HUNG = 270;
const AT_ONCE = 30;

let live: Live;
beforeAll(async () => {
  live = await openLive({ job: false, keepTrading: true });
});
afterAll(() => live.close());

async function placeMany(tenant: Tenant, count: number): Promise<void> {
  const left = Array.from({ length: count }, (_, index) => `player-${index}`);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let user = left.pop(); user !== undefined; user = left.pop()) {
        const answer = await tenant.place(user, { reserveReference: 'r' });
        expect(answer.status, answer.text).toBe(201);
      }
    }),
  );
}

test('an order to one venue goes out while another venue hangs with more orders than its pool has slots', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const other = await live.openMarket('elsewhere', undefined, { venue: 'paper-2' });
  const tenant = await live.tenant({ collateralMinor: 10_000_000n, executionConfirmed: false });
  await placeMany(tenant, HUNG);
  const last = await tenant.place('patient', { reserveReference: 'r' }, { marketId: other.contractId });
  expect(last.status, last.text).toBe(201);

  const released = Promise.withResolvers<void>();
  const hangs = new ScriptedVenue();
  hangs.script = async (order, venue) => {
    await released.promise;
    return venue.fillWhole(order);
  };
  const well = new ScriptedVenue('paper-2');
  const list = [hangs, well];
  const context = live.openWorker();
  await tenant.set('execution_confirmed', true);
  const job = await startTransmission(context, {
    list,
    get: (name) => list.find((venue) => venue.name === name) as ScriptedVenue,
    close: async () => {},
  });
  try {
    await until(
      () => tenant.read(last.body.orderId),
      (order) => order.status === 'filled',
      30_000,
    );
    expect(well.received.size).toBe(1);
    await until(
      async () => hangs.received.size,
      (sent) => sent > 0,
      30_000,
    );
    expect(hangs.received.size).toBeLessThan(HUNG);
    released.resolve();
    await until(
      async () => hangs.received.size,
      (sent) => sent === HUNG,
      60_000,
    );
    expect([...hangs.received.values()].every((sent) => sent.length === 1)).toBe(true);
  } finally {
    released.resolve();
    await job.close();
    await context.close();
  }
});

test('many workers never ask about one order at the same time, and what a venue says wrongly is kept once', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const tenant = await live.tenant();
  const { venue } = live;
  venue.script = () => venue.silence();
  const asked = new Map<string, number>();
  let under: string[] = [];
  let twice = 0;
  venue.findOrder = async (ourId) => {
    twice += under.includes(ourId) ? 1 : 0;
    under.push(ourId);
    asked.set(ourId, (asked.get(ourId) ?? 0) + 1);
    await timePasses(60);
    under = under.filter((other) => other !== ourId);
    throw new VenueUnknown('paper', 'no order', { evidence: { about: 'order', reason: 'no order', raw: { ourId } } });
  };
  const jobs = await Promise.all([1, 2, 3, 4].map(() => live.startJob()));
  try {
    const placed = await Promise.all(
      ['ada', 'bob', 'cyd', 'dan'].map((user) =>
        tenant.place(user, {}).then((answer) => answer.body.orderId as string),
      ),
    );
    await Promise.all(placed.map((orderId) => tenant.confirm(orderId, { reserveReference: 'r' })));
    await until(
      async () => [...asked.values()],
      (counts) => counts.length === 4 && counts.every((count) => count >= 3),
      60_000,
    );
    expect(twice).toBe(0);
    const rows = await live.sql<{ orderId: string; kept: number }[]>`
      select order_id, count(*)::int as kept from venue_evidence where operator_id = ${tenant.operator.operatorId} group by 1`;
    expect(rows.map(({ kept }) => kept)).toEqual([1, 1, 1, 1]);
  } finally {
    await Promise.all(jobs.map((job) => job.close()));
  }
});
