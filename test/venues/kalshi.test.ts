/** Kalshi's answers in the words of the port: shapes of events, strikes, results and books. */
import { afterAll, describe, expect, test } from 'vitest';
import { readKalshiBook } from '../../src/venues/kalshi/books.ts';
import { readKalshiEvents } from '../../src/venues/kalshi/catalogue.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { KalshiSeries, KnownSeries } from '../../src/venues/kalshi/series.ts';
import { kalshiBook } from '../../src/venues/kalshi/shapes.ts';
import { Unknowns } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { type Stub, stub } from './recordings.ts';
import { Seen } from './support.ts';

const stubs: Stub[] = [];
afterAll(() => {
  for (const one of stubs) {
    one.close();
  }
});

function market(ticker: string, changes: object = {}): object {
  return {
    ticker,
    event_ticker: 'KXE-26',
    market_type: 'binary',
    yes_sub_title: ticker,
    open_time: '2026-11-01T00:00:00Z',
    close_time: '2026-12-01T00:00:00Z',
    status: 'active',
    result: '',
    last_price_dollars: '0.4000',
    volume_fp: '3041.44',
    volume_24h_fp: '1.00',
    settlement_bounds_type: 'default',
    ...changes,
  };
}
const event = (markets: readonly object[], changes: object = {}) => ({
  event_ticker: 'KXE-26',
  series_ticker: 'KXE',
  title: 'T',
  mutually_exclusive: false,
  markets,
  ...changes,
});
const SPORTS: KalshiSeries = { categories: ['Sports'], fee: { type: 'quadratic', multiplier: 1 } };
const series: KnownSeries = { of: () => SPORTS, changesOfSeries: () => [], changesOfEvent: () => [] };

function read(raw: object) {
  const unknowns = new Unknowns();
  const { events, invalid } = readKalshiEvents([raw], { series, note: unknowns.note });
  return { event: events[0], markets: events[0]?.markets ?? [], invalid, unknowns: unknowns.take() };
}
const above = (strike: number, changes: object = {}) =>
  market(`T${strike}`, { strike_type: 'greater', floor_strike: strike, ...changes });

describe('the catalogue of Kalshi', () => {
  test('tells fields, ladders and mixtures apart', () => {
    const kind = (raw: object) => read(raw).event?.kind;
    expect(kind(event([market('A')]))).toBe('binary');
    expect(kind(event([market('A'), market('B')], { mutually_exclusive: true }))).toBe('mutually_exclusive');
    expect(kind(event([above(100), above(110)]))).toBe('cumulative_ladder');
    // two teams, each with its own ladder
    const [one, other] = ['a', 'b'].map((team) => above(team === 'a' ? 1 : 2, { custom_strike: { team } }));
    expect(kind(event([one as object, other as object]))).toBe('ambiguous');
    expect(kind(event([market('A'), market('B')]))).toBe('ambiguous');
  });

  test('reads strikes, volumes, sport and league', () => {
    const { markets } = read(event([above(180.5), market('L', { strike_type: 'less', cap_strike: 80 })]));
    expect(markets).toMatchObject([
      { threshold: 180.5, direction: 'above', volumeMicros: 3_041_440_000n },
      { threshold: 80, direction: 'below' },
    ]);
    const game = event([market('A', { custom_strike: { basketball_team: 'x' } })], {
      product_metadata: { competition: 'Pro Basketball', competition_scope: 'Game' },
    });
    expect(read(game).event).toMatchObject({ sport: 'basketball', league: 'pro-basketball', eventType: 'game' });
  });

  test('takes only a final result, and a split as a split', () => {
    const outcome = (change: object) => {
      const { markets, invalid } = read(event([market('A', change)]));
      return markets[0]?.resolution?.outcome ?? markets[0]?.status ?? invalid[0]?.reason;
    };
    expect(outcome({ status: 'finalized', result: 'yes', settlement_value_dollars: '1.0000' })).toBe('YES');
    expect(outcome({ status: 'finalized', result: 'no', settlement_value_dollars: '0.0000' })).toBe('NO');
    expect(outcome({ status: 'finalized', result: 'scalar', settlement_value_dollars: '0.5000' })).toBe('SPLIT');
    expect(outcome({ status: 'determined', result: 'yes', settlement_value_dollars: '1.0000' })).toBe('closed');
    expect(outcome({ status: 'inactive' })).toBe('paused');
    expect(outcome({ status: 'finalized', result: '' })).toBe('final without a value');
    expect(outcome({ volume_fp: '-1' })).toContain('volume_fp');
  });

  test('a time may carry an offset from UTC', () => {
    const { markets, invalid } = read(event([market('A', { close_time: '2026-12-01T00:00:00.5-05:00' })]));
    expect([markets[0]?.closesAt, invalid]).toEqual([new Date('2026-12-01T05:00:00.500Z'), []]);
  });

  test('words that are not known lose no market: it is shown, not sold, and they are noted once', () => {
    const odd = { status: 'frozen', result: 'void', market_type: 'vector', settlement_bounds_type: 'ceiling' };
    const { markets, invalid, unknowns } = read(event([market('A', odd), market('B', odd), market('C')]));
    expect(markets.map(({ status }) => status)).toEqual(['paused', 'paused', 'open']);
    expect(invalid).toEqual([]);
    expect(unknowns).toEqual([
      { about: 'market status', word: 'frozen', seen: 2 },
      { about: 'settlement bounds', word: 'ceiling', seen: 2 },
    ]);
  });
});

describe('a book of Kalshi', () => {
  const book = (yes: [string, string][], no: [string, string][] | undefined) => {
    const read = kalshiBook.parse({ orderbook_fp: { yes_dollars: yes, no_dollars: no } });
    return readKalshiBook('T', read.orderbook_fp, 1n, new Date());
  };

  test('has asks that are the bids of the other side, best first', () => {
    const { bids, asks } = book(
      [
        ['0.0010', '5.00'],
        ['0.4000', '50.00'],
        ['0.3900', '7.25'],
      ],
      [
        ['0.5500', '10.00'],
        ['0.5620', '1.00'],
      ],
    );
    expect(bids.map(({ priceMicros }) => priceMicros)).toEqual([400_000n, 390_000n, 1_000n]);
    expect(asks).toEqual([
      { priceMicros: 438_000n, quantityMicros: 1_000_000n },
      { priceMicros: 450_000n, quantityMicros: 10_000_000n },
    ]);
  });

  test('may have one side only', () => {
    expect(book([], [['0.9900', '73469.00']])).toMatchObject({
      bids: [],
      asks: [{ priceMicros: 10_000n, quantityMicros: 73_469_000_000n }],
    });
    expect(book([], undefined).asks).toEqual([]);
  });
});

describe('the adapter of Kalshi', () => {
  test('reads the catalogue from the host it is given, and never sends an order', async () => {
    const one = await stub({
      '/trade-api/v2/series': { series: [] },
      '/trade-api/v2/series/fee_changes': { series_fee_change_arr: [] },
      '/trade-api/v2/events/fee_changes': { event_fee_changes: [], cursor: '' },
      '/trade-api/v2/events': { events: [event([market('A'), market('B')])], cursor: '' },
    });
    stubs.push(one);
    const venue = openKalshi('kalshi', async () => one.url, VENUE_SETTINGS.kalshi);
    // the series is not there: shown, and not sold
    expect((await venue.catalogue()).events[0]?.markets.map(({ status }) => status)).toEqual(['paused', 'paused']);
    expect(await venue.book('NONE')).toBeNull();
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

  test('polls the books of what is open, and keeps what cannot be read as evidence', async () => {
    const one = await stub({
      '/trade-api/v2/series': {
        series: [{ ticker: 'KXE', category: 'Sports', categories: [], fee_type: 'quadratic', fee_multiplier: 1 }],
      },
      '/trade-api/v2/series/fee_changes': { series_fee_change_arr: [] },
      '/trade-api/v2/events/fee_changes': { event_fee_changes: [], cursor: '' },
      '/trade-api/v2/events': { events: [event([market('A')])], cursor: '' },
      '/trade-api/v2/markets/orderbooks': {
        orderbooks: [
          { ticker: 'A', orderbook_fp: { yes_dollars: [], no_dollars: [['0.8120', '5.00']] } },
          { ticker: 'bad', orderbook_fp: { yes_dollars: [['2', '1']] } },
        ],
      },
    });
    stubs.push(one);
    const venue = openKalshi('kalshi', async () => one.url, VENUE_SETTINGS.kalshi);
    const seen = new Seen();
    const watch = await venue.watch(seen);
    await until(() => expect(watch.connected).toBe(true));
    expect(seen.books_.get('A')?.asks[0]?.priceMicros).toBe(188_000n);
    expect(seen.invalid_[0]).toMatchObject({ about: 'book', raw: { ticker: 'bad' } });
    await watch.close();
    await venue.close();
  });

  test('is unknown, not empty, while its host is not configured', async () => {
    const venue = openKalshi('kalshi', async () => undefined, VENUE_SETTINGS.kalshi);
    await expect(venue.catalogue()).rejects.toMatchObject({ name: 'VenueUnknown', notTaken: true });
    await venue.close();
  });
});
