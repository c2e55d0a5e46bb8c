/**
 * Requests that a second administrator must approve. This file files, decides and ends a request without knowledge of its content. The
 * database refuses a second decision and the approval of one's own request, and an administrator is the login with which a command is
 * connected to it. Owns `approvals` and `approval_kinds`.
 */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';

/** The kinds that can be set to need approval. */
export const APPROVAL_KINDS = [
  'collateral_withdrawal',
  'market_reopening',
  'market_resolution',
  'order_resolution',
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];
/** `approval_rules`: a change that requires fewer approvals requires one as well. */
export type ApprovalRequestKind = ApprovalKind | 'approval_rules';

export interface Approval {
  readonly approvalId: string;
  readonly kind: ApprovalRequestKind;
  readonly summary: string;
  readonly request: unknown;
  /** The login that made the request. */
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  /** `approved` was decided and has not ended: it still runs, or its process died. */
  readonly status: 'pending' | 'expired' | 'refused' | 'approved' | 'done' | 'failed';
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** The error code, if it failed. */
  readonly code: string | null;
}

export async function listRequired(sql: Sql): Promise<ApprovalKind[]> {
  const rows = await sql<{ kind: ApprovalKind }[]>`select kind from approval_kinds order by kind`;
  return rows.map(({ kind }) => kind);
}

/** Sets which kinds need approval, all at once. */
export async function setRequired(sql: Sql, kinds: readonly ApprovalKind[]): Promise<void> {
  await sql`
    with dropped as (delete from approval_kinds where kind <> all (${[...kinds]}::text[]))
    insert into approval_kinds (kind) select unnest(${[...kinds]}::text[])
    on conflict (kind) do nothing`;
}

/**
 * Files a request.
 * @param request the arguments of the change, as JSON
 * @returns the request that waits for approval; undefined if its kind needs none
 */
export async function requestApproval(
  sql: Sql,
  kind: ApprovalRequestKind,
  request: object,
  summary: string,
): Promise<Approval | undefined> {
  const [filed] = await sql<{ approvalId: string }[]>`
    select approval_id from request_approval(${newId('apr')}, ${kind}, ${JSON.stringify(request)}::text::json, ${summary})`;
  return filed === undefined ? undefined : getApproval(sql, filed.approvalId);
}

/**
 * @param all true lists decided and expired requests too
 * @returns newest first
 */
export async function listApprovals(sql: Sql, all: boolean): Promise<Approval[]> {
  const approvals = await readApprovals(sql, null);
  return all ? approvals : approvals.filter(({ status }) => status === 'pending' || status === 'approved');
}

/** @throws unknown_approval */
export async function getApproval(sql: Sql, approvalId: string): Promise<Approval> {
  const [approval] = await readApprovals(sql, approvalId);
  if (approval === undefined) {
    throw refuse('unknown_approval');
  }
  return approval;
}

/**
 * Approves a request, once. A request that was approved and not carried out, because its process died, is returned again.
 * @throws unknown_approval, approval_own, approval_decided, approval_expired
 */
export async function approve(sql: Sql, approvalId: string): Promise<Approval> {
  const decided = await decide(sql, approvalId, 'approved', null);
  const approval = await getApproval(sql, approvalId);
  if (decided || approval.status === 'approved') {
    return approval;
  }
  throw approval.status === 'pending' ? await refuseOwn(sql, approval) : refusalOf(approval);
}

/**
 * Refuses a request. The administrator who made it may withdraw it in this way.
 * @throws unknown_approval, approval_decided, approval_expired
 */
export async function refuseApproval(sql: Sql, approvalId: string, reason: string): Promise<Approval> {
  const decided = await decide(sql, approvalId, 'refused', reason);
  const approval = await getApproval(sql, approvalId);
  if (!decided) {
    throw refusalOf(approval);
  }
  return approval;
}

/** @returns whether this call decided it */
async function decide(
  sql: Sql,
  approvalId: string,
  decision: 'approved' | 'refused',
  reason: string | null,
): Promise<boolean> {
  const [row] = await sql<[{ decided: boolean }]>`
    select decide_approval(${approvalId}, ${decision}, ${reason}) as decided`;
  return row.decided;
}

/**
 * Records how an approved request ended; the first record counts.
 * @param code null if it was carried out
 */
export async function endApproval(sql: Sql, approvalId: string, code: string | null): Promise<void> {
  await sql`
    update approvals set outcome = ${code === null ? 'done' : 'failed'}, code = ${code}, ended_at = clock_timestamp()
    where approval_id = ${approvalId} and decision = 'approved' and outcome is null`;
}

/** Whether another login could approve it; superusers and the owner of the tables do not count. */
async function refuseOwn(sql: Sql, { requestedBy }: Approval): Promise<Error> {
  const [row] = await sql<[{ second: boolean }]>`
    select exists (select from pg_roles login join pg_proc f on f.oid = 'decide_approval(text, text, text)'::regprocedure
      where login.rolcanlogin and not login.rolsuper and login.oid <> f.proowner and login.rolname <> session_user
        and has_function_privilege(login.oid, f.oid, 'execute')) as second`;
  return refuse(
    'approval_own',
    row.second
      ? `${requestedBy} made this request; another administrator must approve it with another login.`
      : `${requestedBy} made this request, and there is no second login: docs/operations.md, "A login for each person".`,
  );
}

function refusalOf({ status, decidedBy }: Approval): Error {
  return status === 'expired'
    ? refuse('approval_expired')
    : refuse('approval_decided', `It was ${status === 'refused' ? 'refused' : 'approved'} by ${decidedBy}.`);
}

async function readApprovals(sql: Sql, approvalId: string | null): Promise<Approval[]> {
  return sql<Approval[]>`
    select approval_id as "approvalId", kind, summary, request, requested_by as "requestedBy", requested_at as "requestedAt",
      expires_at as "expiresAt", decided_by as "decidedBy", decided_at as "decidedAt", reason, code,
      coalesce(outcome, decision, case when expires_at <= clock_timestamp() then 'expired' else 'pending' end) as status
    from approvals where ${approvalId}::text is null or approval_id = ${approvalId} order by approval_id desc`;
}
