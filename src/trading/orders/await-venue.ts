/**
 * Waits for the worker's answer to an order that was just placed. Money statements send no notification, so the orders that
 * wait are read together every 25 ms: each one first after half of the time that answers took lately, and again only after a
 * quarter of the time it has waited. The wait ends after 5 s.
 */
import type { Sql } from '../../db/client.ts';
import type { AttemptState } from './order-transition.ts';

const POLL_MS = 25;
/** The share of the time already waited after which an order is read again, so that slow venues cost few reads. */
const SHARE_WAITED = 0.25;
/** The share of the usual time before which an order is not read at all. */
const SHARE_USUAL = 0.5;
/** How much the last answer counts in the usual time. */
const WEIGHT = 0.1;
/** The latest first read, so that a venue that was slow is seen to have become fast. */
const FIRST_READ_MS = 500;
const TIMEOUT_MS = 5_000;

export interface Progress {
  readonly status: string;
  readonly transmissionState: string;
  readonly attempt: AttemptState | null;
}

interface Waiting {
  readonly operatorId: string;
  readonly orderId: string;
  readonly since: number;
  dueAt: number;
  readonly resolve: (progress: Progress | null) => void;
}

/** Resolves with the order's progress once the venue has answered, or null after the timeout. */
export type AwaitVenue = (operatorId: string, orderId: string) => Promise<Progress | null>;

export function createVenueWait(sql: Sql): AwaitVenue {
  const waiting = new Set<Waiting>();
  let usualMs = 0;
  let polling = false;

  async function poll(): Promise<void> {
    const asked = [...waiting].filter(({ dueAt }) => dueAt <= Date.now());
    if (asked.length === 0) {
      return;
    }
    const rows = await sql<(Progress & { orderId: string })[]>`
      select r.order_id, r.status, r.transmission_state, t.state as attempt
      from unnest(${asked.map((one) => one.operatorId)}::text[], ${asked.map((one) => one.orderId)}::text[]) as x(operator_id, order_id)
        join orders r on r.operator_id = x.operator_id and r.order_id = x.order_id
        left join transmissions t on t.operator_id = r.operator_id and t.order_id = r.order_id`.catch(() => []);
    const progress = new Map(rows.map((row) => [row.orderId, row]));
    const now = Date.now();
    for (const one of asked) {
      const row = progress.get(one.orderId);
      if (row !== undefined && hasAnswer(row)) {
        waiting.delete(one);
        usualMs += (now - one.since - usualMs) * WEIGHT;
        one.resolve(row);
      } else if (now >= one.since + TIMEOUT_MS) {
        waiting.delete(one);
        one.resolve(row ?? null);
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

  /** If the poll itself fails, every order is answered as if the venue had not answered. */
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

/** Whether the venue answered or the order was withdrawn. */
export function hasAnswer(progress: Progress): boolean {
  if (progress.status === 'pending_venue_execution') {
    return false;
  }
  return progress.status !== 'submitted' || progress.attempt === 'working' || progress.attempt === 'reading_fee';
}

const GATHER_MS = 5;

/** Wakes the worker's transmission after a commit: one notification for all orders of a moment, never inside a money statement. */
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
