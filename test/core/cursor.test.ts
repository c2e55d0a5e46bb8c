/** Cursors without a database: what comes back is what went in, and nothing else is taken. */
import { describe, expect, test } from 'vitest';
import {
  decodeCursor,
  decodeId,
  decodeRegisterCursor,
  decodeSequence,
  encodeCursor,
  encodeRegisterCursor,
  encodeSequence,
} from '../../src/core/cursor.ts';
import { Refusal } from '../../src/core/errors.ts';

const wrap = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return (error as Refusal).code;
  }
  return 'none';
}

describe('cursors', () => {
  test('give back the key that they were made of', () => {
    const key = ['a', 1, null, 'ü', 0, -2.5];
    expect(decodeCursor('orders', encodeCursor('orders', key), key.length)).toEqual(key);
    expect(decodeCursor('orders', encodeCursor('orders', []), 0)).toEqual([]);
  });

  test('resume only what they were made for', () => {
    const cursor = encodeCursor('orders', ['a']);
    expect(refusalOf(() => decodeCursor('positions', cursor, 1))).toBe('invalid_cursor');
    expect(refusalOf(() => decodeCursor('orders', cursor, 2))).toBe('invalid_cursor');
    expect(refusalOf(() => decodeCursor('orders', cursor, 0))).toBe('invalid_cursor');
  });

  test.each([
    ['of another version', wrap([2, 'orders', 'a'])],
    ['without a version', wrap(['orders', 'a'])],
    ['an object', wrap({ 0: 1, 1: 'orders', 2: 'a', length: 3 })],
    ['a text', wrap('orders')],
    ['null', wrap(null)],
    ['with a list inside', wrap([1, 'orders', ['a']])],
    ['with a truth value inside', wrap([1, 'orders', true])],
    ['no JSON', Buffer.from('[1,"orders"').toString('base64url')],
    ['empty', ''],
    ['with foreign characters', `${encodeCursor('orders', ['a'])}=`],
    ['that is only foreign characters', '==='],
    ['with a blank before it', ` ${encodeCursor('orders', ['a'])}`],
    ['longer than any that was made', encodeCursor('orders', ['a'.repeat(1_000)])],
  ])('refuse a text that is %s', (_, text) => {
    expect(refusalOf(() => decodeCursor('orders', text, 1))).toBe('invalid_cursor');
  });

  test('refuse another text of the same bytes', () => {
    const cursor = encodeCursor('orders', ['a']);
    const twins = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => cursor.slice(0, -1) + last)
      .filter((twin) => twin !== cursor && Buffer.from(twin, 'base64url').equals(Buffer.from(cursor, 'base64url')));
    expect(twins.length).toBeGreaterThan(0);
    for (const twin of twins) {
      expect(refusalOf(() => decodeCursor('orders', twin, 1))).toBe('invalid_cursor');
    }
  });

  test('are as long as a request may carry', () => {
    const longest = 'a'.repeat(753);
    const cursor = encodeCursor('orders', [longest]);
    expect(cursor).toHaveLength(1_024);
    expect(decodeCursor('orders', cursor, 1)).toEqual([longest]);
    expect(refusalOf(() => decodeCursor('orders', encodeCursor('orders', [`${longest}a`]), 1))).toBe('invalid_cursor');
  });

  test('of an id hold an id of that kind', () => {
    const cursor = (id: unknown) => encodeCursor('orders', [id as string]);
    expect(decodeId('orders', cursor('ord_0197f1c2'), 'ord')).toBe('ord_0197f1c2');
    expect(decodeId('orders', cursor(`ord_${'a'.repeat(64)}`), 'ord')).toBe(`ord_${'a'.repeat(64)}`);
    for (const id of [
      'qt_0197',
      'ord_',
      'ord_a-b',
      `ord_${'a'.repeat(65)}`,
      'xord_0197',
      'ordx0197',
      7,
      null,
      'ord_0197 ',
    ]) {
      expect(
        refusalOf(() => decodeId('orders', cursor(id), 'ord')),
        String(id),
      ).toBe('invalid_cursor');
    }
  });

  test('of a cursor hold a whole number from 0 up', () => {
    for (const sequence of [0n, 1n, 999_999_999_999_999_999n]) {
      expect(decodeSequence('feed', encodeSequence('feed', sequence))).toBe(sequence);
    }
    for (const text of ['-1', '01', '1.5', '', 'x', '1000000000000000000', ' 1', '1 ']) {
      expect(
        refusalOf(() => decodeSequence('feed', encodeCursor('feed', [text]))),
        text,
      ).toBe('invalid_cursor');
    }
    expect(refusalOf(() => decodeSequence('feed', encodeCursor('feed', [7])))).toBe('invalid_cursor');
  });

  test('of a cursor in the books carry their epoch from the second on', () => {
    expect(encodeRegisterCursor('feed', { sequence: 7n, epoch: 1 })).toBe(encodeSequence('feed', 7n));
    for (const cursor of [
      { sequence: 7n, epoch: 1 },
      { sequence: 0n, epoch: 2 },
      { sequence: 9n, epoch: 2 ** 31 - 1 },
    ]) {
      expect(decodeRegisterCursor('feed', encodeRegisterCursor('feed', cursor))).toEqual(cursor);
    }
    for (const epoch of [0, 1, -2, 2.5, 2 ** 31, '2', null]) {
      expect(
        refusalOf(() => decodeRegisterCursor('feed', encodeCursor('feed', ['7', epoch]))),
        String(epoch),
      ).toBe('invalid_cursor');
    }
    for (const key of [['x', 2], [null, 2], [7, 2], ['7', 2, 3], []]) {
      expect(
        refusalOf(() => decodeRegisterCursor('feed', encodeCursor('feed', key))),
        String(key),
      ).toBe('invalid_cursor');
    }
    expect(refusalOf(() => decodeRegisterCursor('feed', 'no cursor'))).toBe('invalid_cursor');
    expect(
      refusalOf(() => decodeRegisterCursor('settlements', encodeRegisterCursor('feed', { sequence: 7n, epoch: 2 }))),
    ).toBe('invalid_cursor');
  });
});
