/** `markets match|unmatch`: listings of two venues become one contract when a person says so, and stop when either changes. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { contractIdOf } from '../../src/markets/event.ts';
import { matchListings, readListing } from '../../src/markets/matching.ts';
import type { VenueMarket } from '../../src/venues/listing.ts';
import type { RunCommand } from '../support/run-command.ts';
import { until } from '../support/until.ts';
import type { World } from '../support/world.ts';
import { event, levels, market, TestVenue } from './test-venue.ts';
import { followTwoVenues, type TwoVenues } from './two-venues.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const closesAt = new Date(Date.now() + 86_400_000);
const one = new TestVenue('kalshi');
const two = new TestVenue('polymarket');
let venues: TwoVenues;
let service: World;
let inlay: RunCommand;

beforeAll(async () => {
  venues = await followTwoVenues(one, two);
  service = venues.service;
  inlay = await service.commands();
});
afterAll(() => venues.close());

type Levels = Parameters<typeof levels>;

function listingOf(name: string, venue: TestVenue, parts: Partial<VenueMarket> = {}): VenueMarket {
  const id = `${name}-${venue.name}`;
  const rules = `Resolves to Yes if it rains, says ${venue.name}.`;
  const fee = { model: 'of_cost', bps: 0, known: true } as const;
  return market(id, id, { closesAt, rules, sources: [{ name: 'the weather service', url: null }], fee, ...parts });
}

/** Lists the question at both venues with these books. @returns the contract of each. */
async function listed(name: string, books: readonly [bids: Levels, asks: Levels][]): Promise<[string, string]> {
  for (const [index, venue] of [one, two].entries()) {
    const listing = listingOf(name, venue);
    const [bids = [], asks = []] = books[index] ?? [];
    venue.list(event(listing.eventId, [listing]));
    venue.setBook(listing.listingId, levels(...bids), levels(...asks));
  }
  const ids = [one, two].map((venue) => contractIdOf(venue.name, `${name}-${venue.name}`, null));
  await until(
    async () => ids.map((id) => service.context.board.contracts.get(id)?.books.length),
    (counts) => counts.every((count) => count === 1),
  );
  return ids as [string, string];
}

const match = (name: string, ...argv: string[]) =>
  inlay('markets', 'match', `kalshi:${name}-kalshi`, `${name}-polymarket`, '--json', ...argv);

// contract 39.15
test('match shows both listings, records who matched them and why, and both contracts show the better price', async () => {
  const ids = await listed('rain', [
    [[[0.4, 100]], [[0.5, 100]]],
    [[[0.42, 100]], [[0.47, 100]]],
  ]);
  expect((await venues.quote(ids[0], 'YES')).routing).toEqual({ consideredVenues: 1, routable: false });
  const asked = await inlay('markets', 'match', 'rain-kalshi', 'rain-polymarket');
  expect(asked.exitCode, 'without --yes and a terminal it asks in vain').toBe(2);
  for (const text of ['says kalshi.', 'says polymarket.', 'the weather service', 'yes means', closesAt.toISOString()]) {
    expect(asked.stdout).toContain(text);
  }
  const { json, exitCode } = await match('rain', '--yes', '--as', 'ada', '--note', 'the same gauge');
  expect(exitCode, JSON.stringify(json)).toBe(0);
  expect(json).toMatchObject({ matchedBy: SERVICE_ROLE, inverse: false, contracts: [...ids].sort() });
  expect(json.listings.map(({ venue, rules }: { venue: string; rules: string }) => [venue, rules])).toEqual([
    ['kalshi', 'Resolves to Yes if it rains, says kalshi.'],
    ['polymarket', 'Resolves to Yes if it rains, says polymarket.'],
  ]);
  for (const id of ids) {
    await venues.routable(id, true);
    expect(await venues.shown(id)).toMatchObject({ executableYesCents: 47, executableNoCents: 58 });
    const yes = await venues.quote(id, 'YES');
    expect([yes.executionPrice, yes.routing]).toEqual([0.47, { consideredVenues: 2, routable: true }]);
    expect((await venues.quote(id, 'NO')).executionPrice).toBe(0.58);
  }
  const { json: groups } = await inlay('markets', 'groups', '--json');
  expect(groups.groups[0]).toMatchObject({ verified: true, verifiedBy: SERVICE_ROLE, note: 'the same gauge' });
  const { json: audit } = await inlay('audit', 'log', '--actor', 'ada', '--json');
  expect(JSON.stringify(audit.entries)).toContain('the same gauge');
  const [{ compared }] = (await service.sql`select compared from routing_groups`) as [{ compared: unknown[] }];
  expect(compared).toHaveLength(2);
});

test('a book of the other venue that moves changes the price of the contract at once', async () => {
  const [first] = await listed('moves', [
    [[[0.4, 100]], [[0.5, 100]]],
    [[[0.4, 100]], [[0.49, 100]]],
  ]);
  await match('moves', '--yes');
  await venues.routable(first, true);
  expect((await venues.quote(first, 'YES')).executionPrice).toBe(0.49);
  two.setBook('moves-polymarket', levels([0.4, 100]), levels([0.45, 100]));
  await venues.writes.settled();
  expect((await venues.quote(first, 'YES')).executionPrice).toBe(0.45);
  // a market that its venue halts lends no book
  two.change(listingOf('moves', two, { status: 'paused' }));
  await until(
    async () => (await venues.quote(first, 'YES')).executionPrice,
    (price) => price === 0.5,
  );
});

test('an inverse match turns the other book: its NO is our YES', async () => {
  const [first, second] = await listed('turned', [
    [[[0.4, 100]], [[0.5, 100]]],
    [[[0.53, 100]], [[0.58, 100]]],
  ]);
  expect((await match('turned', '--inverse', '--yes')).json).toMatchObject({ inverse: true });
  await venues.routable(first, true);
  await venues.routable(second, true);
  // YES costs 0.50 here and 1 - 0.53 = 0.47 there; NO costs 0.60 here and 0.58 there
  expect(await venues.shown(first)).toMatchObject({ executableYesCents: 47, executableNoCents: 58 });
  expect((await venues.quote(first, 'YES')).executionPrice).toBe(0.47);
  expect((await venues.quote(first, 'NO')).executionPrice).toBe(0.58);
  // and seen from the other contract, whose YES is our NO
  expect(await venues.shown(second)).toMatchObject({ executableYesCents: 58, executableNoCents: 47 });
});

const CHANGES: readonly (readonly [what: string, parts: Partial<VenueMarket>])[] = [
  ['rules text', { rules: 'Other rules.' }],
  ['closing time', { closesAt: new Date(closesAt.getTime() + 60_000) }],
  ['outcome names', { noLabel: 'Dry' }],
];

test('a change of rules text, closing time or outcome names at either venue ends the match until it is made again', async () => {
  for (const [number, [what, parts]] of CHANGES.entries()) {
    for (const venue of [one, two]) {
      const name = `change-${number}-${venue.name}`;
      const [first, second] = await listed(name, [
        [[[0.4, 100]], [[0.5, 100]]],
        [[[0.4, 100]], [[0.45, 100]]],
      ]);
      await match(name, '--yes');
      await venues.routable(first, true);
      const before = [
        await readListing(service.sql, `${name}-kalshi`),
        await readListing(service.sql, second),
      ] as const;
      venue.change(listingOf(name, venue, parts));
      await venues.routable(first, false);
      await venues.routable(second, false);
      expect((await venues.quote(first, 'YES')).executionPrice, what).toBe(0.5);
      expect((await venues.quote(second, 'YES')).executionPrice, what).toBe(0.45);
      const { json } = await inlay('markets', 'groups', '--json');
      const group = json.groups.find(({ contracts }: { contracts: string[] }) => contracts.includes(first));
      expect(group).toMatchObject({ verified: false, endedBecause: 'terms_changed' });
      // what was read before the change is not what is matched
      const decision = { inverse: false, by: 'ada', note: null };
      await expect(matchListings(service.sql, before, decision)).rejects.toThrow('has changed since it was read');
      await match(name, '--yes');
      await venues.routable(first, true);
    }
  }
});

// contract 39.15
test('unmatch parts the contracts again; what cannot be matched is refused', async () => {
  const ids = await listed('parted', [
    [[[0.4, 100]], [[0.5, 100]]],
    [[[0.4, 100]], [[0.45, 100]]],
  ]);
  const { json } = await match('parted', '--yes');
  await venues.routable(ids[0], true);
  const turned = await match('parted', '--inverse', '--yes');
  expect([turned.exitCode, turned.json.error]).toEqual([2, 'invalid_request']);
  const ended = await inlay('markets', 'unmatch', json.groupKey, '--yes', '--json');
  expect(ended.json).toEqual({ groupKey: json.groupKey, contracts: [...ids].sort(), apart: [...ids].sort() });
  await venues.routable(ids[0], false);
  expect(service.context.board.contracts.get(ids[0])?.books).toHaveLength(1);
  expect((await venues.quote(ids[0], 'YES')).executionPrice).toBe(0.5);
  expect((await match('parted', '--inverse', '--yes')).exitCode).toBe(0);
  expect((await inlay('markets', 'unmatch', 'nothing', '--yes', '--json')).exitCode).toBe(3);
  expect((await inlay('markets', 'match', 'nothing', 'parted-kalshi', '--yes', '--json')).exitCode).toBe(3);
  const same = await inlay('markets', 'match', 'parted-kalshi', 'rain-kalshi', '--yes', '--json');
  expect([same.exitCode, same.json.error]).toEqual([2, 'invalid_request']);
});
