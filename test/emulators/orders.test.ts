/** What the adapters of all exchanges do with orders and with our account, against the emulated exchanges. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OrderToPlace, SentOrder } from '../../src/venues/port.ts';
import { EXCHANGES } from './every-exchange.ts';
import { type Exchange, failure } from './exchange.ts';

const SLOW = { timeout: 30_000 };

describe.each(EXCHANGES)('at %s', (_, open) => {
  let exchange: Exchange;
  beforeEach(async () => {
    exchange = await open();
  });
  afterEach(() => exchange.close());

  const send = (one: OrderToPlace) => exchange.venue.placeOrder(one, () => true);
  const find = (one: OrderToPlace & SentOrder) => exchange.venue.findOrder(one.ourId, one);
  const words = () => exchange.venue.unknowns?.().map(({ about, word }) => `${about}: ${word}`);

  test('a buy is filled level by level, with the fees of the exchange, and the account has it', async () => {
    const { venue, listingId, bought, answersFills } = exchange;
    const one = await exchange.order();
    const fills = bought.map(([priceMicros, quantityMicros, feeMicros]) => ({
      priceMicros,
      quantityMicros,
      feeMicros,
    }));
    const order = { ourId: one.ourId, listingId, side: 'YES', action: 'BUY' };
    expect(await send(one)).toMatchObject({
      outcome: 'accepted',
      order: answersFills ? { ...order, state: 'closed', fills } : { ...order, state: 'working', fills: [] },
    });
    expect(await find(one)).toMatchObject({ outcome: 'found', order: { ...order, state: 'closed', fills } });
    const quantityMicros = bought.reduce((sum, [, quantity]) => sum + quantity, 0n);
    const cost = bought.reduce(
      (sum, [price, quantity, fee]) => sum + (price * quantity + 999_999n) / 1_000_000n + fee,
      0n,
    );
    expect([exchange.held(), exchange.cash()]).toEqual([quantityMicros, 1_000_000_000n - cost]);
    expect(await venue.account?.positions()).toEqual([{ listingId, side: 'YES', quantityMicros }]);
    expect(await venue.account?.balanceMicros()).toBe(exchange.cash());
  });

  test('NO is traded at its own price, the complement of that of YES, and what was bought is sold', async () => {
    const { listingId, venue } = exchange;
    const no = { side: 'NO', quantityMicros: 10_000_000n } as const;
    const bought = await exchange.order({ ...no, limitPriceMicros: 600_000n });
    await send(bought);
    expect(await find(bought)).toMatchObject({
      order: { side: 'NO', listingId, fills: [{ priceMicros: 600_000n, quantityMicros: 10_000_000n }] },
    });
    expect(exchange.held()).toBe(-10_000_000n);
    expect(await venue.account?.positions()).toEqual([{ listingId, ...no }]);
    const sold = await exchange.order({ ...no, action: 'SELL', limitPriceMicros: 540_000n });
    await send(sold);
    expect(await find(sold)).toMatchObject({
      order: { side: 'NO', action: 'SELL', fills: [{ priceMicros: 550_000n, quantityMicros: 10_000_000n }] },
    });
    expect(exchange.held()).toBe(0n);
    expect(await venue.account?.positions()).toEqual([]);
  });

  test('what is not matched at its price is cancelled', async () => {
    const one = await exchange.order({ limitPriceMicros: 450_000n });
    await send(one);
    expect(await find(one)).toMatchObject({
      outcome: 'found',
      order: { state: 'closed', fills: [{ quantityMicros: 10_000_000n }] },
    });
  });

  // contract 18.4
  test('an answer that is lost leaves the order unknown, and a look-up finds it once', SLOW, async () => {
    exchange.tell({ do: 'fault', on: exchange.paths.send, fault: { kind: 'timeout_after_apply' } });
    const one = await exchange.order();
    expect(await failure(send(one))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
    expect(await find(one)).toMatchObject({ outcome: 'found', order: { fills: [{}, {}] } });
    expect(await exchange.venue.fills(one.ourId, one)).toHaveLength(2);
    expect(exchange.taken()).toBe(1);
  });

  test('a server error in answer to an order decides nothing', async () => {
    exchange.tell({ do: 'fault', on: exchange.paths.send, fault: { kind: 'status', status: 504 } });
    expect(await failure(send(await exchange.order()))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
  });

  test('the same order again is there once, and its first answer counts', async () => {
    const one = await exchange.order();
    const [first, second] = [await send(one), await send(one)];
    expect(second).toMatchObject({ outcome: 'accepted', order: { ourId: one.ourId, fills: [{}, {}] } });
    if (exchange.answersFills) {
      expect(second).toEqual(first);
    }
    expect(exchange.taken()).toBe(1);
  });

  test('nothing is sent once it may not be written', async () => {
    const one = await exchange.order();
    expect(await failure(exchange.venue.placeOrder(one, () => false))).toMatchObject({ notTaken: true });
    expect(exchange.taken()).toBe(0);
  });

  test("an order whose id was made by a clock that is ahead is found from the attempt's time on", async () => {
    const ahead = (Date.now() + 600_000).toString(16).padStart(12, '0');
    const one = await exchange.order({ ourId: `att_${ahead}0123456789abcdef0123` });
    await send(one);
    const attempt = { ...one, sentAt: new Date() };
    expect(await find(attempt)).toMatchObject({ outcome: 'found', order: { state: 'closed', fills: [{}, {}] } });
    expect(await exchange.venue.fills(one.ourId, attempt)).toHaveLength(2);
  });

  test('the account answers for its orders and fills under the name that our books know', async () => {
    const one = await exchange.order();
    await send(one);
    const [since, name] = [new Date(Date.now() - 60_000), one.venueRef ?? one.ourId];
    const { account } = exchange.venue;
    expect(await account?.ordersSince(since)).toMatchObject([{ ourId: name, state: 'closed', fills: [{}, {}] }]);
    expect((await account?.fillsSince(since))?.map(({ ourId }) => ourId)).toEqual([name, name]);
    expect(Math.abs(((await account?.serverTime())?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000);
  });

  test('without a key the venue is only read', async () => {
    const { listingId } = exchange;
    const reader = exchange.openReader();
    expect(reader.account).toBeNull();
    expect((await reader.book(listingId))?.asks[0]).toEqual({ priceMicros: 450_000n, quantityMicros: 10_000_000n });
    const one = await exchange.order();
    expect(await reader.placeOrder(one, () => true)).toMatchObject({ outcome: 'rejected', reason: 'read_only' });
    await reader.close();
  });

  test('the answers of today hold nothing that is not documented', async () => {
    const { venue } = exchange;
    await venue.catalogue();
    const one = await exchange.order();
    await send(one);
    await find(one);
    const since = new Date(Date.now() - 60_000);
    await venue.account?.ordersSince(since);
    await venue.account?.fillsSince(since);
    expect(words()).toEqual([]);
  });

  test('an order with a new status is not lost: it may still fill', async () => {
    const one = await exchange.order();
    await send(one);
    const status = exchange.oddStatus();
    expect(await find(one)).toMatchObject({ outcome: 'found', order: { state: 'working' } });
    expect(words()).toEqual([`order status: ${status}`]);
  });
});
