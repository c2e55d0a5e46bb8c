/** Ids rise in the order in which they were made; those of operators are short. */
import { expect, test } from 'vitest';
import { newId, newOperatorId } from '../../src/core/ids.ts';

const OF_RELEASE_0_2 = 'op_01a2051e6d59772b97c2e4dcd116e7da';

test('an id is a prefix and 32 hex digits of a UUID version 7, and ids of one process rise', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('qt'));
  expect(ids.every((id) => /^qt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toBe(true);
  expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''))).toBe(true);
});

test('new ids of operators rise byte by byte, also within a millisecond, and follow those of older releases', () => {
  const ids = Array.from({ length: 20_000 }, newOperatorId);
  expect(ids.every((id) => /^op_[0-9a-hjkmnp-tv-z]{12}$/.test(id))).toBe(true);
  expect(ids.every((id, index) => id > (ids[index - 1] ?? OF_RELEASE_0_2))).toBe(true);
});

test('the milliseconds lead an id of an operator', async () => {
  const first = newOperatorId();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const later = newOperatorId();
  expect(later.slice(0, 12) > first.slice(0, 12)).toBe(true);
});
