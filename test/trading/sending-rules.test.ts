/** Two small rules of the sending: our id at a venue follows from the order, and no sender that was held up reaches the wire. */
import { describe, expect, test } from 'vitest';
import { orderIdOf, venueIdOf } from '../../src/trading/execution/attempts.ts';
import { createSendDeadline } from '../../src/trading/execution/send-gate.ts';

const HEX = '0197f1c2a0b37d3e8a6b1c5d9e2f4a60';

describe('our id at a venue', () => {
  test('is that of the order, and leads back to it', () => {
    expect(venueIdOf(`ord_${HEX}`)).toBe(`att_${HEX}`);
    expect(orderIdOf(`att_${HEX}`)).toBe(`ord_${HEX}`);
  });

  test.each([
    '',
    'att_',
    HEX,
    `ord_${HEX}`,
    `att_${HEX}0`,
    `att_${HEX.slice(1)}`,
    `xatt_${HEX}`,
    `att_${HEX.toUpperCase()}`,
  ])('is not %o', (id) => {
    expect(orderIdOf(id)).toBeUndefined();
  });

  test('is replaced at its beginning only', () => {
    expect(venueIdOf(`x_ord_${HEX}`)).toBe(`x_ord_${HEX}`);
  });
});

describe('the fence before the wire', () => {
  const after = (ticksMs: number, clockMs: number): boolean => {
    const now = { tick: 1_000, moment: 50_000 };
    const mayWrite = createSendDeadline({ now: () => new Date(now.moment) }, () => now.tick);
    now.tick += ticksMs;
    now.moment += clockMs;
    return mayWrite();
  };

  test.each([
    ['at once', 0, 0, true],
    ['just in time', 4_999, 4_999, true],
    ['by the monotonic clock', 5_000, 0, false],
    ['by the wall clock', 0, 5_000, false],
    ['by a clock that was set back', 0, -5_000, false],
    ['by a clock that was set back a little', 0, -4_999, true],
  ])('is open or shut %s', (_, ticks, clock, open) => {
    expect(after(ticks, clock)).toBe(open);
  });
});
