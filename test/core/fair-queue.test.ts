/** Groups take turns, and a group knows how many items come before a new one of its own. */
import { expect, test } from 'vitest';
import { createFairQueue } from '../../src/core/batching/fair-queue.ts';

/** A queue with so many items of each group, added group by group. */
function queueOf(groups: Record<string, number>) {
  const queue = createFairQueue<string>();
  for (const [group, count] of Object.entries(groups)) {
    for (let number = 1; number <= count; number += 1) {
      queue.add(group, `${group}${number}`);
    }
  }
  return queue;
}
const all = () => true;

test('a group is served in order, 32 items in a turn, and then the next group', () => {
  const queue = queueOf({ a: 70, b: 2, c: 40 });
  const first = queue.take(64, all);
  expect(first.slice(0, 33)).toEqual([...Array.from({ length: 32 }, (_, index) => `a${index + 1}`), 'b1']);
  expect(first.slice(33)).toEqual(['b2', ...Array.from({ length: 30 }, (_, index) => `c${index + 1}`)]);
  // c was cut off by the end of the call and waits behind a
  expect(queue.take(64, all).slice(0, 33)).toEqual([
    ...Array.from({ length: 32 }, (_, index) => `a${index + 33}`),
    'c31',
  ]);
  expect(queue.length).toBe(0);
  expect(queue.take(64, all)).toEqual([]);
});

test('a group alone fills a whole call, and items that may not go stay where they are', () => {
  const queue = queueOf({ a: 100, b: 3 });
  expect(queue.take(64, (item) => item.startsWith('a'))).toHaveLength(64);
  expect(queue.take(64, (item) => item.startsWith('b'))).toEqual(['b1', 'b2', 'b3']);
  expect(queue.length).toBe(36);
});

test('items before a new one: those of its own group, and the turns of the others meanwhile', () => {
  const queue = queueOf({ a: 500, b: 1 });
  expect([queue.ahead('a'), queue.ahead('b'), queue.ahead('new')]).toEqual([501, 64, 96]);
  expect(createFairQueue().ahead('a')).toBe(0);
});

test('expected items count as if they were there, and have nothing to take', () => {
  const queue = queueOf({ a: 40 });
  const ends = Array.from({ length: 40 }, () => queue.expect('b'));
  expect([queue.length, queue.expected]).toEqual([40, 40]);
  expect([queue.ahead('a'), queue.ahead('b'), queue.ahead('new')]).toEqual([80, 80, 80]);
  expect(queue.take(64, all)).toHaveLength(40);
  queue.add('b', 'b1');
  ends[0]?.();
  expect([queue.ahead('b'), queue.length, queue.expected]).toEqual([40, 1, 39]);
  for (const end of ends.slice(1)) {
    end();
  }
  expect([queue.ahead('b'), queue.ahead('new')]).toEqual([1, 1]);
  expect(queue.take(64, all)).toEqual(['b1']);
  expect([queue.ahead('b'), queue.expected]).toEqual([0, 0]);
});

test('removed items are gone, with their group', () => {
  const queue = queueOf({ a: 2, b: 1 });
  expect(queue.remove((item) => item !== 'a2')).toEqual(['a1', 'b1']);
  expect([queue.length, queue.ahead('b')]).toEqual([1, 1]);
  expect(queue.take(9, all)).toEqual(['a2']);
});
