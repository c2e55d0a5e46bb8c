/** Natural batching: nobody waits for a timer, lanes never meet in two calls, and what fails together is tried alone. */
import { expect, test, vi } from 'vitest';
import { createBatcher } from '../../src/core/batcher.ts';
import { oneAtATime } from '../../src/trading/orders/command-queue.ts';

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
  const enqueue = createBatcher(flush, { maxBatch: 10, concurrency: 2, serialKey: ({ lane }: Item) => lane });
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

test('live 4: an item that finds the queue full is refused at once, and so is one that waits too long', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 1, concurrency: 1, maxWaiting: 2, waitMs: 50 });
  const running = enqueue({ lane: 'a', number: 1 });
  await turn();
  const waiting = [2, 3].map((number) => enqueue({ lane: 'a', number }));
  const refused = { code: 'service_unavailable', status: 503 };
  await expect(enqueue({ lane: 'a', number: 4 })).rejects.toMatchObject(refused);
  expect((await Promise.allSettled(waiting)).map((one) => one.status === 'rejected' && one.reason.code)).toEqual([
    'service_unavailable',
    'service_unavailable',
  ]);
  // what is in flight has a deadline of its own
  calls[0]?.end();
  expect(await running).toBe(1);
  expect(calls).toHaveLength(1);
});

test('live 4: an item that waits for a key in use is refused in time as well', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, {
    maxBatch: 8,
    concurrency: 2,
    waitMs: 50,
    serialKey: ({ lane }: Item) => lane,
  });
  const running = enqueue({ lane: 'a', number: 1 });
  await turn();
  await expect(enqueue({ lane: 'a', number: 2 })).rejects.toMatchObject({ code: 'service_unavailable' });
  calls[0]?.end();
  expect(await running).toBe(1);
});

test('live 4: a command behind a hanging one of its customer is refused in time and never sent', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { promise: hanging, reject } = Promise.withResolvers<number>();
  const sent: number[] = [];
  const enqueue = oneAtATime(
    (number: number) => {
      sent.push(number);
      return number === 1 ? hanging : Promise.resolve(number);
    },
    () => 'customer',
  );
  const answers = [1, 2, 3].map((number) => enqueue(number));
  vi.advanceTimersByTime(5_001);
  reject(new Error('deadline'));
  const settled = await Promise.allSettled(answers);
  vi.useRealTimers();
  expect(settled.map((one) => one.status === 'rejected' && (one.reason.code ?? one.reason.message))).toEqual([
    'deadline',
    'service_unavailable',
    'service_unavailable',
  ]);
  expect(sent).toEqual([1]);
  expect(await enqueue(4)).toBe(4);
});
