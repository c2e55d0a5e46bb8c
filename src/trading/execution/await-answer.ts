/**
 * Wakes the worker for an order that was just placed, and waits up to 5 s for the venue's answer. The process that records the answer
 * notifies those that wait, and these then read the order. An order is also read twice a second, in case a notification was lost.
 */
import { createBatcher } from '../../core/batcher.ts';
import { operatorOf, readByOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import type { Listener } from '../../db/listener.ts';
import { createNotifier } from '../../db/notifier.ts';
import type { OrderRow } from '../orders/order.ts';

interface WaitedOrder extends OrderRow {
  /** Whether the venue answered or the order was withdrawn; false only at the end of the wait. */
  readonly answered: boolean;
}

/** Resolves with the order once the venue has answered, or as it is after the timeout; null if it could not be read. */
export type AwaitVenue = (operatorId: string, orderId: string) => Promise<WaitedOrder | null>;

export interface VenueWait {
  readonly awaitVenue: AwaitVenue;
  close(): void;
}

export function openVenueWait(sql: Sql, listener: Listener): VenueWait {
  const wait = createVenueWait(sql);
  const close = listener.listen(ANSWERED, {
    onNotification: (payload) => wait.answered(payload.split(' ')),
    onConnected: wait.lookAtAll,
  });
  return { awaitVenue: wait.awaitVenue, close };
}

/** How often an order is read in case the notification of its answer was lost. */
const LOOK_MS = 500;
const TIMEOUT_MS = 5_000;
const MAX_READS = 256;
const CONCURRENCY = 2;

interface Look {
  readonly operatorId: string;
  readonly orderId: string;
  /** Whether the order is returned as it is, because its wait ends now. */
  readonly endsNow: boolean;
}

interface Waiting extends Pick<Look, 'operatorId' | 'orderId'> {
  readonly end: (order: WaitedOrder | null) => void;
}

/** The wait without its listener, which calls `answered` with the ids of orders that were answered, whoever waits for them. */
export function createVenueWait(sql: Sql): {
  readonly awaitVenue: AwaitVenue;
  answered(orderIds: readonly string[]): void;
  lookAtAll(): void;
} {
  const waiting = new Map<string, Waiting>();
  const read = createBatcher<Look, WaitedOrder | undefined>((looks) => readAnswered(sql, looks), {
    name: 'read answered orders',
    maxBatch: MAX_READS,
    concurrency: CONCURRENCY,
  });

  function look({ operatorId, orderId, end }: Waiting, endsNow: boolean): void {
    read({ operatorId, orderId, endsNow })
      .catch(() => undefined)
      .then((order) => {
        if (endsNow || order?.answered === true) {
          end(order ?? null);
        }
      });
  }

  return {
    awaitVenue: (operatorId, orderId) =>
      new Promise((resolve) => {
        const one: Waiting = {
          operatorId,
          orderId,
          end: (order) => {
            clearInterval(looking);
            clearTimeout(ending);
            waiting.delete(orderId);
            resolve(order);
          },
        };
        const looking = setInterval(look, LOOK_MS, one, false);
        const ending = setTimeout(look, TIMEOUT_MS, one, true);
        waiting.set(orderId, one);
      }),
    answered(orderIds) {
      for (const orderId of orderIds) {
        const one = waiting.get(orderId);
        if (one !== undefined) {
          look(one, false);
        }
      }
    },
    lookAtAll() {
      for (const one of waiting.values()) {
        look(one, false);
      }
    },
  };
}

/**
 * The looks are JSON: from a list, the planner counts its entries and then finds that it pays to plan each call anew.
 * @returns for each look, the order that the venue answered or that was withdrawn, or whose wait ends now
 */
async function readAnswered(sql: Sql, looks: readonly Look[]): Promise<(WaitedOrder | undefined)[]> {
  const rows = await readByOperator(
    sql,
    looks,
    (operatorId, some) => sql<WaitedOrder[]>`
    select r.*, known.answered
    from json_to_recordset(${JSON.stringify(some.map(rowOf))}::text::json) as x(operator_id text, order_id text, ends_now boolean)
      cross join lateral (
        select * from orders r where r.operator_id = ${operatorOf(sql, operatorId)} and r.order_id = x.order_id
        order by r.operator_id, r.order_id limit 1) r
      left join lateral (
        select t.state from transmissions t where t.operator_id = ${operatorOf(sql, operatorId)} and t.order_id = x.order_id
        order by t.operator_id, t.order_id limit 1) t on true
      cross join lateral (select case r.status when 'pending_venue_execution' then false
        when 'submitted' then coalesce(t.state in ('working', 'reading_fee'), false) else true end as answered) known
    where known.answered or x.ends_now`,
  );
  const found = new Map(rows.map((row) => [row.orderId, row]));
  return looks.map(({ orderId }) => found.get(orderId));
}

const rowOf = ({ operatorId, orderId, endsNow }: Look) => {
  return { operator_id: operatorId, order_id: orderId, ends_now: endsNow };
};

const ANSWERED = 'answered';
/** Short, because customers wait. */
const SPACING_MS = 5;

/** Tells the processes that wait for an order that its venue answered, or that it was withdrawn. Called after the commit. */
export type TellAnswered = (orderId: string) => void;

export function createAnswerNotice(sql: Sql): TellAnswered {
  return createNotifier(sql, ANSWERED, SPACING_MS);
}

/** Wakes the worker's transmission after a commit. If the notification is lost, the worker's own poll finds the order. */
export function createWake(sql: Sql): () => void {
  const notify = createNotifier(sql, 'transmit', SPACING_MS);
  return () => notify();
}
