/** How long an order waits for its venue: until it is told of the answer, and never longer than the contract names. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import { createVenueWait } from '../../src/trading/execution/await-answer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A look as the statement takes it. */
interface LookRow {
  readonly order_id: string;
  readonly ends_now: boolean;
}

/** A database on one server that answers the reads of a wait. */
function answering(read: (looks: readonly LookRow[]) => readonly object[]): Sql {
  const sql = (_: TemplateStringsArray, ...values: readonly unknown[]) => {
    const looks = values.find((value) => typeof value === 'string' && value.startsWith('['));
    return Promise.resolve(looks === undefined ? [{ spread: false }] : read(JSON.parse(looks as string)));
  };
  return sql as unknown as Sql;
}

const filled = ({ order_id: orderId }: LookRow) => ({ orderId, status: 'filled', answered: true });

test('the wait ends at 5 s, not at the next read after that', async () => {
  let looks = 0;
  const silent = answering(() => {
    looks += 1;
    return [];
  });
  let answer: unknown = 'waiting';
  void createVenueWait(silent)
    .awaitVenue('op_1', 'ord_1')
    .then((progress) => {
      answer = progress;
    });
  await vi.advanceTimersByTimeAsync(4_990);
  expect(answer).toBe('waiting');
  await vi.advanceTimersByTimeAsync(20);
  expect(answer).toBeNull();
  const before = looks;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(looks).toBe(before);
  expect(looks).toBeLessThanOrEqual(10);
});

test('the last read of a wait returns the order as it is, without an answer', async () => {
  const asked: (boolean | undefined)[] = [];
  const working = answering((looks) => {
    asked.push(looks[0]?.ends_now);
    return looks
      .filter(({ ends_now: endsNow }) => endsNow)
      .map(({ order_id: orderId }) => ({ orderId, status: 'submitted', answered: false }));
  });
  const waited = createVenueWait(working).awaitVenue('op_1', 'ord_1');
  await vi.advanceTimersByTimeAsync(5_001);
  expect(await waited).toMatchObject({ status: 'submitted', answered: false });
  // the tenth look was due at the same moment
  expect(asked).toEqual([...Array(9).fill(false), true]);
});

test('an order is read when its answer is notified, and no other is read with it', async () => {
  const reads: (readonly string[])[] = [];
  const wait = createVenueWait(
    answering((looks) => {
      reads.push(looks.map(({ order_id: orderId }) => orderId));
      return looks.map(filled);
    }),
  );
  const [one, other] = [wait.awaitVenue('op_1', 'ord_1'), wait.awaitVenue('op_1', 'ord_2')];
  wait.answered(['ord_9', 'ord_1']);
  await vi.advanceTimersByTimeAsync(1);
  expect(await one).toMatchObject({ orderId: 'ord_1', answered: true });
  expect(reads).toEqual([['ord_1']]);
  wait.answered(['ord_2']);
  await vi.advanceTimersByTimeAsync(1);
  expect(await other).toMatchObject({ orderId: 'ord_2' });
});

test('an answer whose notification was lost is found half a second later, or as soon as the process listens again', async () => {
  const wait = createVenueWait(answering((looks) => looks.map(filled)));
  const unheard = wait.awaitVenue('op_1', 'ord_1');
  await vi.advanceTimersByTimeAsync(501);
  expect(await unheard).toMatchObject({ orderId: 'ord_1' });
  const missed = wait.awaitVenue('op_1', 'ord_2');
  wait.lookAtAll();
  await vi.advanceTimersByTimeAsync(1);
  expect(await missed).toMatchObject({ orderId: 'ord_2' });
});
