/** Fees, categories and settlement of Kalshi's markets, which follow from their series and events: what is shown, sold, and at what cost. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { VenueEvent } from '../../src/venues/listing.ts';
import { until } from '../support/until.ts';
import { type KalshiExchange, openKalshiExchange, tellKalshi } from './kalshi-venue.ts';
import { SLOWEST_MS, WatchedVenue } from './watched-venue.ts';

const EVENT = 'KXDOUBLE-26';
const TICKER = 'KXDOUBLE-26-T1';
const HOUR_MS = 3_600_000;
let exchange: KalshiExchange;

const tell = (request: object) => tellKalshi(exchange.emulator, request);
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const list = (ticker: string, eventTicker: string) =>
  tell({ do: 'market', ticker, eventTicker, title: 'T', closeTime: '2099-01-01T00:00:00Z' });

async function listed(eventId = EVENT): Promise<VenueEvent | undefined> {
  return (await exchange.venue.catalogue()).events.find((event) => event.eventId === eventId);
}
/** Basis points, and whether it is sold. */
async function sold(): Promise<[number | undefined, string | undefined]> {
  const market = (await listed())?.markets[0];
  return [market?.fee.bps, market?.status];
}

beforeEach(async () => {
  exchange = await openKalshiExchange();
  list(TICKER, EVENT);
  tell({ do: 'book', ticker: TICKER, yes: [['0.4000', '50.00']], no: [['0.5500', '10.00']] });
});
afterEach(() => exchange.close());

test.each([
  ['plain', { feeMultiplier: 1 }, {}, 700],
  ['doubled', { feeMultiplier: 2 }, {}, 1_400],
  ['a third, rounded up', { feeMultiplier: 0.3333 }, {}, 234],
  ['free', { feeMultiplier: 0 }, {}, 0],
  ['with fees for makers', { feeType: 'quadratic_with_maker_fees', feeMultiplier: 1 }, {}, 700],
  ['of combinations', { feeType: 'quadratic_with_combo_maker_fees', feeMultiplier: 1 }, {}, 700],
  ['of the event', { feeMultiplier: 1 }, { feeType: 'quadratic', feeMultiplier: 2 }, 1_400],
  ['lower at the event', { feeMultiplier: 2 }, { feeType: 'quadratic', feeMultiplier: 0.5 }, 350],
])('the fee is %s', async (_, series, event, bps) => {
  tell({ do: 'series', ticker: 'KXDOUBLE', ...series });
  tell({ do: 'event', eventTicker: EVENT, ...event });
  expect(await sold()).toEqual([bps, 'open']);
  expect((await exchange.venue.feeSchedule(TICKER))?.bps).toBe(bps);
});

test.each([
  ['flat', 1],
  ['square_root', 1],
  ['quadratic', 100],
])('a market with the fee %s times %d, which cannot be told, is shown and not sold', async (feeType, feeMultiplier) => {
  tell({ do: 'series', ticker: 'KXDOUBLE', feeType, feeMultiplier });
  expect((await sold())[1]).toBe('paused');
  expect(exchange.venue.unknowns?.()).toContainEqual({
    about: 'fee',
    word: `KXDOUBLE: ${feeType}`,
    seen: expect.any(Number),
  });
});

test('a fee that is announced applies minutes before its time, and stays after it', async () => {
  tell({ do: 'fee_change', ticker: 'KXDOUBLE', feeType: 'quadratic', feeMultiplier: 2, at: inHours(1) });
  expect(await sold()).toEqual([700, 'open']);
  tell({ do: 'fee_change', ticker: 'KXDOUBLE', feeType: 'quadratic', feeMultiplier: 3, at: inHours(1 / 60) });
  expect(await sold()).toEqual([2_100, 'open']);
  // an event with a fee of its own is not touched by that of its series, unless it is cleared
  tell({ do: 'event', eventTicker: EVENT, feeType: 'quadratic', feeMultiplier: 0.5 });
  expect(await sold()).toEqual([350, 'open']);
  tell({ do: 'fee_change', ticker: EVENT, feeType: null, feeMultiplier: null, at: inHours(1 / 60) });
  expect(await sold()).toEqual([2_100, 'open']);
});

test('a waived market costs nothing until an hour before the waiver ends', async () => {
  tell({ do: 'terms', ticker: TICKER, feeWaivedUntil: inHours(2) });
  expect(await sold()).toEqual([0, 'open']);
  tell({ do: 'terms', ticker: TICKER, feeWaivedUntil: inHours(0.5) });
  expect(await sold()).toEqual([700, 'open']);
});

test('a fee of an event that changes on the stream is read at once, and costs the books nothing', {
  timeout: 60_000,
}, async () => {
  const seen = new WatchedVenue();
  await seen.follow(exchange.venue);
  const fees = () =>
    seen.changes.flatMap((change) => (change.type === 'event' ? change.event.markets.map(({ fee }) => fee.bps) : []));
  tell({ do: 'event', eventTicker: EVENT, feeType: 'quadratic', feeMultiplier: 2 });
  await until(() => expect(fees()).toContain(1_400), SLOWEST_MS);
  // another kind of message, counted with the others: a new event
  list('KXNEW-1', 'KXNEW');
  tell({ do: 'status', ticker: TICKER, status: 'inactive' });
  await until(() => expect(seen.changes.length).toBeGreaterThan(1), SLOWEST_MS);
  expect(seen.events).toEqual(['up']);
  // one of them is lost, and the next one tells
  tell({ do: 'stream', fault: 'gap' });
  tell({ do: 'status', ticker: TICKER, status: 'active' });
  tell({ do: 'status', ticker: TICKER, status: 'inactive' });
  await until(() => expect(seen.events).toContainEqual(expect.stringMatching(/^down: expected message/)), SLOWEST_MS);
  await seen.watch?.close();
});

test('categories are those of the series, and none of them loses an event', async () => {
  list('KXGOLDD-1', 'KXGOLDD');
  tell({ do: 'series', ticker: 'KXGOLDD', category: 'Commodities', categories: ['Commodities', 'Economics'] });
  tell({ do: 'event', eventTicker: 'KXGOLDD', category: 'Politics' });
  list('KXMVE-1', 'KXMVE');
  tell({ do: 'series', ticker: 'KXMVE', category: 'Exotics', categories: [] });
  list('KXODD-1', 'KXODD');
  tell({ do: 'series', ticker: 'KXODD', category: 'Gardening', categories: ['Gardening', 'Sports'] });
  list('KXNONE-1', 'KXNONE');
  tell({ do: 'series', ticker: 'KXNONE', category: '', categories: [] });
  list('KXOLD-1', 'KXOLD');
  tell({ do: 'series', ticker: 'KXOLD', category: '', categories: [] });
  tell({ do: 'event', eventTicker: 'KXOLD', category: 'Crypto' });
  const { events, invalid } = await exchange.venue.catalogue();
  const categories = Object.fromEntries(events.map((event) => [event.eventId, event.categories]));
  expect(invalid).toEqual([]);
  expect(categories).toMatchObject({
    KXGOLDD: ['finance', 'economics'],
    KXMVE: ['world'],
    KXODD: ['world', 'sports'],
    KXNONE: ['world'],
    KXOLD: ['crypto'],
  });
  expect(events.every((event) => event.category === event.categories[0])).toBe(true);
  expect(exchange.venue.unknowns?.()).toEqual([{ about: 'category', word: 'Gardening', seen: 1 }]);
});

test('all series are one question; one that appears between two readings is asked for by its name', async () => {
  await listed();
  list('KXFRESH-1', 'KXFRESH');
  tell({ do: 'series', ticker: 'KXFRESH', category: 'Sports', categories: ['Sports'] });
  expect((await listed('KXFRESH'))?.category).toBe('sports');
  const series = exchange.proxy.recorded
    .filter(({ path }) => path === '/series')
    .map(({ query }) => Object.keys(query));
  expect(series).toEqual([[], ['min_updated_ts']]);
  list('KXLATER-1', 'KXLATER');
  tell({ do: 'series', ticker: 'KXLATER', feeMultiplier: 2 });
  expect((await exchange.venue.feeSchedule('KXLATER-1'))?.bps).toBe(1_400);
  expect(exchange.proxy.recorded.map(({ path }) => path)).toContain('/series/KXLATER');
});

// contract 19.10
test('a market whose settlement may be raised by a floor is shown and not sold', async () => {
  tell({ do: 'terms', ticker: TICKER, settlementFloor: '0.3000' });
  expect((await sold())[1]).toBe('paused');
  expect(exchange.venue.unknowns?.()).toEqual([]);
});
