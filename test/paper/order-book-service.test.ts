/** Orders at the paper venue: limits, bounds, steps, one id one order, and what scripts make of the next one. */
import { describe, expect, test } from 'vitest';
import { freeze, resolve, setFee, speak } from '../../src/paper/manual-control.ts';
import type { OrderRequest } from '../../src/paper/orders/order.ts';
import { OrderBookService } from '../../src/paper/orders/order-book-service.ts';
import { until } from '../support/until.ts';
import { createExchange, NOON } from './support.ts';

const clock = { at: NOON };
const exchange = createExchange({ clock });
const orderBook = new OrderBookService(exchange);
const ids = [...exchange.contracts.keys()].filter((id) => !id.includes('5m'));
let used = 0;

function held(): string {
  used += 1;
  const id = ids[used] ?? '';
  freeze(
    exchange,
    id,
    [
      { price: 550_000, quantity: 10_000_000 },
      { price: 500_000, quantity: 90_000_000 },
    ],
    [
      { price: 600_000, quantity: 10_000_000 },
      { price: 650_000, quantity: 90_000_000 },
    ],
  );
  return id;
}

let count = 0;
function order(listingId: string, rest: Partial<OrderRequest> = {}): OrderRequest {
  count += 1;
  return {
    ourId: `o-${count}`,
    listingId,
    side: 'YES',
    action: 'BUY',
    quantity: 20_000_000,
    limitPrice: 700_000,
    maxCost: null,
    expiresAt: NOON + 5_000,
    ...rest,
  };
}

const taken = (handled: Awaited<ReturnType<OrderBookService['place']>>) =>
  handled.order?.fills.map(({ quantity, price }) => [quantity, price]);

describe('an order', () => {
  // contract 33.4
  test('takes one fill a level within its limit, on each side and both ways', async () => {
    const id = held();
    expect(taken(await orderBook.place(order(id)))).toEqual([
      [10_000_000, 600_000],
      [10_000_000, 650_000],
    ]);
    expect(taken(await orderBook.place(order(id, { limitPrice: 600_000 })))).toEqual([[10_000_000, 600_000]]);
    expect(taken(await orderBook.place(order(id, { side: 'NO', limitPrice: 450_000 })))).toEqual([
      [10_000_000, 450_000],
    ]);
    expect(taken(await orderBook.place(order(id, { action: 'SELL', limitPrice: 500_000 })))).toEqual([
      [10_000_000, 550_000],
      [10_000_000, 500_000],
    ]);
    expect(taken(await orderBook.place(order(id, { side: 'NO', action: 'SELL', limitPrice: 380_000 })))).toEqual([
      [10_000_000, 400_000],
    ]);
  });

  test('keeps cost and fee within its bound, in whole steps', async () => {
    const id = held();
    setFee(orderBook, id, 200);
    const { order: placed } = await orderBook.place(order(id, { maxCost: 5_000_000 }));
    expect(placed?.fills).toMatchObject([{ quantity: 8_160_000, price: 600_000, fee: 97_920 }]);
  });

  // contract 33.1
  test('leaves a held book as it is, and uses up one that is not', async () => {
    const id = held();
    await orderBook.place(order(id));
    expect(exchange.find(id)?.contract.book.asks[0]?.quantity).toBe(10_000_000);
    const free = [...exchange.contracts.values()].find(
      ({ contract }) => !contract.frozen && contract.profile === 'normal' && contract.book.asks.length > 2,
    )?.contract;
    const best = free?.book.asks[0];
    await orderBook.place(order(free?.id ?? '', { quantity: best?.quantity ?? 0, limitPrice: 999_000 }));
    expect(free?.book.asks[0]?.price).toBeGreaterThan(best?.price ?? 1);
  });

  test('is one order however often its id arrives, and the record counts it', async () => {
    const request = order(held());
    const first = await orderBook.place(request);
    const second = await orderBook.place(request);
    expect(second.order).toBe(first.order);
    expect(second.order).toMatchObject({ arrivals: 2, fills: [{}, {}] });
  });

  test('is refused on a closed contract, past its own expiry, off the step and for a listing that is none', async () => {
    const id = held();
    const reason = async (request: OrderRequest) => (await orderBook.place(request)).order?.reason;
    expect(await reason(order(id, { expiresAt: NOON }))).toBe('expired');
    expect(await reason(order(id, { quantity: 1 }))).toBe('invalid_quantity');
    expect(await reason(order('nowhere'))).toBe('unknown_listing');
    resolve(exchange, id, 'YES', null);
    expect(await reason(order(id))).toBe('market_not_open');
  });
});

describe('a script', () => {
  async function meet(script: string, rest: Partial<OrderRequest> = {}) {
    const id = held();
    exchange.amend(id, (contract) => contract.next.push(script));
    return {
      id,
      request: order(id, rest),
      handled: await orderBook.place(order(id, { ...rest, ourId: `s-${count}` })),
    };
  }

  // contract 33.2
  test('meets one order and no second', async () => {
    const { id, handled } = await meet('reject:too_small');
    expect(handled).toMatchObject({ delivery: 'answer', order: { state: 'rejected', reason: 'too_small', fills: [] } });
    expect((await orderBook.place(order(id))).order?.state).toBe('closed');
  });

  test('fills whole where the book would not', async () => {
    const { handled } = await meet('fill', { quantity: 500_000_000 });
    expect(handled.order?.fills.reduce((sum, fill) => sum + fill.quantity, 0)).toBe(500_000_000);
  });

  test('fills a share and closes the rest', async () => {
    const { handled } = await meet('partial:0.25');
    expect(handled).toMatchObject({ delivery: 'answer', order: { state: 'closed', fills: [{ quantity: 5_000_000 }] } });
  });

  test('loses the answer and lets a look-up find it, or answers neither until a command allows it', async () => {
    const lost = await meet('timeout');
    expect(lost.handled.delivery).toBe('hang');
    expect(orderBook.find(lost.handled.order?.ourId ?? '')).toMatchObject({
      state: 'closed',
      lookup: 'open',
      fills: [{}, {}],
    });
    const silent = await meet('silence');
    expect(silent.handled).toMatchObject({ delivery: 'hang', order: { lookup: 'silent' } });
    speak(orderBook);
    expect(silent.handled.order?.lookup).toBe('open');
  });

  test('forgets what it received, and never knew what was lost on the way', async () => {
    const { handled } = await meet('forget');
    expect(handled).toMatchObject({ delivery: 'hang', order: { fills: [] } });
    expect(orderBook.find(handled.order?.ourId ?? '')).toBeUndefined();
    expect(orderBook.orders.has(handled.order?.ourId ?? '')).toBe(true);
    expect((await meet('lost')).handled).toEqual({ order: null, delivery: 'hang' });
  });

  test('rests and fills later, also after a cancel', async () => {
    const rest = await meet('working:20');
    expect(rest.handled.order).toMatchObject({ state: 'working', fills: [] });
    await until(() => expect(rest.handled.order?.state).toBe('closed'));
    expect(rest.handled.order?.fills.length).toBe(2);
    const late = await meet('fill-after-cancel:20');
    expect(orderBook.cancel(late.handled.order?.ourId ?? '')).toMatchObject({ state: 'closed', fills: [] });
    await until(() => expect(late.handled.order?.fills.length).toBe(2));
    const never = await meet('working:never');
    expect(orderBook.cancel(never.handled.order?.ourId ?? '')?.state).toBe('closed');
  });
});

describe('a fee that is not known', () => {
  // contract 33.3
  test('is missing on fills until a number is given', async () => {
    const id = held();
    setFee(orderBook, id, null);
    const { order: placed } = await orderBook.place(order(id));
    expect(placed?.fills.map((fill) => fill.fee)).toEqual([null, null]);
    setFee(orderBook, id, 100);
    expect(placed?.fills.map((fill) => fill.fee)).toEqual([60_000, 65_000]);
  });
});
