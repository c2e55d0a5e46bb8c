/** Which order that a venue lists without our id is that of an attempt. */
import { expect, test } from 'vitest';
import type { UnnamedOrder } from '../../src/venues/port.ts';
import { amongUnnamed, chooseOrder, saysTheSame, type UnnamedAttempt } from '../../src/venues/unnamed-orders.ts';

const SENT_AT = new Date('2026-11-01T12:00:00.000Z');
const after = (seconds: number) => new Date(SENT_AT.getTime() + seconds * 1_000);

function attempt(ourId = 'a', sentSeconds = 0): UnnamedAttempt {
  const sent = { listingId: 'L', side: 'YES', action: 'BUY', quantityMicros: 5_000_000n, limitPriceMicros: 450_000n };
  return { ...sent, ourId, sentAt: after(sentSeconds), expiresAt: after(sentSeconds + 30) } as UnnamedAttempt;
}

function order(venueOrderId: string, changes: Partial<UnnamedOrder> = {}): UnnamedOrder {
  const { listingId, side, action, quantityMicros, limitPriceMicros } = attempt();
  const filled = { quantityMicros, priceMicros: 440_000n };
  return {
    venueOrderId,
    listingId,
    side,
    action,
    quantityMicros,
    limitPriceMicros,
    madeAt: after(1),
    filled,
    ...changes,
  };
}

const chosen = (orders: readonly UnnamedOrder[], rivals: readonly UnnamedAttempt[] = [], of = attempt()) =>
  chooseOrder(of, orders, rivals)?.venueOrderId;

// contract 18.18
test.each<[string, Partial<UnnamedOrder>]>([
  ['contract', { listingId: 'M' }],
  ['side', { side: 'NO' }],
  ['direction', { action: 'SELL' }],
  ['quantity', { quantityMicros: 4_999_999n }],
  ['price', { limitPriceMicros: 440_000n }],
  ['price, which it does not say', { limitPriceMicros: null }],
])('an order of another %s does not say what was sent', (_, changes) => {
  expect(saysTheSame(order('X'), attempt())).toBe(true);
  expect(saysTheSame(order('X', changes), attempt())).toBe(false);
  expect(chosen([order('X', changes)])).toBeUndefined();
  expect(chosen([order('X', changes), order('Y')])).toBe('Y');
});

// contract 18.18
test('an order could be the attempt unless it is of another contract, of the opposite direction or from before the send', () => {
  const could = (changes: Partial<UnnamedOrder>) =>
    amongUnnamed([order('X', changes)], attempt(), false).outcome === 'unnamed';
  expect(could({ quantityMicros: 1n, limitPriceMicros: null })).toBe(true);
  // a sale of NO raises the position as a purchase of YES does
  expect(could({ side: 'NO', action: 'SELL' })).toBe(true);
  expect(could({ madeAt: after(86_400) })).toBe(true);
  expect(could({ madeAt: after(-5) })).toBe(true);
  expect(could({ madeAt: after(-6) })).toBe(false);
  expect(could({ side: 'NO' })).toBe(false);
  expect(could({ action: 'SELL' })).toBe(false);
  expect(could({ listingId: 'M' })).toBe(false);
  expect(amongUnnamed([], attempt(), true)).toEqual({ outcome: 'not_found', readOthers: true });
  expect(amongUnnamed([order('X', { listingId: 'M' })], undefined, true)).toMatchObject({ outcome: 'unnamed' });
});

// contract 18.18
test('an order that was made before the send, or after the venue would have taken it, is not that of the attempt', () => {
  expect(chosen([order('X', { madeAt: after(-5) })])).toBe('X');
  expect(chosen([order('X', { madeAt: after(-6) })])).toBeUndefined();
  expect(chosen([order('X', { madeAt: after(35) })])).toBe('X');
  expect(chosen([order('X', { madeAt: after(36) })])).toBeUndefined();
});

// contract 18.18
test('two orders for one attempt, and one order for two attempts, decide nothing', () => {
  expect(chosen([order('X'), order('Y')])).toBeUndefined();
  expect(chosen([order('X')], [attempt('b', 2)])).toBeUndefined();
  // the other one was sent long after the order was made
  expect(chosen([order('X')], [attempt('b', 20)])).toBe('X');
});

// contract 18.18
test('as many orders as equal attempts are given out in the order of time, if they ended alike', () => {
  const [x, y] = [order('X', { madeAt: after(1) }), order('Y', { madeAt: after(3) })];
  const [a, b] = [attempt('a', 0), attempt('b', 2)];
  expect(chosen([y, x], [b], a)).toBe('X');
  expect(chosen([y, x], [a], b)).toBe('Y');
  // at the same moment the ids decide, for both attempts in the same way
  const [c, d] = [attempt('c'), attempt('d')];
  const [v, w] = [order('V'), order('W')];
  expect([chosen([w, v], [d], c), chosen([w, v], [c], d)]).toEqual(['V', 'W']);
  for (const filled of [null, { quantityMicros: 4_000_000n, priceMicros: 440_000n }]) {
    expect(chosen([x, { ...y, filled }], [b], a)).toBeUndefined();
    expect(chosen([x, { ...y, filled }], [a], b)).toBeUndefined();
  }
  expect(
    chosen(
      [
        { ...x, filled: null },
        { ...y, filled: null },
      ],
      [b],
      a,
    ),
  ).toBeUndefined();
});

test('of attempts that follow each other, each can be told once the one before it is', () => {
  const [x, y, z] = [0, 20, 50].map((seconds) => order(`at ${seconds}`, { madeAt: after(seconds) })) as [
    UnnamedOrder,
    UnnamedOrder,
    UnnamedOrder,
  ];
  const [a, b, c] = [attempt('a', 0), attempt('b', 20), attempt('c', 50)];
  expect(chosen([x, y, z], [b, c], a)).toBe('at 0');
  expect(chosen([x, y, z], [a, c], b)).toBeUndefined();
  expect(chosen([y, z], [c], b)).toBe('at 20');
  expect(chosen([z], [], c)).toBe('at 50');
});
