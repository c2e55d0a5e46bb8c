/** The moves of an order as the contract lists them, pair by pair; every other pair is refused. */
import { describe, expect, test } from 'vitest';
import type { OrderStatus } from '../../src/core/terms.ts';
import { assertTransition, ORDER_TRANSITIONS } from '../../src/trading/orders/order.ts';

const STATES: readonly OrderStatus[] = [
  'reserve_pending',
  'pending_venue_execution',
  'submitted',
  'partially_filled',
  'filled',
  'rejected',
  'cancelled',
  'pending',
];

const MOVES: readonly string[] = [
  'none>reserve_pending',
  'none>pending_venue_execution',
  'none>filled',
  'none>partially_filled',
  'none>rejected',
  'none>cancelled',
  'reserve_pending>pending_venue_execution',
  'reserve_pending>cancelled',
  'pending_venue_execution>cancelled',
  'pending_venue_execution>submitted',
  'submitted>partially_filled',
  'submitted>filled',
  'submitted>rejected',
  'submitted>cancelled',
  'partially_filled>filled',
];

const PAIRS = [null, ...STATES].flatMap((from) => STATES.map((to) => ({ from, to, name: `${from ?? 'none'}>${to}` })));

// contract 12.12
describe('the states of an order', () => {
  test.each(PAIRS.filter(({ from, to }) => from !== to))('$name', ({ from, to, name }) => {
    if (MOVES.includes(name)) {
      expect(() => assertTransition(from, to)).not.toThrow();
    } else {
      expect(() => assertTransition(from, to)).toThrow(`no transition of an order from ${from ?? 'none'} to ${to}`);
    }
  });

  test('an order may stay where it is', () => {
    for (const state of STATES) {
      expect(() => assertTransition(state, state)).not.toThrow();
    }
  });

  test('nothing leads out of an end', () => {
    for (const state of ['filled', 'rejected', 'cancelled', 'pending'] as const) {
      expect(ORDER_TRANSITIONS[state]).toEqual([]);
    }
  });
});
