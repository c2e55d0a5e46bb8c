/**
 * The changes of the service operator, and who made them. Each change has two rows, one written before it begins and one when it has ended,
 * so that a process that died in between leaves the first row. Owns `audit_log`, which no role can change; the administrator is the login
 * with which a command is connected to the database.
 */
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';

export interface Change {
  /** As it was typed, for example `keys issue`. */
  readonly command: string;
  readonly arguments: readonly string[];
}

export interface AuditEntry extends Change {
  readonly changeId: string;
  /** The login of the database. */
  readonly login: string;
  /** The text given with `--as`. */
  readonly note: string | null;
  readonly startedAt: Date;
  /** Both null if no end was recorded: the command still runs, or its process died. */
  readonly endedAt: Date | null;
  readonly outcome: 'done' | 'failed' | null;
  /** The error code, if the command failed. */
  readonly code: string | null;
  /** The approval that the command requested or decided, and who requested it. */
  readonly approvalId: string | null;
  readonly requestedBy: string | null;
}

/**
 * Records that a change begins.
 * @returns its id, for `recordEnd`
 */
export async function recordStart(
  sql: Sql,
  note: string | null,
  { command, arguments: typed }: Change,
): Promise<string> {
  const changeId = newId('aud');
  await sql`
    insert into audit_log (change_id, note, command, arguments, outcome)
    values (${changeId}, ${note}, ${command}, ${typed.map(withoutQuery)}::text[], 'started')`;
  return changeId;
}

/** URLs of webhooks may contain secrets in their query, or in a user name and password. */
function withoutQuery(word: string): string {
  return word.replaceAll(/(https?:\/\/)(?:[^\s/?#]*@)?([^\s?#]*)(?:[?#]\S*)?/gi, '$1$2');
}

/**
 * Records that a change has ended.
 * @param code null if it succeeded
 * @param approvalId the approval that it requested or decided
 */
export async function recordEnd(
  sql: Sql,
  changeId: string,
  code: string | null,
  approvalId: string | null,
): Promise<void> {
  await sql`
    insert into audit_log (change_id, note, command, arguments, outcome, code, approval_id)
    select change_id, note, command, arguments, ${code === null ? 'done' : 'failed'}, ${code}, ${approvalId}
      from audit_log where change_id = ${changeId} and login = session_user and outcome = 'started'`;
}

/**
 * Oldest first.
 * @param options.since only changes from this time on
 * @param options.actor only those of this login, or with this note
 */
export async function listAuditEntries(
  sql: Sql,
  { since = null, actor = null }: { since?: Date | null; actor?: string | null },
): Promise<AuditEntry[]> {
  return await sql<AuditEntry[]>`
    select b.change_id as "changeId", b.recorded_at as "startedAt", e.recorded_at as "endedAt", b.login, b.note, b.command, b.arguments,
           e.outcome, e.code, e.approval_id as "approvalId", a.requested_by as "requestedBy"
      from audit_log b
      left join audit_log e on e.change_id = b.change_id and e.login = b.login and e.outcome <> 'started'
      left join approvals a on a.approval_id = e.approval_id
     where b.outcome = 'started' and b.recorded_at >= coalesce(${since}, '-infinity'::timestamptz)
       and (${actor}::text is null or ${actor} in (b.login, b.note))
     order by b.entry_no`;
}
