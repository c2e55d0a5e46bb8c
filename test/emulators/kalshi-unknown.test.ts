/** Words, fields and errors of Kalshi that are not known: each is noted once, and loses neither page, market, order nor stream. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { Venue } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { kalshiOrder, newKalshiKey } from './kalshi-venue.ts';
import { SLOWEST_MS, WatchedVenue } from './watched-venue.ts';

const TICKER = 'KXODD-1';
let emulator: KalshiEmulator;
let venue: Venue;

const tell = (request: object) => emulator.control(controlRequest.parse(request));
/** The next answer of a path, as the exchange may give it one day. */
async function changeAnswer(path: string, change: (body: string) => string): Promise<void> {
  const answer = await fetch(`${emulator.url}/trade-api/v2${path}`);
  const body = JSON.parse(change(await answer.text()));
  tell({ do: 'fault', on: `GET ${path.split('?')[0]}`, fault: { kind: 'answer', status: 200, body } });
}
const words = () => venue.unknowns?.().map(({ about, word }) => `${about}: ${word}`);

beforeEach(async () => {
  emulator = await startKalshiEmulator();
  const privateKeyFile = newKalshiKey(emulator, 'k');
  tell({ do: 'market', ticker: TICKER, eventTicker: 'KXODD', title: 'T', closeTime: '2099-01-01T00:00:00Z' });
  tell({ do: 'book', ticker: TICKER, yes: [['0.4000', '50.00']], no: [['0.5500', '50.00']] });
  const streamUrl = emulator.url.replace('http', 'ws');
  const settings = { ...VENUE_SETTINGS.kalshi, streamUrl, keyId: 'k', privateKeyFile };
  venue = openKalshi('kalshi', async () => emulator.url, settings);
});
afterEach(async () => {
  await venue.close();
  await emulator.close();
});

test('the answers of today hold nothing that is not documented', async () => {
  await venue.catalogue();
  const order = kalshiOrder(TICKER);
  await venue.placeOrder(order, () => true);
  await venue.account?.ordersSince(new Date(Date.now() - 60_000));
  expect(words()).toEqual([]);
});

test('new fields and statuses of markets lose no market', async () => {
  await changeAnswer('/events/fee_changes', (body) => body);
  await changeAnswer('/events?status=open&with_nested_markets=true', (body) =>
    body.replace('"status":"active"', '"status":"frozen","moonshine":1').replace('"title"', '"weather":"dry","title"'),
  );
  const { events, invalid } = await venue.catalogue();
  expect([events.length, invalid, events[0]?.markets[0]?.status]).toEqual([1, [], 'paused']);
  expect(words()).toEqual(['field of EventData: weather', 'field of Market: moonshine', 'market status: frozen']);
});

test('an order of ours with a new status is not lost: it may still fill', async () => {
  const order = kalshiOrder(TICKER);
  await venue.placeOrder(order, () => true);
  const [known] = emulator.state.accounts.get('k')?.orders.values() ?? [];
  Object.assign(known as object, { status: 'hibernating' });
  expect(await venue.findOrder(order.ourId, order)).toMatchObject({
    outcome: 'found',
    order: { state: 'working', fills: [{}] },
  });
  expect(await venue.account?.ordersSince(new Date(Date.now() - 60_000))).toMatchObject([{ state: 'working' }]);
  expect(words()).toEqual(['order status: hibernating']);
});

test('an answer to an order with a new code decides nothing', async () => {
  const body = { code: 'moon_in_the_way', message: '' };
  tell({ do: 'fault', on: 'POST /portfolio/events/orders', fault: { kind: 'answer', status: 400, body } });
  await expect(venue.placeOrder(kalshiOrder(TICKER), () => true)).rejects.toMatchObject({ notTaken: false });
  expect(words()).toEqual(['answer to an order: 400 moon_in_the_way']);
});

test('messages of other kinds, and hints that cannot be read, are counted and cost the stream nothing', {
  timeout: 60_000,
}, async () => {
  const seen = new WatchedVenue();
  await seen.follow(venue);
  tell({ do: 'stream_say', message: { type: 'weather_report', msg: {} } });
  tell({ do: 'stream_say', message: { type: 'event_lifecycle', msg: { moonshine: true } } });
  tell({ do: 'book', ticker: TICKER, yes: [['0.4100', '50.00']], no: [] });
  await until(() => expect(seen.books.get(TICKER)?.bids[0]?.priceMicros).toBe(410_000n), SLOWEST_MS);
  expect(seen.events).toEqual(['up']);
  expect(words()).toEqual(['stream message: weather_report', 'stream message that cannot be read: event_lifecycle']);
  await seen.watch?.close();
});
