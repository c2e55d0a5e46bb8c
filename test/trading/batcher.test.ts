/** Natural batching: nobody waits for a timer, groups never meet in two calls, and what fails together is tried alone. */
import { expect, test, vi } from 'vitest';
import { createBatcher } from '../../src/core/batcher.ts';
import { until } from '../support/until.ts';

interface Item {
  readonly lane: string;
  readonly number: number;
}

/** A flush whose calls end when they are told to. */
function held() {
  const calls: { items: readonly Item[]; end(): void }[] = [];
  const flush = (items: readonly Item[]) =>
    new Promise<readonly number[]>((resolve) => {
      calls.push({ items, end: () => resolve(items.map(({ number }) => number)) });
    });
  return { calls, flush };
}
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('what arrives while a call is in flight goes together into the next', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 10, concurrency: 1 });
  const answers = [enqueue({ lane: 'a', number: 1 })];
  await turn();
  answers.push(enqueue({ lane: 'a', number: 2 }), enqueue({ lane: 'b', number: 3 }));
  await turn();
  expect(calls).toHaveLength(1);
  calls[0]?.end();
  await turn();
  expect(calls[1]?.items.map(({ number }) => number)).toEqual([2, 3]);
  calls[1]?.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
});

test('items of one key are never in two calls at once; other items overtake them', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, {
    maxBatch: 10,
    concurrency: 2,
    groupOf: ({ lane }: Item) => lane,
  });
  const answers = [enqueue({ lane: 'a', number: 1 })];
  await turn();
  answers.push(enqueue({ lane: 'a', number: 2 }));
  await turn();
  expect(calls).toHaveLength(1);
  answers.push(enqueue({ lane: 'b', number: 3 }), enqueue({ lane: 'a', number: 4 }));
  await turn();
  expect(calls[1]?.items.map(({ number }) => number)).toEqual([3]);
  calls[0]?.end();
  await turn();
  expect(calls[2]?.items.map(({ number }) => number)).toEqual([2, 4]);
  calls[1]?.end();
  calls[2]?.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
});

test('beside a call in flight few items wait for more of them, or for the call to end, but not for long', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 10, concurrency: 2, fewestBeside: 3 });
  const item = (number: number) => enqueue({ lane: 'a', number });
  const answers = [item(1)];
  await turn();
  expect(calls).toHaveLength(1);
  answers.push(item(2), item(3));
  await turn();
  expect(calls).toHaveLength(1);
  answers.push(item(4));
  await turn();
  expect(calls[1]?.items.map(({ number }) => number)).toEqual([2, 3, 4]);
  calls[0]?.end();
  await turn();
  // the other call is in flight
  answers.push(item(5));
  await turn();
  expect(calls).toHaveLength(2);
  vi.advanceTimersByTime(10);
  expect(calls).toHaveLength(3);
  answers.push(item(6));
  calls[1]?.end();
  calls[2]?.end();
  await turn();
  expect(calls[3]?.items.map(({ number }) => number)).toEqual([6]);
  calls[3]?.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a call that takes long gives its place to a spare one, for other keys only', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, {
    maxBatch: 10,
    concurrency: 1,
    spareCalls: 1,
    groupOf: ({ lane }: Item) => lane,
  });
  const answers = [enqueue({ lane: 'locked', number: 1 })];
  await turn();
  answers.push(enqueue({ lane: 'locked', number: 2 }), enqueue({ lane: 'free', number: 3 }));
  await turn();
  expect(calls).toHaveLength(1);
  await until(() => expect(calls).toHaveLength(2), 5_000);
  expect(calls[1]?.items.map(({ number }) => number)).toEqual([3]);
  answers.push(enqueue({ lane: 'third', number: 4 }));
  await turn();
  // the spare place is taken
  expect(calls).toHaveLength(2);
  calls[1]?.end();
  await turn();
  expect(calls[2]?.items.map(({ number }) => number)).toEqual([4]);
  calls[0]?.end();
  calls[2]?.end();
  await turn();
  expect(calls[3]?.items.map(({ number }) => number)).toEqual([2]);
  calls[3]?.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
});

test('a batch that fails as a whole is asked item by item', async () => {
  const enqueue = createBatcher(
    async (items: readonly Item[]) => {
      if (items.some(({ number }) => number === 2)) {
        throw new Error('two');
      }
      return items.map(({ number }) => number);
    },
    { maxBatch: 10, concurrency: 1, retryAlone: true },
  );
  const answers = await Promise.allSettled([1, 2, 3].map((number) => enqueue({ lane: 'a', number })));
  expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
    1,
    'Error: two',
    3,
  ]);
});

test.each([
  ['too few', 1],
  ['too many', 3],
])('a batch that is answered with %s outputs answers no caller', async (_, length) => {
  const enqueue = createBatcher(async () => Array<number>(length).fill(0), { maxBatch: 10, concurrency: 1 });
  const answers = await Promise.allSettled([1, 2].map((number) => enqueue({ lane: 'a', number })));
  for (const answer of answers) {
    expect(answer.status === 'rejected' && answer.reason.message).toBe(`a batch of 2 returned ${length} outputs`);
  }
});

test('an item that has waited too long when a call ends is refused, and was never sent', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 1, concurrency: 1, waitMs: 50 });
  const running = enqueue({ lane: 'a', number: 1 });
  await turn();
  const since = performance.now();
  const late = enqueue({ lane: 'a', number: 2 });
  await until(
    () => performance.now() - since,
    (ms) => ms > 60,
  );
  const next = enqueue({ lane: 'b', number: 3 });
  calls[0]?.end();
  await expect(late).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
  await turn();
  calls[1]?.end();
  expect([await running, await next]).toEqual([1, 3]);
  expect(calls.map(({ items }) => items.map(({ number }) => number))).toEqual([[1], [3]]);
});

test('a call has one item of each key; the others wait for it, in their order', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, {
    maxBatch: 10,
    concurrency: 2,
    groupOf: () => 'operator',
    keyOf: ({ lane }: Item) => lane,
  });
  const answers = [1, 2, 3].map((number) => enqueue({ lane: 'ana', number }));
  answers.push(enqueue({ lane: 'ben', number: 4 }));
  for (const expected of [[1, 4], [2], [3]]) {
    await turn();
    expect(calls.at(-1)?.items.map(({ number }) => number)).toEqual(expected);
    calls.at(-1)?.end();
  }
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
});

test('a call takes whole groups, and the rest of a large one waits behind the others', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 4, concurrency: 1, groupOf: ({ lane }: Item) => lane });
  const lanes = ['a', 'b', 'a', 'b', 'a', 'a', 'a', 'c'];
  const answers = lanes.map((lane, number) => enqueue({ lane, number }));
  for (const expected of [
    [0, 2, 4, 5],
    [1, 3, 7, 6],
  ]) {
    await turn();
    expect(calls.at(-1)?.items.map(({ number }) => number)).toEqual(expected);
    calls.at(-1)?.end();
  }
  expect(await Promise.all(answers)).toEqual(lanes.keys().toArray());
});
