/** The order group of Kalshi as a switch at the exchange: its limit, a stop of trading, and the way back. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import type { KalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import type { Venue } from '../../src/venues/port.ts';
import { type KalshiMarket, kalshiOrder, openKalshiMarket, TICKER } from './kalshi-venue.ts';

let exchange: KalshiMarket;
let emulator: KalshiEmulator;
let venue: Venue;
const tell = (request: object) => exchange.tell(request);

beforeEach(async () => {
  exchange = await openKalshiMarket();
  ({ emulator } = exchange);
  tell({ do: 'book', ticker: TICKER, yes: [], no: [['0.5500', '100.00']] });
  tell({ do: 'order_group', keyId: 'k', id: 'g1', contracts: '10.00' });
  venue = exchange.open({ orderGroups: new Map([[0, 'g1']]) });
});
afterEach(async () => {
  await venue.close();
  await exchange.close();
});

const buy = (contracts: number) => {
  const order = kalshiOrder(TICKER, { quantityMicros: BigInt(contracts) * 1_000_000n, limitPriceMicros: 450_000n });
  return venue.placeOrder(order, () => true);
};
/** How the exchange refuses such an order is not documented, so the answer decides nothing: the order is looked up. */
const undecided = async () => expect(await buy(1).catch((error: unknown) => error)).toMatchObject({ notTaken: false });

test('after the limit of contracts the exchange takes no order of the group until it is released', async () => {
  expect(await buy(6)).toMatchObject({ outcome: 'accepted' });
  expect(await buy(4)).toMatchObject({ outcome: 'accepted' });
  await undecided();
  await venue.account?.release?.();
  expect(await buy(1)).toMatchObject({ outcome: 'accepted' });
  expect(emulator.state.accounts.get('k')?.positions.get(TICKER)).toBe(11_000_000n);
});

test('halted, it takes none, whatever was matched', async () => {
  await venue.account?.halt?.();
  await undecided();
  await venue.account?.release?.();
  expect(await buy(1)).toMatchObject({ outcome: 'accepted' });
});

test('doctor names the limit, and a group that does not exist', async () => {
  const line = async (from: Venue) => (await from.account?.inspect?.())?.find(({ name }) => name === 'order group');
  expect(await line(venue)).toEqual({ name: 'order group', ok: true, detail: 'at most 10 contracts in 15 seconds' });
  const other = exchange.open({ orderGroups: new Map([[0, 'g2']]) });
  expect(await line(other)).toMatchObject({ ok: false, detail: expect.stringContaining('g2 does not exist') });
  await other.close();
  // without a group nothing is switched
  const plain = exchange.open({ orderGroups: new Map() });
  expect([plain.account?.halt, await line(plain)]).toEqual([undefined, undefined]);
  await plain.close();
});

test('each part has a group of its own, which its orders name, and a stop turns all of them', async () => {
  const crypto = 'KXBTC-1';
  const listed = { eventTicker: 'KXBTC', title: 'T', closeTime: '2099-01-01T00:00:00Z', exchangeIndex: 2 };
  tell({ do: 'market', ticker: crypto, ...listed });
  tell({ do: 'book', ticker: crypto, yes: [], no: [['0.5500', '100.00']] });
  tell({ do: 'part_balance', keyId: 'k', exchangeIndex: 2, cash: '100' });
  tell({ do: 'order_group', keyId: 'k', id: 'g2', exchangeIndex: 2, contracts: '2.00' });
  const groups = readEnvironment({ INLAY_KALSHI_ORDER_GROUP: '0=g1,2=g2' }).venueSettings.kalshi.orderGroups;
  const both = exchange.open({ orderGroups: groups });
  const send = (ticker: string) => both.placeOrder(kalshiOrder(ticker, { quantityMicros: 2_000_000n }), () => true);
  expect([await send(TICKER), await send(crypto)]).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
  // the limit of the group of part 2 is used up, that of part 0 is not
  await expect(send(crypto)).rejects.toMatchObject({ notTaken: false });
  expect(await send(TICKER)).toMatchObject({ outcome: 'accepted' });
  await both.account?.halt?.();
  await expect(send(TICKER)).rejects.toMatchObject({ notTaken: false });
  await expect(send(crypto)).rejects.toMatchObject({ notTaken: false });
  await both.account?.release?.();
  expect([await send(TICKER), await send(crypto)]).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
  const lines = (await both.account?.inspect?.())?.filter(({ name }) => name.startsWith('order group'));
  expect(lines).toMatchObject([
    { name: 'order group of part 0', ok: true },
    { name: 'order group of part 2', ok: true, detail: 'at most 2 contracts in 15 seconds' },
    { name: 'order groups', warning: true, detail: 'orders on parts 1, 3 name no order group' },
  ]);
  await both.close();
});

test('a group of another part does nothing there, so no order names it', async () => {
  const other = exchange.open({ orderGroups: new Map([[2, 'g1']]) });
  expect(await other.placeOrder(kalshiOrder(TICKER), () => true)).toMatchObject({ outcome: 'accepted' });
  const line = (await other.account?.inspect?.())?.find(({ name }) => name === 'order group');
  expect(line).toMatchObject({ ok: false, detail: expect.stringContaining('g1 does not exist on part 2') });
  await other.close();
});

test('the setting names one group, or one for each part', () => {
  const read = (text: string) =>
    Object.fromEntries(readEnvironment({ INLAY_KALSHI_ORDER_GROUP: text }).venueSettings.kalshi.orderGroups);
  expect(read('id-1')).toEqual({ 0: 'id-1' });
  expect(read('0=a,3=b')).toEqual({ 0: 'a', 3: 'b' });
  expect(() => read('a,b')).toThrow(/INLAY_KALSHI_ORDER_GROUP/);
});
