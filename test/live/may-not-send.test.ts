/** A venue to which nothing may be sent: live operators are told before they trade, and nobody else notices (contract 19.6). */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHeldBack } from '../../src/jobs/transmit.ts';
import { resumeTrading, stopTradingBecause } from '../../src/trading/account/venue-findings.ts';
import { VenueUnknown } from '../../src/venues/port.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { RunCommand } from '../support/run-command.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { inspectWork } from '../support/work-checks.ts';
import { type Live, openLive } from '../support/world.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const SLOWEST_MS = 40_000;
let live: Live;
let tenant: Tenant;
let sandbox: Tenant;
let inlay: RunCommand;
/** Traded where nothing of ours can be sent. */
let readOnly: string;

beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant();
  sandbox = await live.tenant({ mode: 'sandbox' });
  readOnly = (await live.openMarket('shown', undefined, { venue: 'kalshi' })).contractId;
  await heartbeat();
  inlay = await live.commands({ INLAY_VENUES: 'paper' });
});
afterAll(() => live.close());

/** The feed of the venue as ingestion writes it: boards read with it whether anything may be sent there. */
async function heartbeat(): Promise<void> {
  const { sql, context } = live;
  await sql`
    with r as (update board_revision set revision = revision + 1 returning revision)
    insert into venue_feeds (venue, connected, session, confirmed_at, last_sync_at, revision) select 'paper', true, 0, now(), now(), revision from r
    on conflict (venue) do update set confirmed_at = now(), last_sync_at = now(), revision = excluded.revision`;
  await context.board.refresh();
}

async function embedToken(key: string): Promise<string> {
  const minted = await live.request('POST', '/api/v1/embed-sessions', { key, body: { externalUserId: 'ana' } });
  expect(minted.status, minted.text).toBe(200);
  return minted.body.token;
}

/** What the lists and the single events of an operator, by key and in the frame, say of the contract. */
async function shown({ key }: Tenant, contractId = live.market.contractId): Promise<AnyJson[]> {
  const eventId = contractId.replace('ctr_', 'evt_');
  const token = await embedToken(key);
  const list = await live.request('GET', '/api/v1/events?limit=50', { key });
  const one = await live.request('GET', `/api/v1/events/${eventId}`, { key });
  const inFrame = (path: string) =>
    live.request('GET', `/api/embed/events${path}`, {
      key: null,
      headers: { authorization: `Embed ${token}` },
    });
  const frame = await inFrame(`/${eventId}`);
  const frameList = await inFrame('?limit=50');
  const [listed, framed] = [list, frameList].map(({ body }) =>
    body.data.find(({ id }: { id: string }) => id === eventId),
  );
  return [listed, one.body.data, framed, frame.body.data].map((event) => {
    const outcome = event.outcomes.find(({ id }: { id: string }) => id === contractId);
    const { tradable, executableYesCents, executableNoCents, probability } = outcome;
    return { tradable, executableYesCents, executableNoCents, probability };
  });
}

const tradableIds = async ({ key }: Tenant): Promise<string[]> =>
  (await live.request('GET', '/api/v1/events?tradable=true&limit=50', { key })).body.data.map(
    ({ id }: { id: string }) => id,
  );
const health = async () => (await live.request('GET', '/api/health', { key: null })).body.status;

const OPEN = { tradable: true, executableYesCents: 57, executableNoCents: 45, probability: 0.56 };
const HALTED = { ...OPEN, tradable: false, executableYesCents: null, executableNoCents: null };
const everywhere = (view: typeof OPEN | typeof HALTED) => [view, view, view, view];

async function expectHalted(quoteId: string): Promise<void> {
  expect(await shown(tenant)).toEqual(everywhere(HALTED));
  expect(await tradableIds(tenant)).not.toContain(live.market.eventId);
  const quoted = await tenant.quote('ana');
  expect([quoted.status, quoted.body.error]).toEqual([409, 'trading_paused']);
  const placed = await tenant.order('ana', { quoteId, clientOrderId: `halted ${quoteId}`, reserveReference: 'r' });
  expect([placed.status, placed.body.error]).toEqual([409, 'trading_paused']);
  expect(await health()).toBe('degraded');
  // nobody else notices
  expect(await shown(sandbox)).toEqual(everywhere(OPEN));
  expect(await tradableIds(sandbox)).toContain(live.market.eventId);
  expect((await sandbox.place('ana')).body.status).toBe('filled');
  // a venue that is only read is shown as before
  expect(await shown(tenant, readOnly)).toEqual(everywhere(OPEN));
  expect((await tenant.quote('ana', { marketId: readOnly })).body.error).toBe('line_not_available');
}

// contract 19.5, contract 19.6
test('while trading at a venue is stopped, what only it trades is not tradable for live operators', async () => {
  expect(await shown(tenant)).toEqual(everywhere(OPEN));
  expect(await health()).toBe('ok');
  const { quoteId } = (await tenant.quote('ana')).body;
  await stopTradingBecause(live.sql, 'paper', 'a test');
  await heartbeat();
  await expectHalted(quoteId);
  await resumeTrading(live.sql, 'paper');
  await heartbeat();
  expect(await shown(tenant)).toEqual(everywhere(OPEN));
  expect((await tenant.quote('ana')).status).toBe(200);
  expect(await health()).toBe('ok');
});

// contract 19.5, contract 19.6, contract 19.7
test('a venue that holds our sends back for more than 15 s says so everywhere, until they have flowed for 15 s', {
  tags: 'proof',
}, async () => {
  // the worker looks once a second: it must have seen orders flow, or what held them back at its start would count as well
  live.venue.script = (order, venue) => venue.fillWhole(order);
  const flows = await tenant.place('cyd', { reserveReference: 'r' });
  await until(async () => expect(await tenant.read(flows.body.orderId)).toMatchObject({ status: 'filled' }));
  await timePasses(1_500);
  let refusals = 0;
  let refusedAt = 0;
  live.venue.script = (order, venue) => {
    refusals += 1;
    if (refusals === 1) {
      refusedAt = performance.now();
      throw new VenueUnknown('paper', 'status 429', { notTaken: true, status: 429, retryAfterMs: 18_000 });
    }
    return venue.fillWhole(order);
  };
  const { quoteId } = (await tenant.quote('ana')).body;
  expect((await tenant.place('ana', { reserveReference: 'r' })).body).toMatchObject({
    rejectReason: 'venue_unavailable',
  });
  const waiting = (await tenant.place('ben')).body.orderId;
  await tenant.confirm(waiting);
  const held = async () => {
    await heartbeat();
    return (await tenant.quote('ana')).body.error === 'trading_paused';
  };
  expect(await held()).toBe(false);
  await until(async () => expect(await held()).toBe(true), SLOWEST_MS);
  expect(performance.now() - refusedAt).toBeGreaterThan(14_000);
  await expectHalted(quoteId);

  const { json } = await inlay('venues', 'list', '--json');
  expect(json.venues[0]).toMatchObject({ trading: 'held_back', heldBecause: 'the venue demanded fewer requests' });
  const { database, context } = live;
  expect((await inspectWork(database, context.environment)).find(({ name }) => name === 'trading')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('sends to paper are held back since'),
  });
  const metric = async () => (await live.request('GET', '/metrics', { key: null })).text;
  expect(await metric()).toContain('inlay_venue_held_back{venue="paper"} 1');

  // what waits is not withdrawn for it, and goes when it can
  await until(async () => expect((await tenant.read(waiting)).status).toBe('filled'), SLOWEST_MS);
  expect(await held(), 'they have not flowed for 15 s').toBe(true);
  await until(async () => expect(await held()).toBe(false), SLOWEST_MS);
  expect(await shown(tenant)).toEqual(everywhere(OPEN));
  expect(await metric()).toContain('inlay_venue_held_back{venue="paper"} 0');
});

// contract 19.5
test('sends are held back after 15 s of hindrance, and until they have flowed for as long', () => {
  let now = 0;
  const sends = createHeldBack(() => now);
  const at = (seconds: number, hindrance: string | null) => {
    now = seconds * 1_000;
    return sends.look(hindrance);
  };
  expect([at(100, 'busy'), at(114, 'busy'), at(115, 'busy')]).toEqual([null, null, 'busy']);
  expect([at(116, null), at(120, 'busy'), at(121, null), at(135, null), at(136, null)]).toEqual([
    'busy',
    'busy',
    'busy',
    'busy',
    null,
  ]);
  expect([at(140, 'slow'), at(150, null), at(160, 'slow'), at(174, 'slow')]).toEqual([null, null, null, null]);
});
