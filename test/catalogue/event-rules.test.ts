/** How an event is decided: kept as its venue says it, and shown on the single event of the API and of the frame. */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { renderRules } from '../../src/markets/catalogue/render-event.ts';
import { contractIdOf, eventIdOf } from '../../src/markets/event.ts';
import type { VenueMarket } from '../../src/venues/listing.ts';
import { eventDetailShape } from '../../src/wire/catalogue.ts';
import { event, market, TestVenue } from '../markets/test-venue.ts';
import { followTwoVenues, type TwoVenues } from '../markets/two-venues.ts';
import { until } from '../support/until.ts';

const venue = new TestVenue('paper');
const resolvesAt = new Date('2027-03-01T12:00:00Z');
let venues: TwoVenues;

beforeAll(async () => {
  venues = await followTwoVenues(venue, new TestVenue('paper-2'));
});
afterAll(() => venues.close());

function list(name: string, parts: readonly Partial<VenueMarket>[]): string {
  const listed = parts.map((part, index) => market(`${name}-${index}`, name, part));
  venue.list(event(name, listed));
  return eventIdOf('paper', name, null);
}

const show = (eventId: string) => venues.service.request('GET', `/api/v1/events/${eventId}`);

async function shown(eventId: string) {
  const { body } = await until(
    () => show(eventId),
    ({ status }) => status === 200,
  );
  return eventDetailShape.parse(body).data.rules;
}

// contract 5.10
test('one text holds for all outcomes of an event', async () => {
  const rules = 'Exactly one outcome resolves to Yes. Kalshi decides.';
  const sources = [{ name: 'The league', url: 'https://league.example/results' }];
  const eventId = list('field', [
    { rules, sources, resolvesAt: new Date('2027-02-01T12:00:00Z') },
    { rules, sources, resolvesAt },
  ]);
  expect(await shown(eventId)).toEqual({
    text: 'Exactly one outcome resolves to Yes. the exchange decides.',
    source: 'The league',
    sourceUrl: 'https://league.example/results',
    resolvesAt: resolvesAt.toISOString(),
    outcomes: [],
  });
});

// contract 5.10
test('outcomes with rules of their own show them one by one', async () => {
  const eventId = list('ladder', [{ rules: 'Above 100.' }, { rules: 'Above 110.' }]);
  expect(await shown(eventId)).toEqual({
    text: null,
    source: null,
    sourceUrl: null,
    resolvesAt: null,
    outcomes: [
      { id: contractIdOf('paper', 'ladder-0', null), text: 'Above 100.' },
      { id: contractIdOf('paper', 'ladder-1', null), text: 'Above 110.' },
    ],
  });
});

test('an event without published rules shows null, and a list shows no rules at all', async () => {
  const eventId = list('silent', [{}]);
  expect(await shown(eventId)).toBeNull();
  const { body } = await venues.service.request('GET', '/api/v1/events?limit=100');
  expect(body.data.length).toBeGreaterThan(0);
  expect(body.data.filter((one: object) => 'rules' in one)).toEqual([]);
});

test('changed rules are shown, and the entity tag changes with them', { timeout: 60_000, tags: 'proof' }, async () => {
  const eventId = list('changing', [{ rules: 'The first text.' }]);
  await shown(eventId);
  const before = await show(eventId);
  venue.change(market('changing-0', 'changing', { rules: 'The second text.' }));
  const after = await until(
    () => show(eventId),
    ({ body }) => body.data.rules.text === 'The second text.',
    40_000,
  );
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
});

test('an outcome without a text leaves the others theirs', () => {
  const nothing = { source: null, sourceUrl: null, resolvesAt: null };
  expect(
    renderRules([
      { contractId: 'ctr_a', text: null, ...nothing },
      { contractId: 'ctr_b', text: 'B.', ...nothing },
    ]),
  ).toMatchObject({ text: null, outcomes: [{ id: 'ctr_b', text: 'B.' }] });
});
