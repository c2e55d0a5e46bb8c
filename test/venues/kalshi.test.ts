/** Kalshi's recorded payloads in the words of the port. */
import { afterAll, describe, expect, test } from 'vitest';
import { readKalshiBook } from '../../src/venues/kalshi/book.ts';
import { readKalshiEvents } from '../../src/venues/kalshi/catalogue.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import { kalshiBook } from '../../src/venues/kalshi/schemas.ts';
import type { VenueEvent } from '../../src/venues/listing.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { recorded, recording, type Stub, stub } from './recordings.ts';
import { Seen } from './support.ts';

type Page = { events: object[] };
const read = (name: string) => readKalshiEvents(recording<Page>(name).events);
const shape = (event: VenueEvent | undefined) => event && [event.kind, event.category, event.sport, event.eventType];
const stubs: Stub[] = [];
afterAll(() => {
  for (const one of stubs) {
    one.close();
  }
});

describe.skipIf(!recorded)('the catalogue of Kalshi', () => {
  test('keeps every recorded event or says why not', () => {
    for (const name of [
      'events_weather_econ_ladders',
      'events_sports_nested',
      'events_mlb_prop_ladders',
      'events_nfl_games',
    ]) {
      const { events, invalid } = read(`kalshi/${name}`);
      expect(invalid, name).toEqual([]);
      expect(events.length, name).toBe(recording<Page>(`kalshi/${name}`).events.length);
    }
  });

  test('tells fields, ladders and mixtures apart', () => {
    const { events } = read('kalshi/events_sports_nested');
    const of = (prefix: string) => events.find((event) => event.eventId.startsWith(prefix));
    expect(shape(of('KXNBA-27'))).toEqual(['mutually_exclusive', 'sports', 'basketball', 'future']);
    expect(shape(of('KXMLSGAME'))).toEqual(['mutually_exclusive', 'sports', 'soccer', 'game']);
    expect(of('KXWNBATOTAL')).toMatchObject({ kind: 'cumulative_ladder' });
    expect(of('KXWNBATOTAL')?.markets[0]).toMatchObject({ threshold: 180.5, direction: 'above' });
    // Two teams, each with its own ladder.
    expect(of('KXMLBSPREAD')?.kind).toBe('ambiguous');
    const weather = read('kalshi/events_weather_econ_ladders').events;
    expect(weather.map((event) => [event.category, event.kind])).toEqual([
      ['climate', 'mutually_exclusive'],
      ['economics', 'cumulative_ladder'],
    ]);
    expect(weather[0]?.markets[0]).toMatchObject({ threshold: 80, direction: 'below', volumeMicros: 3_041_440_000n });
  });

  test('takes only a final result, and a split as a split', () => {
    const { event } = recording<{ event: { markets: object[] } }>('crafted/kalshi_event_fed_ladder');
    const outcome = (change: object) => {
      const markets = event.markets.map((market) => ({ ...market, ...change }));
      const { events, invalid } = readKalshiEvents([{ ...event, markets }]);
      return events[0]?.markets[0]?.resolution?.outcome ?? events[0]?.markets[0]?.status ?? invalid[0]?.reason;
    };
    expect(outcome({ status: 'finalized', result: 'yes', settlement_value_dollars: '1.0000' })).toBe('YES');
    expect(outcome({ status: 'finalized', result: 'no', settlement_value_dollars: '0.0000' })).toBe('NO');
    expect(outcome({ status: 'finalized', result: 'scalar', settlement_value_dollars: '0.5000' })).toBe('SPLIT');
    expect(outcome({ status: 'determined', result: 'yes', settlement_value_dollars: '1.0000' })).toBe('closed');
    expect(outcome({ status: 'inactive' })).toBe('paused');
    expect(outcome({ status: 'finalized', result: '' })).toBe('final without a value');
    expect(outcome({ volume_fp: '-1' })).toContain('volume_fp');
  });
});

describe.skipIf(!recorded)('a book of Kalshi', () => {
  const book = (name: string) => readKalshiBook('T', kalshiBook.parse(recording(name)).orderbook_fp, 1n, new Date());

  test('has asks that are the bids of the other side, best first', () => {
    const { bids, asks } = book('kalshi/orderbook_deep_KXMLBGAME');
    for (const [index, level] of bids.slice(1).entries()) {
      expect(level.priceMicros).toBeLessThan(bids[index]?.priceMicros ?? 0n);
    }
    expect(asks[0]?.priceMicros).toBeGreaterThan(bids[0]?.priceMicros ?? 1_000_000n);
  });

  test('may have one side only', () => {
    expect(book('kalshi/orderbook_one_sided_KXBTCD')).toMatchObject({
      bids: [],
      asks: expect.arrayContaining([{ priceMicros: 10_000n, quantityMicros: 73_469_000_000n }]),
    });
  });
});

describe.skipIf(!recorded)('the adapter of Kalshi', () => {
  test('reads catalogue and books from the host it is given, polls, and never sends an order', async () => {
    const books = recording<{ ticker: string; orderbook_fp: object }[]>('kalshi/orderbooks_combo_subcent');
    const one = await stub({
      '/trade-api/v2/events': { ...recording<Page>('kalshi/events_sports_nested'), cursor: '' },
      '/trade-api/v2/markets/orderbooks': {
        orderbooks: [...books, { ticker: 'bad', orderbook_fp: { yes_dollars: [['2', '1']] } }],
      },
    });
    stubs.push(one);
    const venue = openKalshi('kalshi', async () => one.url, VENUE_SETTINGS.kalshi);
    expect((await venue.catalogue()).events.length).toBe(12);
    expect(await venue.book('NONE')).toBeNull();
    const seen = new Seen();
    const watch = await venue.watch(seen);
    await until(() => expect(watch.connected).toBe(true));
    expect(seen.books_.get(books[0]?.ticker ?? '')?.asks[0]?.priceMicros).toBe(188_000n);
    expect(seen.invalid_[0]).toMatchObject({ about: 'book', raw: { ticker: 'bad' } });
    await watch.close();
    const order = {
      ourId: 'a',
      listingId: 'T',
      side: 'YES',
      action: 'BUY',
      quantityMicros: 1n,
      limitPriceMicros: 1n,
    } as const;
    expect(await venue.placeOrder({ ...order, expiresAt: new Date() }, () => true)).toMatchObject({
      outcome: 'rejected',
    });
    expect(one.asked.every((line) => line.startsWith('GET '))).toBe(true);
    await venue.close();
  });

  test('is unknown, not empty, while its host is not configured', async () => {
    const venue = openKalshi('kalshi', async () => undefined, VENUE_SETTINGS.kalshi);
    await expect(venue.catalogue()).rejects.toMatchObject({ name: 'VenueUnknown', notTaken: true });
    await venue.close();
  });
});
