/** Natural batching: nobody waits for a timer, lanes never meet in two calls, what fails together is tried alone, and what would be late is refused. */
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
  const enqueue = createBatcher(flush, {
    maxBatch: 10,
    concurrency: 2,
    groupOf: ({ lane }: Item) => lane,
    oneCallPerGroup: true,
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

test('beside a call in flight few items wait for more of them, or for the call to end, but not for long', async () => {
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
  const since = performance.now();
  answers.push(item(5));
  await turn();
  expect(calls).toHaveLength(2);
  await vi.waitFor(() => expect(calls).toHaveLength(3), { timeout: 2_000, interval: 1 });
  expect(performance.now() - since).toBeGreaterThan(4);
  expect(performance.now() - since).toBeLessThan(500);
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
    oneCallPerGroup: true,
  });
  const answers = [enqueue({ lane: 'locked', number: 1 })];
  await turn();
  answers.push(enqueue({ lane: 'locked', number: 2 }), enqueue({ lane: 'free', number: 3 }));
  await turn();
  expect(calls).toHaveLength(1);
  await vi.waitFor(() => expect(calls).toHaveLength(2), { timeout: 5_000 });
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

test('an item that finds the queue full is refused at once, and so is one that waits too long', async () => {
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

/** A batcher whose calls of 64 items take 640 ms each, on a clock that stands still otherwise. */
async function busyBatcher(waiting: number) {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 64, concurrency: 1, groupOf: ({ lane }: Item) => lane });
  const answers = Array.from({ length: waiting + 128 }, (_, number) => enqueue({ lane: 'large', number }));
  await turn();
  vi.advanceTimersByTime(640);
  calls[0]?.end();
  await turn();
  const end = async () => {
    for (let ended = 0; ended < calls.length; ended += 1) {
      calls[ended]?.end();
      await turn();
    }
    vi.useRealTimers();
    return Promise.all(answers);
  };
  return { calls, enqueue, answers, end };
}
const within = (ms: number) => ({ expectedBy: performance.now() + ms, latest: performance.now() + 5_000 });

test('an item whose turn would come after its deadline is refused at once, with the time that it would have waited', async () => {
  const { calls, enqueue, end } = await busyBatcher(100);
  // 100 items of 10 ms each are before it
  await expect(enqueue({ lane: 'large', number: -1 }, within(999))).rejects.toMatchObject({
    code: 'service_unavailable',
    extra: { retryAfterSeconds: 1 },
  });
  expect(enqueue.keepTurn('large', within(999))).toMatchObject({ code: 'service_unavailable' });
  const kept = enqueue({ lane: 'large', number: 1_000 }, within(1_001));
  // a group with no items waiting has its turn after one of the other
  const small = enqueue({ lane: 'small', number: 2_000 }, within(650));
  await end();
  expect([await kept, await small]).toEqual([1_000, 2_000]);
  const sent = calls.flatMap(({ items }) => items.map(({ number }) => number));
  expect(sent).not.toContain(-1);
  expect(sent.indexOf(2_000)).toBeLessThan(sent.indexOf(1_000));
});

test('a queue that says when to come back counts in seconds', async () => {
  const { enqueue, end } = await busyBatcher(450);
  expect(enqueue.keepTurn('large', within(600))?.extra).toEqual({ retryAfterSeconds: 5 });
  await end();
});

test('a question whether an item would be refused takes no turn', async () => {
  const { enqueue, end } = await busyBatcher(100);
  expect(enqueue.isCrowded()).toBe(true);
  for (let asked = 0; asked < 3; asked += 1) {
    expect(enqueue.retryAfter('large', within(999))).toBe(1);
    expect(enqueue.retryAfter('large', within(1_001))).toBeUndefined();
  }
  expect(enqueue.keepTurn('large', within(1_001))).toBeUndefined();
  expect(enqueue.retryAfter('large', within(1_001))).toBe(2);
  await end();
  expect(enqueue.isCrowded()).toBe(false);
});

test('a turn is kept until its item comes or is given up, and counts before those who ask later', async () => {
  const { enqueue, end } = await busyBatcher(100);
  const first = within(1_001);
  const second = within(1_011);
  expect([enqueue.keepTurn('large', first), enqueue.keepTurn('large', second)]).toEqual([undefined, undefined]);
  expect(enqueue.keepTurn('large', within(1_011))).toMatchObject({ code: 'service_unavailable' });
  enqueue.giveUpTurn(first);
  enqueue.giveUpTurn(first);
  const third = within(1_011);
  expect(enqueue.keepTurn('large', third)).toBeUndefined();
  vi.advanceTimersByTime(500);
  // its time would be too short for a new item, but it has its turn
  const item = enqueue({ lane: 'large', number: 1_000 }, second);
  enqueue.giveUpTurn(second);
  await expect(enqueue({ lane: 'large', number: -1 }, within(600))).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  enqueue.giveUpTurn(third);
  await end();
  expect(await item).toBe(1_000);
});

test('a turn whose item does not come in time counts no more', async () => {
  const { enqueue, end } = await busyBatcher(100);
  const slow = within(1_001);
  expect(enqueue.keepTurn('large', slow)).toBeUndefined();
  vi.advanceTimersByTime(1_000);
  const asked = within(2_001);
  // until a second after its expected time
  expect(enqueue.keepTurn('large', asked)).toMatchObject({ code: 'service_unavailable' });
  vi.advanceTimersByTime(1_002);
  expect(enqueue.keepTurn('large', within(3_005))).toBeUndefined();
  await end();
});

test('an item that goes into the next call is never refused for its deadline', async () => {
  const { enqueue, end } = await busyBatcher(60);
  expect(enqueue.isCrowded()).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(enqueue.keepTurn('large', within(-100))).toBeUndefined();
  const kept = enqueue({ lane: 'large', number: 1_000 }, within(-100));
  await end();
  expect(await kept).toBe(1_000);
});

test('an item that still waits at the end of its deadline is refused and was never sent', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 1, concurrency: 1 });
  const running = enqueue({ lane: 'a', number: 1 });
  await turn();
  const later = enqueue({ lane: 'a', number: 2 });
  const latest = performance.now() + 30;
  const late = enqueue({ lane: 'a', number: 3 }, { expectedBy: latest, latest });
  await expect(late).rejects.toMatchObject({ code: 'service_unavailable' });
  calls[0]?.end();
  await turn();
  calls[1]?.end();
  expect([await running, await later]).toEqual([1, 2]);
  expect(calls).toHaveLength(2);
});

test('an item that waits for a key in use is refused in time as well', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, {
    maxBatch: 8,
    concurrency: 2,
    waitMs: 50,
    groupOf: ({ lane }: Item) => lane,
    oneCallPerGroup: true,
  });
  const running = enqueue({ lane: 'a', number: 1 });
  await turn();
  await expect(enqueue({ lane: 'a', number: 2 })).rejects.toMatchObject({ code: 'service_unavailable' });
  calls[0]?.end();
  expect(await running).toBe(1);
});

test('a command behind a hanging one of its customer is refused in time and never sent', async () => {
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

test('the refusal of an item that waited too long says how long the queue takes, by the rate of the calls that ended', async () => {
  const { calls, flush } = held();
  const enqueue = createBatcher(flush, { maxBatch: 1, concurrency: 1, waitMs: 2_500 });
  const first = enqueue({ lane: 'a', number: 1 });
  const second = enqueue({ lane: 'a', number: 2 });
  const late = [3, 4].map((number) =>
    enqueue({ lane: 'a', number }).catch((error: { extra: { retryAfterSeconds: number } }) => error.extra),
  );
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  calls[0]?.end();
  expect(await first).toBe(1);
  for (const { retryAfterSeconds } of (await Promise.all(late)) as { retryAfterSeconds: number }[]) {
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(2);
    expect(retryAfterSeconds).toBeLessThanOrEqual(30);
  }
  calls[1]?.end();
  expect(await second).toBe(2);
});

test('the children of an aggregator share its turns, and each keeps to one call at a time', async () => {
  const { calls, enqueue, end } = await busyBatcher(100);
  const items = Array.from({ length: 160 }, (_, index) => {
    const deadline = within(5_000);
    expect(enqueue.keepTurn('aggregator', deadline)).toBeUndefined();
    return enqueue({ lane: `child-${index % 5}`, number: 1_000 + index }, deadline);
  });
  const other = enqueue({ lane: 'other', number: 5_000 });
  await end();
  await Promise.all([...items, other]);
  const sent = calls.flatMap(({ items: batch }) => batch.map(({ number }) => number));
  // after one turn of the large group and one of the aggregator, not after one turn of each of its children
  expect(sent.slice(0, sent.indexOf(5_000)).filter((number) => number >= 1_000)).toHaveLength(32);
  expect(new Set(sent).size).toBe(sent.length);
});
