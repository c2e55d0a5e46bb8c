/** Texts of Kalshi in Spanish and Portuguese, by `Accept-Language`, and pictures of the team or player that an event is about. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type KalshiExchange, openKalshiExchange, tellKalshi } from './kalshi-venue.ts';

let exchange: KalshiExchange;
beforeEach(async () => {
  exchange = await openKalshiExchange();
});
afterEach(() => exchange.close());

const tell = (request: object) => tellKalshi(exchange.emulator, request);
const list = (ticker: string, more: object = {}) =>
  tell({
    do: 'market',
    ticker,
    eventTicker: ticker.slice(0, -2),
    title: 'T',
    closeTime: '2099-01-01T00:00:00Z',
    ...more,
  });

describe('texts', () => {
  const asked = () =>
    exchange.proxy.recorded.flatMap(({ headers, query }) =>
      headers['accept-language'] === undefined ? [] : [[headers['accept-language'], query['tickers']]],
    );

  beforeEach(() => {
    list('KXRAIN-1', { title: 'Rain' });
  });

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
    list('KXSNOW-1', { title: 'Snow' });
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
});

describe('pictures', () => {
  const BEARS = 'e0729403-9c95-4ee2-b5d4-f704d8322570';
  const LIONS = '6dd427f5-fa02-40ef-aa90-cfa73e0c539e';
  const PLAYER = '5fd40da7-6cfb-4490-ab9a-5787e04213f5';

  const pictureOf = (id: string) => `https://pictures.example.com/${id}.png`;
  const pictures = async () =>
    Object.fromEntries((await exchange.venue.catalogue()).events.map(({ eventId, imageUrl }) => [eventId, imageUrl]));
  const asked = () => exchange.proxy.recorded.filter(({ path }) => path === '/structured_targets').length;

  beforeEach(() => {
    for (const id of [BEARS, LIONS, PLAYER]) {
      tell({ do: 'target', id, name: id, type: 'football_team', imageUrl: pictureOf(id) });
    }
    list('KXWINS-1', { customStrike: { football_team: BEARS } });
    list('KXWINS-2', { customStrike: { football_team: BEARS } });
  });

  test('an event about one team or player has its picture, one of two teams has none, and each is asked for once', async () => {
    list('KXGAME-1', { customStrike: { football_team: BEARS } });
    list('KXGAME-2', { customStrike: { football_team: LIONS } });
    list('KXYARDS-1', { customStrike: { football_team: LIONS, football_player: PLAYER } });
    list('KXRAMP-1', { customStrike: { Company: 'Ramp' } });
    expect(await pictures()).toEqual({
      KXWINS: pictureOf(BEARS),
      KXGAME: null,
      KXYARDS: pictureOf(PLAYER),
      KXRAMP: null,
    });
    await pictures();
    expect(asked()).toBe(1);
  });

  test('a target without a picture, one that is not there, and one whose picture is no address have none', async () => {
    tell({ do: 'target', id: LIONS, name: 'Lions', type: 'football_team' });
    tell({ do: 'target', id: PLAYER, name: 'P', type: 'football_player', imageUrl: '/players/p.png' });
    list('KXLIONS-1', { customStrike: { football_team: LIONS } });
    list('KXPLAYER-1', { customStrike: { football_player: PLAYER } });
    list('KXNOBODY-1', { customStrike: { football_team: 'a007957c-46fa-4d50-82f8-48dd4da02ba6' } });
    expect(await pictures()).toEqual({ KXWINS: pictureOf(BEARS), KXLIONS: null, KXPLAYER: null, KXNOBODY: null });
  });

  test('an exchange that does not answer loses no catalogue, and is asked again', async () => {
    tell({ do: 'fault', on: 'GET /structured_targets', fault: { kind: 'status', status: 500 } });
    expect(await pictures()).toEqual({ KXWINS: null });
    expect(exchange.venue.unknowns?.()).toEqual([{ about: 'structured targets', word: 'GET: status 500', seen: 1 }]);
    expect(await pictures()).toEqual({ KXWINS: pictureOf(BEARS) });
  });
});
