/**
 * Moves the weeks of the log of webhook attempts that are old enough to a tablespace (docs/old-facts.md), in the same way as parts of
 * feed and ledger. `webhooks deliveries` and `orders lookup` read them from there.
 */
import type { Sql } from '../../db/client.ts';
import { isLockTimeout } from '../../db/database-errors.ts';
import { CLOSED, removeCopies } from './copy-part.ts';
import { type ExchangeOptions, PATIENT, retryLock } from './exchange-part.ts';
import { MAIN_TABLESPACE, type StoredPart } from './fact-parts.ts';
import { type MovedFacts, type MovedPart, moveEach, movePart, type WaitingPart } from './move-part.ts';
import { asOnlyRun } from './only-run.ts';

export interface MoveAttemptsOptions {
  readonly tablespace: string;
  /** Weeks that ended before it are old. */
  readonly before: Date;
  readonly onMoved?: (moved: MovedPart) => void;
  readonly exchange?: ExchangeOptions;
}

/**
 * @param owner one connection of the role that owns the tables, without a short deadline
 * @throws AnotherRun if another run is moving facts; the database's 42704 if there is no such tablespace
 */
export function moveAttempts(
  owner: Sql,
  { tablespace, before, onMoved = () => {}, exchange = PATIENT }: MoveAttemptsOptions,
): Promise<MovedFacts> {
  return asOnlyRun(owner, async () =>
    moveEach(
      await listOldWeeks(owner, before, tablespace),
      (week) => moveWeek(owner, week, tablespace, exchange),
      onMoved,
    ),
  );
}

/** The oldest first. */
function listOldWeeks(owner: Sql, before: Date, tablespace: string): Promise<StoredPart[]> {
  return owner<StoredPart[]>`
    select part.relname::text as name, 'webhook_attempts' as parent, pg_get_expr(part.relpartbound, part.oid) as bound,
      pg_get_partition_constraintdef(part.oid) as condition,
      array['operator_id', 'delivery_id', 'attempt', 'started_at'] as key,
      pg_total_relation_size(part.oid)::float8 as bytes
    from pg_inherits child join pg_class part on part.oid = child.inhrelid
      left join pg_tablespace place on place.oid = part.reltablespace
    where child.inhparent = 'webhook_attempts'::regclass and part.relname ~ '^webhook_attempts_[0-9]{8}$'
      and right(part.relname, 8)::date::timestamp at time zone 'UTC' + interval '7 days' <= ${before}
      and coalesce(place.spcname::text, ${MAIN_TABLESPACE}) <> ${tablespace}
    order by part.relname`;
}

async function moveWeek(
  owner: Sql,
  week: StoredPart,
  tablespace: string,
  options: ExchangeOptions,
): Promise<MovedPart | WaitingPart> {
  const refusals = await refuseNewRows(owner, week, options);
  try {
    return await movePart(owner, week, tablespace, options);
  } finally {
    await removeCopies(owner);
    await refusals.close();
  }
}

/**
 * Nothing is written into a week that is over, except the attempts of an operator that arrives from another cell: they are refused
 * until the week has moved, so that the copy misses none. The trigger waits for statements that are writing now.
 */
async function refuseNewRows(
  owner: Sql,
  { name }: StoredPart,
  options: ExchangeOptions,
): Promise<{ close(): Promise<void> }> {
  const change = (statement: string) =>
    retryLock(options, () =>
      owner.unsafe(`do $change$
        begin
          perform set_config('lock_timeout', '300ms', true);
          ${statement};
        end $change$`),
    );
  await change(`create or replace trigger ${CLOSED} before insert on public.${name}
    for each row execute function refuse_change()`);
  return {
    close: async () => {
      try {
        await change(`drop trigger if exists ${CLOSED} on public.${name}`);
      } catch (error) {
        // It stays with a week that is in use, and the next run of the command takes both.
        if (!isLockTimeout(error)) {
          throw error;
        }
      }
    },
  };
}
