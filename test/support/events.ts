/** The webhook events that operators were promised, rendered from the journal as the service renders them. */
import type { Sql } from '../../src/db/client.ts';
import { readJournal } from '../../src/ledger/journal.ts';
import { eventOf, type JournalEvent } from '../../src/ledger/render/events.ts';
import type { AnyJson } from './any-json.ts';

export interface RaisedEvent extends JournalEvent {
  readonly operatorId: string;
  readonly data: AnyJson;
}

const ALL_ROWS = 1_000_000;

/** Events in the order of the journal. @param operatorId left out, those of all operators, one after the other */
export async function readEvents(sql: Sql, operatorId?: string): Promise<RaisedEvent[]> {
  const operators = await sql<{ operatorId: string }[]>`
    select operator_id from operators where ${operatorId ?? null}::text is null or operator_id = ${operatorId ?? null} order by 1`;
  const events: RaisedEvent[] = [];
  for (const operator of operators) {
    for (const row of await readJournal(sql, operator.operatorId, 0n, ALL_ROWS)) {
      const event = eventOf(row);
      if (event !== null) {
        events.push({ operatorId: operator.operatorId, ...event });
      }
    }
  }
  return events;
}

/** The events of an order. */
export async function readEventsOf(sql: Sql, operatorId: string, orderId: string): Promise<RaisedEvent[]> {
  return (await readEvents(sql, operatorId)).filter(({ data }) => data.orderId === orderId);
}

/** Events that no endpoint has acknowledged yet, each with the status of its delivery; null if it has none. */
export async function readUndelivered(
  sql: Sql,
  operatorId?: string,
): Promise<{ readonly eventId: string; readonly status: string | null }[]> {
  const deliveries = await sql<{ eventId: string; status: string }[]>`select event_id, status from webhook_deliveries`;
  const statuses = new Map(deliveries.map(({ eventId, status }) => [eventId, status]));
  return (await readEvents(sql, operatorId))
    .map(({ eventId }) => ({ eventId, status: statuses.get(eventId) ?? null }))
    .filter(({ status }) => status !== 'delivered');
}
