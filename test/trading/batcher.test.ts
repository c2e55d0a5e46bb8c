/** Natural batching: nobody waits for a timer, lanes never meet in two calls, and what fails together is tried alone. */
import { expect, test } from 'vitest';
import { createBatcher } from '../../src/core/batcher.ts';

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

test('items of one lane are never in two calls at once; others pass them', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 10, concurrency: 2, lane: ({ lane }: Item) => lane });
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

test('a batch that fails as a whole is asked item by item', async () => {
  const enqueue = createBatcher(
    async (items: readonly Item[]) => {
      if (items.some(({ number }) => number === 2)) throw new Error('two');
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
