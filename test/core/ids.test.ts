/** Ids rise in the order in which they were made; those of operators are short. */
import { expect, test } from 'vitest';
import { newExecutionRef, newId, newOperatorId, readReferenceBeginning, referencesNear } from '../../src/core/ids.ts';
import { timePasses } from '../support/until.ts';

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
  await timePasses(1_100);
  const later = newOperatorId();
  expect(later.slice(0, 12) > first.slice(0, 12)).toBe(true);
});

const REFERENCE = 'inl_Best_9PV0X7TMGBC8GG';

test.each([
  'inl_best_9pv0x7tmgbc8gg',
  '9pv0x7tmgbc8gg',
  'Ref: inl_Best_9PV0X7TMGBC8GG',
  'inl Best 9PV0 X7TM GBC8 GG',
  'my reference is inl_best_9pvox7tmgbc8gg!',
])('a support reference is read from "%s"', (text) => {
  expect(readReferenceBeginning(text)).toBe(REFERENCE);
});

test('a beginning needs six characters, and a reference that begins with REF keeps them', () => {
  expect(readReferenceBeginning('Ref. 9PV0X7')).toBe('inl_Best_9PV0X7');
  expect(readReferenceBeginning('9PV0X')).toBeUndefined();
  expect(readReferenceBeginning('REF0X7TMGBC8GG')).toBe('inl_Best_REF0X7TMGBC8GG');
});

test('one slip of any kind leads back to the reference', () => {
  const reference = newExecutionRef();
  const digits = reference.slice('inl_Best_'.length);
  for (const at of Array.from(digits, (_, place) => place)) {
    const [before, after] = [digits.slice(0, at), digits.slice(at + 1)];
    const slips = [
      `${before}${digits[at] === 'Z' ? 'Y' : 'Z'}${after}`,
      before + after,
      `${before}7${digits.slice(at)}`,
    ];
    const swapped = `${before}${digits[at + 1] ?? ''}${digits[at]}${digits.slice(at + 2)}`;
    for (const slip of [...slips, swapped]) {
      expect(referencesNear(slip), slip).toContain(reference);
    }
  }
  expect(referencesNear('9PV0X7')).toEqual([]);
});
