/** The rate of a queue is what calls served while more items waited than one call takes. */
import { expect, test } from 'vitest';
import { createServiceRate } from '../../src/core/batching/service-rate.ts';

test('the time of calls that left items, divided by their items', () => {
  let clock = 0;
  const rate = createServiceRate(() => clock);
  expect(rate.expectedMs(1_000)).toBe(0);
  const ended = rate.started(50, true);
  clock = 100;
  ended.end();
  // 2 ms an item
  expect(rate.expectedMs(300)).toBe(600);
  // two calls at once serve twice as fast: each counts from the end of the other
  const one = rate.started(50, true);
  clock = 150;
  const two = rate.started(50, true);
  clock = 200;
  one.end();
  clock = 250;
  two.end();
  expect(rate.expectedMs(300)).toBeLessThan(600);
  expect(rate.expectedMs(300)).toBeGreaterThan(300);
});

test('calls that empty the queue say nothing about its rate', () => {
  let clock = 0;
  const rate = createServiceRate(() => clock);
  const ended = rate.started(1, false);
  clock = 20;
  ended.end();
  expect(rate.expectedMs(1_000)).toBe(0);
});

test('a call that takes long is expected to take as long again, until it has ended', () => {
  let clock = 0;
  const rate = createServiceRate(() => clock);
  const ended = rate.started(10, false);
  clock = 3_000;
  expect(rate.expectedMs(0)).toBe(3_000);
  ended.end();
  expect(rate.expectedMs(0)).toBe(0);
});

test('a call that is left out is not waited for, and its end says nothing', () => {
  let clock = 0;
  const rate = createServiceRate(() => clock);
  const call = rate.started(10, true);
  clock = 600;
  call.leaveOut();
  expect(rate.expectedMs(100)).toBe(0);
  clock = 5_000;
  call.end();
  expect(rate.expectedMs(100)).toBe(0);
});
