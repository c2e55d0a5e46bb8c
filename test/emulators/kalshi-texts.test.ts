/** Texts of Kalshi in Spanish and Portuguese, which the exchange gives by `Accept-Language`. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { Venue } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { openRecordingProxy } from './recording-proxy.ts';

let emulator: KalshiEmulator;
let proxy: Awaited<ReturnType<typeof openRecordingProxy>>;
let venue: Venue;

const tell = (request: object) => emulator.control(controlRequest.parse(request));
const list = (ticker: string, title: string) =>
  tell({ do: 'market', ticker, eventTicker: ticker.slice(0, -2), title, closeTime: '2099-01-01T00:00:00Z' });
const asked = () =>
  proxy.recorded.flatMap(({ headers, query }) =>
    headers['accept-language'] === undefined ? [] : [[headers['accept-language'], query['tickers']]],
  );

beforeEach(async () => {
  emulator = await startKalshiEmulator();
  const privateKeyFile = newKalshiKey(emulator, 'k');
  list('KXRAIN-1', 'Rain');
  proxy = await openRecordingProxy(emulator.url, '/trade-api/v2');
  venue = openKalshi('kalshi', async () => proxy.url, { ...VENUE_SETTINGS.kalshi, keyId: 'k', privateKeyFile });
});
afterEach(async () => {
  await venue.close();
  await proxy.close();
  await emulator.close();
});

test('titles and labels are there in both languages, and asked for once', async () => {
  const [event] = (await venue.catalogue()).events;
  expect(event).toMatchObject({
    title: 'Rain',
    translations: { es: { title: 'Rain [es]', subtitle: null }, pt: { title: 'Rain [pt]' } },
    markets: [{ label: 'Rain', translations: { es: { label: 'Rain [es]' }, pt: { label: 'Rain [pt]' } } }],
  });
  await venue.catalogue();
  expect(asked().sort()).toEqual([
    ['es', 'KXRAIN'],
    ['pt', 'KXRAIN'],
  ]);
  list('KXSNOW-1', 'Snow');
  await venue.catalogue();
  expect(asked().slice(2).sort()).toEqual([
    ['es', 'KXSNOW'],
    ['pt', 'KXSNOW'],
  ]);
});

test('an exchange that does not translate loses no catalogue, and is asked again', async () => {
  tell({ do: 'fault', on: 'GET /events/fee_changes', fault: { kind: 'late', ms: 1 } });
  tell({ do: 'fault', on: 'GET /events', fault: { kind: 'late', ms: 1 } });
  tell({ do: 'fault', on: 'GET /events', times: 2, fault: { kind: 'status', status: 500 } });
  expect((await venue.catalogue()).events[0]).toMatchObject({ title: 'Rain', translations: {} });
  expect(venue.unknowns?.()).toEqual([{ about: 'texts', word: 'GET: status 500', seen: 1 }]);
  expect((await venue.catalogue()).events[0]?.translations.es?.title).toBe('Rain [es]');
});
