/** Listings of two venues that a person matched: what is shown is what a quote gives, and a change of either ends the match. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { contractIdOf } from '../../src/markets/identity.ts';
import { type BoardWrites, openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { type Following, followVenue } from '../../src/markets/ingestion/follow-venue.ts';
import { listRoutingGroups, verifyRoutingGroup } from '../../src/markets/routing-groups.ts';
import type { VenueMarket } from '../../src/venues/listing.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { event, levels, market, TestVenue } from './test-venue.ts';

const log = createLog('silent');
const closesAt = new Date(Date.now() + 86_400_000);
const first = new TestVenue('paper');
const second = new TestVenue('paper-2');
let service: TestService;
let writes: BoardWrites;
let following: Following[];

beforeAll(async () => {
  service = await startTestService();
  const { clock } = service.context;
  writes = openBoardWrites({ sql: service.sql, log, clock, fence: null });
  following = [
    await followVenue({ venue: first, rank: 0, writes, clock, log }),
    await followVenue({ venue: second, rank: 1, writes, clock, log }),
  ];
});
afterAll(async () => {
  for (const one of following) {
    await one.close();
  }
  await writes.close();
  await service.close();
});

type Side = Parameters<typeof levels>;

function listingOf(group: string, venue: TestVenue, parts: Partial<VenueMarket> = {}): VenueMarket {
  const id = `${group}-${venue.name}`;
  return market(id, id, {
    groupKey: group,
    closesAt,
    rules: 'The rules.',
    fee: { model: 'of_cost', bps: 0, known: true },
    ...parts,
  });
}

/** Lists the market at both venues with these books, matched by a person. @returns its contract id. */
async function matched(group: string, one: [bids: Side, asks: Side], two: [bids: Side, asks: Side]): Promise<string> {
  const contractId = contractIdOf('paper', '', group);
  for (const [venue, [bids, asks]] of [
    [first, one],
    [second, two],
  ] as const) {
    const listing = listingOf(group, venue);
    venue.list(event(listing.eventId, [listing], { groupKey: `event-${group}` }));
    venue.setBook(listing.listingId, levels(...bids), levels(...asks));
  }
  await until(
    async () => service.context.board.contracts.get(contractId)?.books.length,
    (count) => count === 2,
  );
  await verifyRoutingGroup(service.sql, group, 'ada');
  await routable(contractId, true);
  return contractId;
}

async function routable(contractId: string, wanted: boolean): Promise<void> {
  await until(
    async () => service.context.board.contracts.get(contractId)?.routable,
    (value) => value === wanted,
  );
}

async function quote(contractId: string, side: 'YES' | 'NO') {
  const body = { marketId: contractId, side, action: 'buy', stake: 2 };
  const answer = await service.request('POST', '/api/v1/quotes', { user: 'ana', body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function shown(contractId: string) {
  const { eventId } = service.context.board.contracts.get(contractId) ?? {};
  const answer = await service.request('GET', `/api/v1/events/${eventId}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.outcomes[0];
}

test('contract 5: executable prices of matched listings are what a quote gives, where the venues overlap too', async () => {
  const contractId = await matched('overlap', [[[0.45, 100]], [[0.5, 100]]], [[[0.4, 100]], [[0.44, 100]]]);
  const outcome = await shown(contractId);
  expect(outcome).toMatchObject({ executableYesCents: 44, executableNoCents: 55, tradable: true });
  expect((await quote(contractId, 'YES')).executionPrice).toBe(0.44);
  expect((await quote(contractId, 'NO')).executionPrice).toBe(0.55);
});

test('contract 6: a two-sided combined book reads midpoint where one venue has a crossed one', async () => {
  const contractId = await matched('crossed', [[[0.6, 100]], [[0.55, 100]]], [[[0.4, 100]], [[0.5, 100]]]);
  expect(await shown(contractId)).toMatchObject({
    priceBasis: 'midpoint',
    yesCents: 45,
    executableYesCents: 50,
    executableNoCents: 60,
    spreadCents: 10,
  });
});

const CHANGES: readonly (readonly [what: string, parts: Partial<VenueMarket>])[] = [
  ['rules text', { rules: 'Other rules.' }],
  ['closing time', { closesAt: new Date(closesAt.getTime() + 60_000) }],
  ['outcome names', { yesLabel: 'Other' }],
];

test('live 17: a change of rules text, closing time or outcome names at either venue ends routing until matched again', async () => {
  for (const [number, [what, parts]] of CHANGES.entries()) {
    for (const venue of [first, second]) {
      const group = `changed-${number}-${venue.name}`;
      const contractId = await matched(group, [[[0.4, 100]], [[0.5, 100]]], [[[0.4, 100]], [[0.45, 100]]]);
      expect((await quote(contractId, 'YES')).executionPrice, what).toBe(0.45);
      venue.change(listingOf(group, venue, parts));
      await routable(contractId, false);
      expect((await quote(contractId, 'YES')).executionPrice, what).toBe(0.5);
      // back as it was is another change that nobody has looked at
      venue.change(listingOf(group, venue));
      await writes.settled();
      await service.context.board.refresh();
      expect(service.context.board.contracts.get(contractId)?.routable).toBe(false);
      const groups = await listRoutingGroups(service.sql);
      expect(groups.find(({ groupKey }) => groupKey === group)).toMatchObject({
        verified: false,
        endedBecause: 'terms_changed',
        endedAt: expect.any(Date),
      });
      await verifyRoutingGroup(service.sql, group, 'ada');
      await routable(contractId, true);
    }
  }
});

test('live 17: a listing that joins a matched contract ends routing; prices and volumes do not', async () => {
  const contractId = await matched('joined', [[[0.4, 100]], [[0.5, 100]]], [[[0.4, 100]], [[0.45, 100]]]);
  second.change(listingOf('joined', second, { volumeMicros: 9n, lastPriceMicros: 1n, tickMicros: 1n }));
  await writes.settled();
  await service.context.board.refresh();
  expect(service.context.board.contracts.get(contractId)?.routable).toBe(true);
  const third = listingOf('joined', second, { listingId: 'joined-third' });
  const listed = second.events.get(third.eventId);
  second.list({ ...event(third.eventId, []), ...listed, markets: [...(listed?.markets ?? []), third] });
  await routable(contractId, false);
  const groups = await listRoutingGroups(service.sql);
  expect(groups.find(({ groupKey }) => groupKey === 'joined')?.endedBecause).toBe('listing_joined');
});

test('live 17: a buy on a quote of the other venue is refused once routing has ended', async () => {
  const contractId = await matched('quoted', [[[0.4, 100]], [[0.5, 100]]], [[[0.4, 100]], [[0.45, 100]]]);
  const { quoteId, executionPrice } = await quote(contractId, 'YES');
  expect(executionPrice).toBe(0.45);
  second.change(listingOf('quoted', second, { rules: 'Other rules.' }));
  await writes.settled();
  const order = await service.request('POST', '/api/v1/orders', {
    user: 'ana',
    body: { quoteId, clientOrderId: 'after' },
  });
  expect([order.status, order.body.error], order.text).toEqual([422, 'market_unavailable']);
});
