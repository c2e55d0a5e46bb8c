/** Prices move like prices: fields sum near one, ladders stay monotone, and a seed repeats a run. */
import { describe, expect, test } from 'vitest';
import { createExchange, events, middle, NOON, pass } from './support.ts';

const DOLLAR = 1_000_000;

function prices(seed: string): string {
  const clock = { at: NOON };
  const exchange = createExchange({ seed, clock });
  pass(exchange, clock, 60);
  return JSON.stringify(events(exchange).map((event) => event.contracts.map(({ book }) => [book.bids, book.asks])));
}

describe('prices of the paper venue', () => {
  test('repeats by seed and differs between seeds', () => {
    const first = prices('one');
    expect(prices('one')).toBe(first);
    expect(prices('two')).not.toBe(first);
  });

  test('keeps fields near one, ladders monotone and levels in order while moving', () => {
    const clock = { at: NOON };
    const exchange = createExchange({ clock });
    let updates = 0;
    exchange.listener = { book: () => (updates += 1), event() {}, market() {}, match() {}, coin() {} };
    for (let round = 0; round < 6; round += 1) {
      pass(exchange, clock, 20);
      for (const event of events(exchange)) {
        if (event.closedAt !== null) {
          continue;
        }
        const whole = event.contracts.every(
          ({ profile, book }) => profile === 'normal' && book.bids.length > 0 && book.asks.length > 0,
        );
        if (event.kind === 'mutually_exclusive' && whole) {
          const sum = event.contracts.reduce((total, contract) => total + middle(contract), 0);
          expect(Math.abs(sum - DOLLAR), event.id).toBeLessThan(event.contracts.length * 6_000 + 10_000);
        }
        if (event.kind === 'cumulative_ladder' && whole) {
          const rungs = [...event.contracts].sort((one, other) => (one.threshold ?? 0) - (other.threshold ?? 0));
          const sign = rungs[0]?.direction === 'below' ? -1 : 1;
          for (const [index, rung] of rungs.slice(1).entries()) {
            const before = rungs[index];
            if (before !== undefined) {
              expect(sign * (middle(before) - middle(rung)), event.id).toBeGreaterThanOrEqual(0);
            }
          }
        }
        for (const { book } of event.contracts) {
          expect(book.bids.every((level, index) => level.price < (book.bids[index - 1]?.price ?? DOLLAR))).toBe(true);
          expect(book.asks.every((level, index) => level.price > (book.asks[index - 1]?.price ?? 0))).toBe(true);
        }
      }
    }
    // Enough to look alive, few enough for two cores.
    expect(updates / 120).toBeGreaterThan(30);
    expect(updates / 120).toBeLessThan(130);
  });

  test('a five-minute event reports its coin: every two seconds, and at last the price that decides', () => {
    const ends = NOON + 180_000;
    const clock = { at: ends - 30_000 };
    const exchange = createExchange({ clock });
    const prices = new Map<string, number[]>();
    exchange.listener = {
      book() {},
      event() {},
      market() {},
      match() {},
      coin: ({ id }, price) => prices.set(id, [...(prices.get(id) ?? []), price]),
    };
    const running = events(exchange).filter(({ fiveMinute, closesAt }) => fiveMinute && closesAt === ends);
    expect(running).toHaveLength(4);
    pass(exchange, clock, 20);
    for (const { id, contracts } of running) {
      const told = prices.get(id) ?? [];
      expect(Math.abs(told.length - 10)).toBeLessThanOrEqual(1);
      expect(Math.abs((told[0] ?? 0) / (contracts[0]?.threshold ?? 1) - 1)).toBeLessThan(0.003);
    }
    pass(exchange, clock, 15);
    for (const { id, contracts } of running) {
      const wins = (prices.get(id)?.at(-1) ?? 0) >= (contracts[0]?.threshold ?? 0);
      expect(contracts[0]?.resolution?.outcome).toBe(wins ? 'YES' : 'NO');
    }
  });
});
