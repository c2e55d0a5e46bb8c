/** How places are shared when there are more requests than places, and what is refused. */
import { expect, test } from 'vitest';
import { createFairQueue, type Enter, type Leave } from '../../src/core/fair-queue.ts';

const SIZE = { places: 4, placesOfHolder: 2, waitingOfHolder: 8, lateMs: 60_000 };

/** A place that is there at once. */
function takeNow(enter: Enter, holderId: string): Leave {
  const place = enter(holderId);
  if (place instanceof Promise) {
    throw new Error(`${holderId} has to wait`);
  }
  return place;
}

/** A request that waits, and is refused only after its test has ended. */
function leaveWaiting(enter: Enter, holderId: string): void {
  const place = enter(holderId);
  expect(place).toBeInstanceOf(Promise);
  Promise.resolve(place).catch(() => undefined);
}

/** Requests that wait, in the order in which they got their places. */
function waitingRoom(enter: Enter) {
  const admitted: string[] = [];
  const leaves: Leave[] = [];
  return {
    admitted,
    leaves,
    async wait(holderId: string) {
      const place = enter(holderId);
      expect(place).toBeInstanceOf(Promise);
      leaves.push(await place);
      admitted.push(holderId);
    },
  };
}

test('a holder has its share of the places at once, and its next request waits until one of them is free', async () => {
  const enter = createFairQueue(SIZE);
  const first = takeNow(enter, 'large');
  takeNow(enter, 'large');
  const { admitted, wait } = waitingRoom(enter);
  const waits = wait('large');
  const small = takeNow(enter, 'small');
  small();
  await Promise.resolve();
  expect(admitted).toEqual([]);
  first();
  first();
  await waits;
  expect(admitted).toEqual(['large']);
  // the place was given back once
  leaveWaiting(enter, 'large');
});

test('holders that wait take turns, however many requests one of them has waiting', async () => {
  const enter = createFairQueue({ ...SIZE, places: 1, placesOfHolder: 1 });
  const first = takeNow(enter, 'a');
  const { admitted, leaves, wait } = waitingRoom(enter);
  const all = ['a', 'a', 'a', 'b', 'c'].map(wait);
  first();
  for (const [turn, done] of [all[0], all[3], all[4], all[1], all[2]].entries()) {
    await done;
    leaves[turn]?.();
  }
  expect(admitted).toEqual(['a', 'b', 'c', 'a', 'a']);
  takeNow(enter, 'd');
});

test('nobody overtakes a request that waits for its turn, and a holder at its share holds up nobody else', async () => {
  const enter = createFairQueue({ ...SIZE, places: 2, placesOfHolder: 1 });
  const leave = takeNow(enter, 'a');
  const { admitted, leaves, wait } = waitingRoom(enter);
  const waits = wait('a');
  takeNow(enter, 'b')();
  const second = wait('a');
  leave();
  await waits;
  expect(admitted).toEqual(['a']);
  takeNow(enter, 'b');
  await expect(Promise.race([second, Promise.resolve('waits')])).resolves.toBe('waits');
  leaves[0]?.();
  await second;
});

test('a request that has waited too long is refused, and leaves its turn to others', async () => {
  const enter = createFairQueue({ ...SIZE, places: 1, placesOfHolder: 1, lateMs: 30 });
  const leave = takeNow(enter, 'a');
  await expect(enter('b')).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
  leave();
  takeNow(enter, 'c');
});

test('what would wait too long by the mean of the last requests is refused at once, with the time that it would have waited', async () => {
  let clock = 0;
  const enter = createFairQueue({ places: 4, placesOfHolder: 4, waitingOfHolder: 100, lateMs: 2_500 }, () => clock);
  takeNow(enter, 'large');
  const leave = takeNow(enter, 'large');
  clock += 1_000;
  leave();
  for (let taken = 1; taken < 4; taken += 1) {
    takeNow(enter, 'large');
  }
  // a turn takes 250 ms
  for (let waiting = 0; waiting < 10; waiting += 1) {
    leaveWaiting(enter, 'large');
  }
  const refusal = { code: 'service_unavailable', extra: { retryAfterSeconds: 3 } };
  expect(() => enter('large')).toThrow(expect.objectContaining(refusal));
  // a holder that has nothing waiting comes after one turn of the other
  leaveWaiting(enter, 'small');
  expect(() => enter('large')).toThrow(expect.objectContaining(refusal));
});

test('a holder waits for its own places, although others are free', async () => {
  let clock = 0;
  const enter = createFairQueue({ places: 10, placesOfHolder: 1, waitingOfHolder: 100, lateMs: 2_500 }, () => clock);
  const leave = takeNow(enter, 'large');
  clock += 1_000;
  leave();
  takeNow(enter, 'large');
  leaveWaiting(enter, 'large');
  leaveWaiting(enter, 'large');
  expect(() => enter('large')).toThrow(expect.objectContaining({ extra: { retryAfterSeconds: 3 } }));
  takeNow(enter, 'small');
});

test('a queue in which nobody may wait refuses at once, and asks for a repetition after 1 to 30 seconds', () => {
  let clock = 0;
  const enter = createFairQueue({ places: 4, placesOfHolder: 1, waitingOfHolder: 0, lateMs: 0 }, () => clock);
  const first = takeNow(enter, 'a');
  const after = (seconds: number) => expect.objectContaining({ extra: { retryAfterSeconds: seconds } });
  expect(() => enter('a')).toThrow(after(1));
  clock += 600_000;
  first();
  takeNow(enter, 'a');
  expect(() => enter('a')).toThrow(after(30));
});
