/** Polymarket's payloads in the words of the port. */
import { afterAll, describe, expect, test } from 'vitest';
import { readPolymarketEvents } from '../../src/venues/polymarket/catalogue.ts';
import { openPolymarket } from '../../src/venues/polymarket/polymarket.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { polymarketPayloads, type Stub, stub } from './recordings.ts';
import { Seen } from './support.ts';

const payloads = polymarketPayloads();
const NO_WORD = { outcomePrices: '["1","0"]', closedTime: '2026-05-09 02:07:01+00', acceptingOrders: false };
const read = (name: 'field' | 'growing' | 'fiveMinutes' | 'byDate') => readPolymarketEvents([payloads[name]]);
const stubs: Stub[] = [];
/** Nothing listens there: the books are polled. */
const NO_STREAM = 'ws://127.0.0.1:9';
afterAll(() => {
  for (const one of stubs) {
    one.close();
  }
});

describe('the catalogue of Polymarket', () => {
  test('reads a field with its fees and prices, and no dollar volume as contracts', () => {
    const { events, invalid } = read('field');
    expect(invalid).toEqual([]);
    expect(events[0]).toMatchObject({ kind: 'mutually_exclusive', category: 'economics', volumeMicros: 0n });
    expect(events[0]?.markets[0]).toMatchObject({
      label: 'Cut of 50',
      status: 'open',
      fee: { model: 'of_variance', bps: 500, known: true },
      tickMicros: 1_000n,
    });
  });

  test('leaves unnamed places of a growing field out', () => {
    const labels = read('growing').events[0]?.markets.map((market) => market.label);
    expect(labels).toContain('Ann Bell');
    expect(labels?.some((label) => /^(Individual|Person) [A-Z]$/.test(label))).toBe(false);
  });

  test('knows five-minute contracts by their slug', () => {
    expect(read('fiveMinutes').events[0]).toMatchObject({
      kind: 'binary',
      category: 'crypto',
      opensAt: new Date('2026-05-12T11:10:00Z'),
      closesAt: new Date('2026-05-12T11:15:00Z'),
      markets: [{ fiveMinute: true, label: 'Up', yesLabel: 'Up', noLabel: 'Down' }],
    });
    const fives = readPolymarketEvents(payloads.crypto).events.map((event) => event.markets[0]?.fiveMinute);
    expect(fives.filter((five) => five === true).length).toBe(4);
  });

  test('reads results, and takes dates in titles for no ladder', () => {
    const [kraken] = read('byDate').events;
    expect(kraken).toMatchObject({ kind: 'ambiguous', status: 'open' });
    expect(kraken?.markets.map((market) => market.resolution?.outcome ?? market.status)).toEqual(['NO', 'NO', 'open']);
    // written as `2026-01-01 07:30:39+00`, hours after the end
    expect(kraken?.markets.map((market) => market.resolution?.resolvedAt.toISOString())).toEqual([
      '2026-01-01T07:30:39.000Z',
      '2026-04-01T08:25:09.000Z',
      undefined,
    ]);
  });

  test('takes a result whose time cannot be read as one of its end, and notes the time', () => {
    const { byDate } = payloads;
    const told: string[] = [];
    const markets = [{ ...byDate.markets[0], closedTime: 'last night' }];
    const { events } = readPolymarketEvents([{ ...byDate, markets }], (about, word) => told.push(`${about}: ${word}`));
    expect(events[0]?.markets[0]?.resolution).toMatchObject({ resolvedAt: events[0]?.markets[0]?.closesAt });
    expect(told).toEqual(['closedTime: last night']);
  });

  test('follows a game with its teams, and never passes on an address of the venue', () => {
    const { events } = readPolymarketEvents([payloads.sports]);
    expect(events[0]).toMatchObject({ category: 'sports', sport: 'basketball', league: 'wnba', eventType: 'game' });
    expect(events[0]?.markets[0]).toMatchObject({
      label: 'Storm',
      teamColor: '#2c5234',
      teamAbbr: 'SEA',
      teamLogoUrl: null,
    });
  });

  test('pays out only what is closed and resolved, by the whole payout', () => {
    const { fiveMinutes: base, states } = payloads;
    const outcomes = states.map((state) => {
      const { events, invalid } = readPolymarketEvents([{ ...base, markets: [{ ...base.markets[0], ...state }] }]);
      return events[0]?.markets[0]?.resolution?.outcome ?? events[0]?.markets[0]?.status ?? invalid[0]?.reason;
    });
    expect(outcomes.slice(0, 6)).toEqual(['open', 'open', 'open', 'open', 'open', 'YES']);
    expect(outcomes).toContain('SPLIT');
    expect(outcomes).toContain('ended without a value');
  });

  test.each([
    ['and the order book names the same winner', {}, 0, 'YES'],
    ['and the order book names no winner', {}, undefined, 'closed'],
    ['and the order book names the other', {}, 1, 'closed'],
    ['after a proposal', { umaResolutionStatuses: '["proposed"]' }, 0, 'closed'],
    ['in halves', { outcomePrices: '["0.5","0.5"]' }, 0, 'closed'],
    ['and is not closed', { closed: false }, 0, 'paused'],
  ])('takes a market that paid without a word of its oracle %s as it is', (_, changes, won, result) => {
    const { fiveMinutes: base } = payloads;
    const silent = {
      closed: true,
      umaResolutionStatus: undefined,
      umaResolutionStatuses: '[]',
      ...NO_WORD,
      ...changes,
    };
    const market = { conditionId: '', clobTokenIds: '[]', ...base.markets[0], ...silent };
    const tokens: string[] = JSON.parse(market.clobTokenIds);
    const winners = new Map(won === undefined ? [] : [[market.conditionId, tokens[won] ?? '']]);
    const { events } = readPolymarketEvents(
      [{ ...base, markets: [market] }],
      () => {},
      (fee) => fee,
      winners,
    );
    const [read] = events[0]?.markets ?? [];
    expect(read?.resolution?.outcome ?? read?.status).toBe(result);
  });

  test('keeps what does not fit as evidence', () => {
    const { fiveMinutes: base } = payloads;
    const { invalid } = readPolymarketEvents([{ ...base, markets: [{ ...base.markets[0], outcomes: 'Up, Down' }] }, 7]);
    expect(invalid.map((one) => one.about)).toEqual(['event', 'market']);
  });
});

describe('the adapter of Polymarket', () => {
  test('reads Gamma and the order book from the hosts it is given', { tags: 'proof' }, async () => {
    const gamma = await stub({
      '/events/keyset': { events: [payloads.field], next_cursor: null },
    });
    const { books } = payloads;
    const clob = await stub({ '/books': books, '/book': books[0] });
    stubs.push(gamma, clob);
    const venue = openPolymarket('polymarket', async (host) => (host === 'polymarket' ? gamma.url : clob.url), {
      ...VENUE_SETTINGS.polymarket,
      streamUrl: NO_STREAM,
    });
    const seen = new Seen();
    const watch = await venue.watch(seen);
    await until(() => expect(watch.connected).toBe(true));
    const [book] = [...seen.books_.values()];
    expect(book?.bids[0]?.priceMicros).toBeGreaterThan(book?.bids[1]?.priceMicros ?? 0n);
    expect(book?.asks[0]?.priceMicros).toBeLessThan(book?.asks[1]?.priceMicros ?? 1_000_000n);
    expect(await venue.book(book?.listingId ?? '')).toMatchObject({ listingId: book?.listingId });
    expect(await venue.feeSchedule(book?.listingId ?? '')).toMatchObject({ known: true });
    await watch.close();
    await venue.close();
  });
});
