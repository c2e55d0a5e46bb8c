/** Trading at a venue stops by itself when our account there holds what the books do not know, until a person resumes it. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { compareAccount } from '../../src/trading/account/compare-account.ts';
import { recordDifferences } from '../../src/trading/account/venue-findings.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import type { RunCommand } from '../support/run-command.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { inspectWork } from '../support/work-checks.ts';
import { type Live, openLive } from '../support/world.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const SLOWEST_MS = 30_000;
let live: Live;
let tenant: Tenant;
let inlay: RunCommand;

let halted = 0;

beforeAll(async () => {
  live = await openLive();
  Object.assign(live.venue.account, {
    halt: async () => {
      halted += 1;
    },
  });
  tenant = await live.tenant();
  inlay = await live.commands({ INLAY_VENUES: 'paper' });
});
afterAll(() => live.close());

const compare = () => {
  const { sql, context } = live;
  return compareAccount({ ...createRecordPorts(sql), log: context.log }, live.venue, 0, 0);
};
const stops = () => live.sql`select venue, because, resumed_by from venue_stops order by stop_id`;

/** The feed of the venue as ingestion writes it: boards read with it whether trading has stopped. */
async function heartbeat(): Promise<void> {
  const { sql, context } = live;
  await sql`
    with r as (update board_revision set revision = revision + 1 returning revision)
    insert into venue_feeds (venue, connected, session, confirmed_at, revision) select 'paper', true, 0, now(), revision from r
    on conflict (venue) do update set confirmed_at = now(), revision = excluded.revision`;
  await context.board.refresh();
}

/** Somebody trades by hand in the account. */
function foreignOrder(ourId: string): void {
  const order = {
    ourId,
    listingId: 'somewhere',
    side: 'YES',
    action: 'BUY',
    quantityMicros: 5_000_000n,
    limitPriceMicros: 500_000n,
    expiresAt: new Date(),
  } as const;
  live.venue.fillWhole(order);
}

test('a difference stops trading by itself: nothing is sent, nothing is quoted, and doctor, venues list and a metric say so', async () => {
  await compare();
  await heartbeat();
  const waiting = await tenant.place('ana');
  const quoted = await tenant.quote('ana');
  expect(quoted.status, quoted.text).toBe(200);
  foreignOrder('by-hand');
  expect((await compare()).length).toBeGreaterThan(0);
  expect(await live.sql`select from venue_findings where kind = 'foreign_order' and subject = 'by-hand'`).toHaveLength(
    1,
  );
  // the worker compares as well, and may have found first that the order was paid
  const because = expect.stringMatching(/foreign order by-hand|cash account/);
  expect(await stops()).toMatchObject([{ venue: 'paper', because }]);

  await heartbeat();
  const refused = await tenant.quote('ana');
  expect([refused.status, refused.body.error]).toEqual([409, 'trading_paused']);
  const sandbox = await live.tenant({ mode: 'sandbox' });
  expect((await sandbox.quote('ana')).status, 'simulated trading goes on').toBe(200);
  // the worker has read the stop when it turns the switch, and sends nothing after that
  await until(() => expect(halted).toBe(1));
  await tenant.confirm(waiting.body.orderId);
  await timePasses(1_500);
  expect((await tenant.read(waiting.body.orderId)).status).toBe('pending_venue_execution');
  expect(halted, 'the switch at the venue is turned once').toBe(1);
  expect(await live.sentOf(waiting.body.orderId)).toEqual([]);

  const { database, context } = live;
  const checks = await inspectWork(database, context.environment);
  expect(checks.find(({ name }) => name === 'trading')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('"inlay venues resume paper" resumes it'),
  });
  const { json } = await inlay('venues', 'list', '--json');
  expect(json.venues[0]).toMatchObject({ trading: 'stopped', stoppedBecause: because });
  const metrics = await live.request('GET', '/metrics', { key: null });
  expect(metrics.text).toContain('inlay_venue_trading_stopped{venue="paper"} 1');
});

test('a person resumes it; open findings do not stop it again, a new one does', async () => {
  const [order] = await live.sql<
    { orderId: string }[]
  >`select order_id from orders where status = 'pending_venue_execution'`;
  const { json } = await inlay('venues', 'resume', 'paper', '--as', 'ada', '--yes', '--json');
  expect(json).toMatchObject({ venue: 'paper', changed: true, openFindings: expect.any(Number) });
  expect(json.openFindings).toBeGreaterThan(0);
  await until(async () => expect((await tenant.read(order?.orderId ?? '')).status).toBe('filled'), SLOWEST_MS);
  await compare();
  await heartbeat();
  expect((await tenant.quote('ana')).status).toBe(200);
  expect(await stops()).toMatchObject([{ resumedBy: SERVICE_ROLE }]);
  expect((await inlay('venues', 'resume', 'paper', '--json')).json).toMatchObject({ changed: false });
  expect((await inlay('venues', 'resume', 'nowhere', '--json')).exitCode).toBe(3);

  foreignOrder('again');
  await compare();
  expect(await stops()).toMatchObject([{ resumedBy: SERVICE_ROLE }, { resumedBy: null }]);
  await inlay('venues', 'resume', 'paper', '--yes');
});

test('a venue whose account has not the money for an order prices no buy of a live operator', async () => {
  await compare();
  await heartbeat();
  expect((await tenant.quote('ana', { stake: 20 })).status).toBe(200);
  await live.sql`update venue_accounts set balance_micros = 19990000 where venue = 'paper'`;
  await heartbeat();
  expect((await tenant.quote('ana', { stake: 20 })).body.error).toBe('line_not_available');
  expect((await tenant.quote('ana', { stake: 10 })).status).toBe(200);
});

test('a finding stops trading in the statement that records it, so a process that ends then leaves no finding without a stop', async () => {
  const { sql } = live;
  const found = ['a', 'b', 'c', 'd'].map((subject) => {
    return { kind: 'foreign_order', subject, operatorId: null, orderId: null, raw: { quantityMicros: 5n } };
  });
  const because = 'foreign order a, foreign order b, foreign order c and 1 more';
  expect(await recordDifferences(sql, 'elsewhere', found)).toEqual({ fresh: found, stopped: because });
  expect(await sql`select because from venue_stops where venue = 'elsewhere'`).toEqual([{ because }]);
  expect(await recordDifferences(sql, 'elsewhere', found)).toEqual({ fresh: [], stopped: null });
  const more = { ...found[0], kind: 'late_fill', subject: 'e' } as (typeof found)[0];
  expect(await recordDifferences(sql, 'elsewhere', [...found, more])).toEqual({ fresh: [more], stopped: null });
});

// contract 19.3
test('what a person resumed over neither ends nor begins with an order in flight; it stops trading once it grows', {
  tags: 'proof',
}, async () => {
  const { sql } = live;
  const { venue } = live;
  const { account } = venue;
  const listingId = `${live.market.contractId.slice('ctr_'.length)}-listing`;
  const [ownPositions, findOrder] = [account.positions, venue.findOrder];
  const open = () =>
    sql`select kind, subject, found_at from venue_findings where cleared_at is null and kind in ('position', 'cash') order by kind`;
  const stopped = async () =>
    (await sql`select because from venue_stops where venue = 'paper' and resumed_at is null`).map(
      (row) => row['because'],
    );
  venue.script = (order, self) => self.fillWhole(order);
  await heartbeat();
  const first = (await tenant.place('ana')).body;
  await tenant.confirm(first.orderId);
  await until(async () => expect((await tenant.read(first.orderId)).status).toBe('filled'), SLOWEST_MS);
  await compare();
  let missing = 1_000_000n;
  Object.assign(account, {
    positions: async () => {
      const held = await ownPositions();
      const ours = held.find((one) => one.listingId === listingId)?.quantityMicros ?? 0n;
      const rest = held.filter((one) => one.listingId !== listingId);
      return [...rest, { listingId, side: 'YES', quantityMicros: ours - missing }];
    },
  });
  venue.cashMicros -= 5_700_000n;
  await compare();
  expect(await stopped()).toHaveLength(1);
  await inlay('venues', 'resume', 'paper', '--as', 'ada', '--yes');
  const found = await open();
  expect(found.filter(({ subject }) => subject === listingId || subject === 'account')).toHaveLength(2);

  // the venue takes the order, and neither its answer nor a look-up comes through
  venue.script = (order, self) => {
    self.fillWhole(order);
    return self.silence();
  };
  venue.findOrder = async () => venue.silence();
  await heartbeat();
  const { orderId } = (await tenant.place('ana')).body;
  await tenant.confirm(orderId);
  await until(async () => expect((await tenant.read(orderId)).status).toBe('submitted'), SLOWEST_MS);
  await compare();
  expect(await open()).toEqual(found);

  venue.findOrder = findOrder;
  await sql`update transmissions set next_lookup_at = now() where order_id = ${orderId}`;
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  await compare();
  expect(await open()).toEqual(found);
  expect(await stopped()).toEqual([]);

  missing -= 100_000n;
  await compare();
  expect(await stopped(), 'a smaller difference').toEqual([]);
  missing += 200_000n;
  await compare();
  expect(await stopped()).toEqual([`position ${listingId}`]);
  await inlay('venues', 'resume', 'paper', '--yes');
  venue.cashMicros -= 1_000_000n;
  await compare();
  expect(await stopped()).toEqual(['cash account']);
  await inlay('venues', 'resume', 'paper', '--yes');
});

// contract 19.5, contract 39.17
test('a person on call stops trading at a venue with a reason, and resumes it', async () => {
  const stop = () =>
    inlay('venues', 'stop', 'paper', '--reason', 'prices look wrong', '--as', 'ada', '--yes', '--json');
  expect((await stop()).json).toMatchObject({ venue: 'paper', changed: true, because: 'prices look wrong' });
  expect((await stop()).json).toMatchObject({ changed: false, because: 'prices look wrong' });
  await heartbeat();
  expect((await tenant.quote('ana')).body.error).toBe('trading_paused');
  const listed = (await inlay('venues', 'list', '--json')).json;
  expect(listed.venues[0]).toMatchObject({ trading: 'stopped', stoppedBecause: 'prices look wrong' });
  expect((await inlay('venues', 'stop', 'nowhere', '--reason', 'r', '--yes', '--json')).exitCode).toBe(3);
  expect((await inlay('venues', 'stop', 'paper', '--yes', '--json')).exitCode).toBe(2);
  expect((await inlay('venues', 'resume', 'paper', '--as', 'ada', '--yes', '--json')).json).toMatchObject({
    changed: true,
    because: 'prices look wrong',
  });
  await heartbeat();
  expect((await tenant.quote('ana', { stake: 5 })).status).toBe(200);
});
