/** Commands of orders on their way to a money statement: batched, one of each customer at a time, and repeated on a conflict. */
import { type Batcher, createBatcher } from '../../core/batcher.ts';
import type { Deadline } from '../../core/batching/deadline.ts';
import { refuse } from '../../core/errors.ts';
import type { RowType } from '../../db/row-type.ts';
import { type JournalCommand, packBatch, type WithoutJournal } from '../../ledger/journal.ts';

/** Only a queue that is long fills a call: under overload, where a call of 64 left a tenth of the orders to its fixed cost. */
const MAX_BATCH = 192;
const CONCURRENCY = 2;
const SPARE_CALLS = 2;
/** At half of the peak rate two calls at once would carry two or three orders each. */
const FEWEST_BESIDE = 32;
const WAIT_MS = 5_000;
const CHECK_VIOLATION = '23514';
const OVERDRAWN = 'liability_not_overdrawn';
const TRIES = 6;

/**
 * @param call the money statement; it returns one verdict for each row, in their order.
 * @returns a function that takes a command and, if a request waits for it, the request's deadline
 */
export function createCommandQueue<C extends JournalCommand, V>(
  type: RowType<WithoutJournal<C>>,
  call: (rows: string, facts: string, journal: string) => Promise<readonly V[]>,
): Batcher<C, V> {
  const enqueue = createBatcher<C, V>(
    (commands) => {
      const { rows, facts, journal } = packBatch(type, commands);
      return retryOnConflict(() => call(rows, facts, journal));
    },
    // Commands of one operator end in its counter, so they go into one call.
    {
      name: 'record orders',
      maxBatch: MAX_BATCH,
      concurrency: CONCURRENCY,
      spareCalls: SPARE_CALLS,
      fewestBeside: FEWEST_BESIDE,
      retryAlone: true,
      groupOf: ({ operatorId }) => operatorId,
      oneCallPerGroup: true,
    },
  );
  const { keepTurn, isCrowded, retryAfter, giveUpTurn } = enqueue;
  const inTurn = oneAtATime(enqueue, ({ operatorId, externalUserId }) => `${operatorId} ${externalUserId}`);
  return Object.assign(inTurn, { keepTurn, isCrowded, retryAfter, giveUpTurn });
}

/**
 * Keeps two commands of one customer out of the same batch: the second waits for the first. Customers do not wait for each
 * other. A command that waited too long is refused with service_unavailable and was never sent.
 */
export function oneAtATime<I, O>(
  enqueue: (item: I, deadline?: Deadline) => Promise<O>,
  customerOf: (item: I) => string,
): (item: I, deadline?: Deadline) => Promise<O> {
  const lastOf = new Map<string, Promise<void>>();
  return (item, deadline) => {
    const latest = Math.min(performance.now() + WAIT_MS, deadline?.latest ?? Number.POSITIVE_INFINITY);
    const customer = customerOf(item);
    const before = lastOf.get(customer);
    const answer =
      before === undefined
        ? enqueue(item, deadline)
        : before.then(() => (performance.now() > latest ? refuseLate() : enqueue(item, deadline)));
    const settled = answer.then(
      () => undefined,
      () => undefined,
    );
    lastOf.set(customer, settled);
    return answer.finally(() => {
      if (lastOf.get(customer) === settled) {
        lastOf.delete(customer);
      }
    });
  };
}

function refuseLate(): never {
  throw refuse('service_unavailable');
}

/**
 * Repeats a money statement that was refused by the balance of an account. Two statements at once may each see collateral that
 * is enough for one of them; the constraint refuses the later one, which then sees the balance that is left.
 * @throws the last error, and any other error at once. A call that failed wrote nothing.
 */
async function retryOnConflict<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (tries === TRIES || !isOverdrawn(error)) {
        throw error;
      }
    }
  }
}

function isOverdrawn(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === CHECK_VIOLATION &&
    'constraint_name' in error &&
    error.constraint_name === OVERDRAWN
  );
}
