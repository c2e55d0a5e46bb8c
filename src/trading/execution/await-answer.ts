/**
 * Wakes the worker for an order that was just placed, and waits up to 5 s for the venue's answer. Money statements send no notification, so
 * the orders that wait are read together every 25 ms: each one first after half of the recent answer time, and again after a quarter of the
 * time it has waited. The read that finds the answer returns the order.
 */
import { operatorOf, readByOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import type { OrderRow } from '../orders/order.ts';

const POLL_MS = 25;
/** The share of the time already waited after which an order is read again, so that slow venues cost few reads. */
const SHARE_WAITED = 0.25;
/** The share of the usual time before which an order is not read at all. */
const SHARE_USUAL = 0.5;
/** The weight of the latest answer in the usual time. */
const WEIGHT = 0.1;
/** The first read is never later than this, so that a venue that was slow is noticed when it has become fast. */
const FIRST_READ_MS = 500;
const TIMEOUT_MS = 5_000;

interface WaitedOrder extends OrderRow {
  /** Whether the venue answered or the order was withdrawn; false only at the end of the wait. */
  readonly answered: boolean;
}

interface Waiting {
  readonly operatorId: string;
  readonly orderId: string;
  readonly since: number;
  dueAt: number;
  readonly resolve: (order: WaitedOrder | null) => void;
}

/** Resolves with the order once the venue has answered, or as it is after the timeout; null if it could not be read. */
export type AwaitVenue = (operatorId: string, orderId: string) => Promise<WaitedOrder | null>;

export function createVenueWait(sql: Sql): AwaitVenue {
  const waiting = new Set<Waiting>();
  let usualMs = 0;
  let polling = false;

  async function poll(): Promise<void> {
    const begun = Date.now();
    const asked = [...waiting].filter(({ dueAt }) => dueAt <= begun);
    if (asked.length === 0) {
      return;
    }
    const endsNow = (one: Waiting) => begun >= one.since + TIMEOUT_MS;
    const rows = await readAnswered(sql, asked, endsNow).catch(() => []);
    const found = new Map(rows.map((row) => [row.orderId, row]));
    const now = Date.now();
    for (const one of asked) {
      const order = found.get(one.orderId);
      if (order?.answered === true) {
        waiting.delete(one);
        usualMs += (now - one.since - usualMs) * WEIGHT;
        one.resolve(order);
      } else if (endsNow(one)) {
        waiting.delete(one);
        one.resolve(order ?? null);
      } else {
        one.dueAt = Math.min(now + (now - one.since) * SHARE_WAITED, one.since + TIMEOUT_MS);
      }
    }
  }

  async function run(): Promise<void> {
    polling = true;
    try {
      while (waiting.size > 0) {
        await poll();
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } finally {
      polling = false;
    }
  }

  /** If the poll itself fails, every wait ends as if the venue had not answered. */
  function giveUp(): void {
    for (const one of waiting) {
      one.resolve(null);
    }
    waiting.clear();
  }

  return (operatorId, orderId) =>
    new Promise((resolve) => {
      const since = Date.now();
      const dueAt = since + Math.min(usualMs * SHARE_USUAL, FIRST_READ_MS);
      waiting.add({ operatorId, orderId, since, dueAt, resolve });
      if (!polling) {
        run().catch(giveUp);
      }
    });
}

/** @returns orders that the venue answered or that were withdrawn, and those whose wait ends now; the columns of others are not needed */
function readAnswered(
  sql: Sql,
  asked: readonly Waiting[],
  endsNow: (one: Waiting) => boolean,
): Promise<readonly WaitedOrder[]> {
  return readByOperator(
    sql,
    asked,
    (operatorId, some) => sql<WaitedOrder[]>`
    select r.*, known.answered
    from unnest(${some.map((one) => one.operatorId)}::text[], ${some.map((one) => one.orderId)}::text[],
        ${some.map((one) => (endsNow(one) ? 't' : 'f'))}::text[]::boolean[]) as x(operator_id, order_id, ends_now)
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
}

const GATHER_MS = 5;

/** Wakes the worker's transmission after a commit: one notification for all orders of 5 ms, and never inside a money statement. */
export function createWake(sql: Sql): () => void {
  let planned = false;
  return () => {
    if (planned) {
      return;
    }
    planned = true;
    setTimeout(() => {
      planned = false;
      // A notification is lost only with the connection; then the worker's own poll finds the order.
      sql`select pg_notify('transmit', '')`.catch(() => undefined);
    }, GATHER_MS);
  };
}
