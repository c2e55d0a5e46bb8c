/**
 * Moves the data of old webhook events to a tablespace (docs/old-facts.md). The event stays with its key; a delivery that is replayed
 * finds the data where it is. Each batch is one statement, so a run that ends early has moved whole batches.
 */
import type { Sql } from '../../db/client.ts';
import { asOnlyRun } from './only-run.ts';

const BATCH_EVENTS = 5_000;

export interface MoveEventDataOptions {
  readonly tablespace: string;
  /** Events raised before it are old. */
  readonly before: Date;
  /** Events of one statement. */
  readonly batchEvents?: number;
}

/**
 * @param owner one connection of the role that owns the tables, without a short deadline
 * @returns how many events gave their data away
 * @throws AnotherRun if another run is moving facts; the database's 55P03 if other statements hold the table of the data
 */
export function moveEventData(
  owner: Sql,
  { tablespace, before, batchEvents = BATCH_EVENTS }: MoveEventDataOptions,
): Promise<number> {
  return asOnlyRun(owner, async () => {
    let moved = 0;
    for (const operatorId of await listOperators(owner)) {
      for (;;) {
        const month = await nextMonth(owner, operatorId, before);
        if (month === null) {
          break;
        }
        await makeMonth(owner, month, tablespace);
        moved += await moveBatch(owner, operatorId, month, before, batchEvents);
      }
    }
    if (moved > 0) {
      await owner.unsafe('vacuum outbox_events');
    }
    return moved;
  });
}

/** Those that another cell holds, or that move there now, are copied as they are. */
async function listOperators(owner: Sql): Promise<string[]> {
  const rows = await owner<{ operatorId: string }[]>`
    select operator_id from operators
    where operator_id not in (select operator_id from operator_moves where state <> 'arrived') order by operator_id`;
  return rows.map(({ operatorId }) => operatorId);
}

/** The first day of the month of the oldest event that still has its data; null if it is not old. */
async function nextMonth(owner: Sql, operatorId: string, before: Date): Promise<string | null> {
  const [row] = await owner<{ month: string }[]>`
    select to_char(date_trunc('month', event_time(event_id) at time zone 'UTC'), 'YYYY-MM-DD') as month from outbox_events
    where operator_id = ${operatorId} and data is not null and event_id < event_id_at(${before})
      and event_id > coalesce((select max(event_id) from old_event_data where operator_id = ${operatorId}), '')
    order by event_id limit 1`;
  return row?.month ?? null;
}

/** Where rows of the month came to the default partition, as those of an operator from another cell do, the others follow them. */
async function makeMonth(owner: Sql, month: string, tablespace: string): Promise<void> {
  const name = `old_event_data_${month.slice(0, 7).replace('-', '')}`;
  const [bounds] = await owner<[{ from: string; to: string; taken: boolean }]>`
    select event_id_at(day) as "from", event_id_at(day + interval '1 month') as "to", to_regclass(${name}) is not null
      or exists (select 1 from old_event_data_rest kept where kept.event_id >= event_id_at(day)
        and kept.event_id < event_id_at(day + interval '1 month')) as taken
    from (select ${month}::timestamp at time zone 'UTC' as day) first`;
  if (bounds.taken) {
    return;
  }
  await owner.unsafe(`do $make$
    begin
      -- claims of replayed deliveries would queue up behind a lock that waits longer
      perform set_config('lock_timeout', '300ms', true);
      execute format('create table %I partition of old_event_data for values from (%L) to (%L) tablespace %I',
        '${name}', '${bounds.from}', '${bounds.to}', '${tablespace.replaceAll("'", "''")}');
      execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
        '${name}_keep', '${name}');
    end $make$`);
}

async function moveBatch(
  owner: Sql,
  operatorId: string,
  month: string,
  before: Date,
  batchEvents: number,
): Promise<number> {
  const [row] = await owner<[{ moved: number }]>`
    with batch as (
      select event_id, data from outbox_events
      where operator_id = ${operatorId} and data is not null
        and event_id < least(event_id_at(${before}), event_id_at((${month}::timestamp + interval '1 month') at time zone 'UTC'))
        and event_id > coalesce((select max(event_id) from old_event_data where operator_id = ${operatorId}), '')
      order by event_id limit ${batchEvents} for update
    ), kept as (
      insert into old_event_data (operator_id, event_id, data) select ${operatorId}, event_id, data from batch
      returning event_id
    ), given as (
      update outbox_events event set data = null from kept
      where event.operator_id = ${operatorId} and event.event_id = kept.event_id returning 1
    )
    select count(*)::integer as moved from given`;
  return row.moved;
}
