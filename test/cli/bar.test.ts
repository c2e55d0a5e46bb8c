/** Bars of the terminal. */
import { expect, test } from 'vitest';
import { bar, barAroundZero } from '../../src/cli/terminal/facts.ts';

test('a bar is as long as its part of the highest, and the sign does not change its length', () => {
  expect(bar(100n, 100n, 4)).toBe('████');
  expect(bar(-50n, 100n, 4)).toBe('██');
  expect(bar(56n, 100n, 4)).toBe('██▏');
});

test('the smallest amount has a bar, and nothing has none', () => {
  expect(bar(1n, 1_000_000n, 4)).toBe('▏');
  expect([bar(0n, 100n, 4), bar(0n, 0n, 4)]).toEqual(['', '']);
});

test('a loss goes to the left of zero', () => {
  expect(barAroundZero(100n, 100n, 4)).toBe('    │████');
  expect(barAroundZero(-50n, 100n, 4)).toBe('  ██│');
  expect(barAroundZero(0n, 100n, 4)).toBe('    │');
});
