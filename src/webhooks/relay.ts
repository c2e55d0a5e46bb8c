/**
 * Turns rows of the journal that raise an event into deliveries and jobs, one batch per statement
 * (sql/functions/webhooks/relay.sql), and wakes the relay when rows were written.
 */
import { among, callForAll } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { createNotifier } from '../db/notifier.ts';
import { JOURNAL_CHANNEL } from '../ledger/journal.ts';

/** Rows of the journal that one call reads, shared by the operators that are behind. */
const RELAY_BATCH = 1_000;

/** @returns the events that were taken, their deliveries, and whether more are waiting */
export async function relayEvents(
  sql: Sql,
  limit: number = RELAY_BATCH,
): Promise<{ readonly relayed: number; readonly queued: number; readonly behind: boolean }> {
  const taken = await callForAll(
    sql,
    (operators) => sql<{ operatorId: string }[]>`
      select relay.operator_id from webhook_relays relay join operator_ledgers ledger on ledger.operator_id = relay.operator_id
      where ledger.sequence > relay.sequence ${among(sql, sql`relay.operator_id`, operators)} order by 1`,
    (operatorId) => sql<{ relayed: number; queued: number; behind: boolean }[]>`
      select relayed, queued, behind from relay_events(${operatorId}, ${limit})`,
  );
  return {
    relayed: taken.reduce((sum, { relayed }) => sum + relayed, 0),
    queued: taken.reduce((sum, { queued }) => sum + queued, 0),
    behind: taken.some(({ behind }) => behind),
  };
}

/** A busy process sends at most one notification in this time. */
const SPACING_MS = 20;

export interface RelayWaker {
  /** Returns at once and never fails: the relay also polls, so a lost call costs latency only. */
  wake(): void;
}

export function createRelayWaker(sql: Sql): RelayWaker {
  const notify = createNotifier(sql, JOURNAL_CHANNEL, SPACING_MS);
  return { wake: () => notify() };
}
