/** Listings of two venues that a person matched: what is shown is what a quote gives, and a change of either ends the match. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractIdOf } from '../../src/markets/event.ts';
import { listRoutingGroups, verifyRoutingGroup } from '../../src/markets/matching.ts';
import type { VenueMarket } from '../../src/venues/listing.ts';
import { until } from '../support/until.ts';
import type { World } from '../support/world.ts';
import { event, levels, market, TestVenue } from './test-venue.ts';
import { followTwoVenues, type TwoVenues } from './two-venues.ts';

const closesAt = new Date(Date.now() + 86_400_000);
const first = new TestVenue('paper');
const second = new TestVenue('paper-2');
let venues: TwoVenues;
let service: World;

beforeAll(async () => {
  venues = await followTwoVenues(first, second);
  service = venues.service;
});
afterAll(() => venues.close());

type Levels = Parameters<typeof levels>;

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
async function matched(
  group: string,
  one: [bids: Levels, asks: Levels],
  two: [bids: Levels, asks: Levels],
): Promise<string> {
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
  await verifyRoutingGroup(service.sql, group);
  await venues.routable(contractId, true);
  return contractId;
}

test('executable prices of matched listings are what a quote gives, where the venues overlap too', async () => {
  const contractId = await matched('overlap', [[[0.45, 100]], [[0.5, 100]]], [[[0.4, 100]], [[0.44, 100]]]);
  const outcome = await venues.shown(contractId);
  expect(outcome).toMatchObject({ executableYesCents: 44, executableNoCents: 55, tradable: true });
  expect((await venues.quote(contractId, 'YES')).executionPrice).toBe(0.44);
  expect((await venues.quote(contractId, 'NO')).executionPrice).toBe(0.55);
});

// contract 3.8
test('a two-sided combined book reads midpoint where one venue has a crossed one', async () => {
  const contractId = await matched('crossed', [[[0.6, 100]], [[0.55, 100]]], [[[0.4, 100]], [[0.5, 100]]]);
  expect(await venues.shown(contractId)).toMatchObject({
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

// contract 19.9
test('a change of rules text, closing time or outcome names at either venue ends routing until matched again', async () => {
  for (const [number, [what, parts]] of CHANGES.entries()) {
    for (const venue of [first, second]) {
      const group = `changed-${number}-${venue.name}`;
      const contractId = await matched(group, [[[0.4, 100]], [[0.5, 100]]], [[[0.4, 100]], [[0.45, 100]]]);
      expect((await venues.quote(contractId, 'YES')).executionPrice, what).toBe(0.45);
      venue.change(listingOf(group, venue, parts));
      await venues.routable(contractId, false);
      expect((await venues.quote(contractId, 'YES')).executionPrice, what).toBe(0.5);
      // back as it was is another change that nobody has looked at
      venue.change(listingOf(group, venue));
      await venues.writes.settled();
      await service.context.board.refresh();
      expect(service.context.board.contracts.get(contractId)?.routable).toBe(false);
      const groups = await listRoutingGroups(service.sql);
      expect(groups.find(({ groupKey }) => groupKey === group)).toMatchObject({
        verified: false,
        endedBecause: 'terms_changed',
        endedAt: expect.any(Date),
      });
      await verifyRoutingGroup(service.sql, group);
      await venues.routable(contractId, true);
    }
  }
});

test('a listing that joins a matched contract ends routing; prices and volumes do not', async () => {
  const contractId = await matched('joined', [[[0.4, 100]], [[0.5, 100]]], [[[0.4, 100]], [[0.45, 100]]]);
  second.change(listingOf('joined', second, { volumeMicros: 9n, lastPriceMicros: 1n, tickMicros: 1n }));
  await venues.writes.settled();
  await service.context.board.refresh();
  expect(service.context.board.contracts.get(contractId)?.routable).toBe(true);
  const third = listingOf('joined', second, { listingId: 'joined-third' });
  const listed = second.events.get(third.eventId);
  second.list({ ...event(third.eventId, []), ...listed, markets: [...(listed?.markets ?? []), third] });
  await venues.routable(contractId, false);
  const groups = await listRoutingGroups(service.sql);
  expect(groups.find(({ groupKey }) => groupKey === 'joined')?.endedBecause).toBe('listing_joined');
});

test('a buy on a quote of the other venue is refused once routing has ended', async () => {
  const contractId = await matched('quoted', [[[0.4, 100]], [[0.5, 100]]], [[[0.4, 100]], [[0.45, 100]]]);
  const { quoteId, executionPrice } = await venues.quote(contractId, 'YES');
  expect(executionPrice).toBe(0.45);
  second.change(listingOf('quoted', second, { rules: 'Other rules.' }));
  await venues.writes.settled();
  const order = await service.request('POST', '/api/v1/orders', {
    user: 'ana',
    body: { quoteId, clientOrderId: 'after' },
  });
  expect([order.status, order.body.error], order.text).toEqual([422, 'market_unavailable']);
});
