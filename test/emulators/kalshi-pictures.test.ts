/** Pictures of Kalshi's events: those of the team or player that all markets of an event are about, which the exchange keeps apart. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KalshiExchange, openKalshiExchange, tellKalshi } from './kalshi-venue.ts';

const BEARS = 'e0729403-9c95-4ee2-b5d4-f704d8322570';
const LIONS = '6dd427f5-fa02-40ef-aa90-cfa73e0c539e';
const PLAYER = '5fd40da7-6cfb-4490-ab9a-5787e04213f5';
let exchange: KalshiExchange;

const tell = (request: object) => tellKalshi(exchange.emulator, request);
const list = (ticker: string, customStrike: object) =>
  tell({
    do: 'market',
    ticker,
    eventTicker: ticker.slice(0, -2),
    title: 'T',
    closeTime: '2099-01-01T00:00:00Z',
    customStrike,
  });
const pictureOf = (id: string) => `https://pictures.example.com/${id}.png`;
const pictures = async () =>
  Object.fromEntries((await exchange.venue.catalogue()).events.map(({ eventId, imageUrl }) => [eventId, imageUrl]));
const asked = () => exchange.proxy.recorded.filter(({ path }) => path === '/structured_targets').length;

beforeEach(async () => {
  exchange = await openKalshiExchange();
  for (const id of [BEARS, LIONS, PLAYER]) {
    tell({ do: 'target', id, name: id, type: 'football_team', imageUrl: pictureOf(id) });
  }
  list('KXWINS-1', { football_team: BEARS });
  list('KXWINS-2', { football_team: BEARS });
});
afterEach(() => exchange.close());

test('an event about one team or player has its picture, one of two teams has none, and each is asked for once', async () => {
  list('KXGAME-1', { football_team: BEARS });
  list('KXGAME-2', { football_team: LIONS });
  list('KXYARDS-1', { football_team: LIONS, football_player: PLAYER });
  list('KXRAMP-1', { Company: 'Ramp' });
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
  list('KXLIONS-1', { football_team: LIONS });
  list('KXPLAYER-1', { football_player: PLAYER });
  list('KXNOBODY-1', { football_team: 'a007957c-46fa-4d50-82f8-48dd4da02ba6' });
  expect(await pictures()).toEqual({ KXWINS: pictureOf(BEARS), KXLIONS: null, KXPLAYER: null, KXNOBODY: null });
});

test('an exchange that does not answer loses no catalogue, and is asked again', async () => {
  tell({ do: 'fault', on: 'GET /structured_targets', fault: { kind: 'status', status: 500 } });
  expect(await pictures()).toEqual({ KXWINS: null });
  expect(exchange.venue.unknowns?.()).toEqual([{ about: 'structured targets', word: 'GET: status 500', seen: 1 }]);
  expect(await pictures()).toEqual({ KXWINS: pictureOf(BEARS) });
});
