/** Texts of Kalshi in Spanish and Portuguese, which the exchange gives by `Accept-Language`. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KalshiExchange, openKalshiExchange, tellKalshi } from './kalshi-venue.ts';

let exchange: KalshiExchange;

const tell = (request: object) => tellKalshi(exchange.emulator, request);
const list = (ticker: string, title: string) =>
  tell({ do: 'market', ticker, eventTicker: ticker.slice(0, -2), title, closeTime: '2099-01-01T00:00:00Z' });
const asked = () =>
  exchange.proxy.recorded.flatMap(({ headers, query }) =>
    headers['accept-language'] === undefined ? [] : [[headers['accept-language'], query['tickers']]],
  );

beforeEach(async () => {
  exchange = await openKalshiExchange();
  list('KXRAIN-1', 'Rain');
});
afterEach(() => exchange.close());

test('titles and labels are there in both languages, and asked for once', async () => {
  const [event] = (await exchange.venue.catalogue()).events;
  expect(event).toMatchObject({
    title: 'Rain',
    translations: { es: { title: 'Rain [es]', subtitle: null }, pt: { title: 'Rain [pt]' } },
    markets: [{ label: 'Rain', translations: { es: { label: 'Rain [es]' }, pt: { label: 'Rain [pt]' } } }],
  });
  await exchange.venue.catalogue();
  expect(asked().sort()).toEqual([
    ['es', 'KXRAIN'],
    ['pt', 'KXRAIN'],
  ]);
  list('KXSNOW-1', 'Snow');
  await exchange.venue.catalogue();
  expect(asked().slice(2).sort()).toEqual([
    ['es', 'KXSNOW'],
    ['pt', 'KXSNOW'],
  ]);
});

test('an exchange that does not translate loses no catalogue, and is asked again', async () => {
  tell({ do: 'fault', on: 'GET /events/fee_changes', fault: { kind: 'late', ms: 1 } });
  tell({ do: 'fault', on: 'GET /events', fault: { kind: 'late', ms: 1 } });
  tell({ do: 'fault', on: 'GET /events', times: 2, fault: { kind: 'status', status: 500 } });
  expect((await exchange.venue.catalogue()).events[0]).toMatchObject({ title: 'Rain', translations: {} });
  expect(exchange.venue.unknowns?.()).toEqual([{ about: 'texts', word: 'GET: status 500', seen: 1 }]);
  expect((await exchange.venue.catalogue()).events[0]?.translations.es?.title).toBe('Rain [es]');
});
