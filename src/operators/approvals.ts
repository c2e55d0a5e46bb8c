/**
 * Requests that a second person must approve, and the staff who may approve them. This file files, decides and ends a
 * request without knowing what it does; the database refuses a second decision and the approval of one's own request. A
 * person is who `staff` says, whatever name was typed. Owns `approvals`, `approval_kinds` and `staff`.
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

/** Long enough for a weekend; the facts are checked again in any case. */
const LIFETIME = '3 days';

/** The person who runs a command. */
export interface Actor {
  /** As typed with `--as`, or the system's user. */
  readonly name: string;
  readonly systemUser: string;
  /** The user who logged in, which `sudo` and `su` do not change; null if the system does not know it. */
  readonly loginUser: string | null;
}

/** The user of the system that identifies the person of an approval. */
export const userOf = ({ loginUser, systemUser }: Actor): string => loginUser ?? systemUser;

export interface Approval {
  readonly approvalId: string;
  readonly kind: ApprovalRequestKind;
  readonly summary: string;
  readonly request: unknown;
  readonly requestedBy: string;
  /** The user of the system behind that name. */
  readonly requestedUser: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  /** `approved` was decided and has not ended: it still runs, or its process died. */
  readonly status: 'pending' | 'expired' | 'refused' | 'approved' | 'done' | 'failed';
  readonly decidedBy: string | null;
  readonly decidedUser: string | null;
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
export async function setRequired(sql: Sql, kinds: readonly ApprovalKind[], actor: string): Promise<void> {
  await sql`
    with dropped as (delete from approval_kinds where kind <> all (${[...kinds]}::text[]))
    insert into approval_kinds (kind, required_by) select unnest(${[...kinds]}::text[]), ${actor}
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
  who: Actor,
): Promise<Approval | undefined> {
  const [filed] = await sql<{ approvalId: string }[]>`
    select approval_id from request_approval(${newId('apr')}, ${kind}, ${JSON.stringify(request)}::text::json, ${summary},
      ${who.name}, ${userOf(who)}, ${LIFETIME}::interval)`;
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
 * @throws unknown_approval, approver_unknown, approval_own, approval_decided, approval_expired
 */
export async function approve(sql: Sql, approvalId: string, who: Actor): Promise<Approval> {
  const user = userOf(who);
  const [decided] = await sql`
    update approvals a set decision = 'approved', decided_by = ${who.name}, decided_user = ${user}, decided_at = clock_timestamp()
    from staff approver
    where a.approval_id = ${approvalId} and a.decision is null and a.expires_at > clock_timestamp()
      and approver.os_user = ${user}
      and lower(approver.name) <> lower(coalesce((select s.name from staff s where s.os_user = a.requested_user), a.requested_user))
      and a.requested_user <> ${user}
    returning 1`;
  const approval = await getApproval(sql, approvalId);
  if (decided !== undefined || approval.status === 'approved') {
    return approval;
  }
  const onStaff = await sql`select from staff where os_user = ${user}`;
  if (approval.status === 'pending' && onStaff.length === 0) {
    throw refuse('approver_unknown', `The system's user ${user} is not on the staff.`);
  }
  throw refusalOf(approval);
}

/**
 * Refuses a request. The person who made it may withdraw it in this way.
 * @throws unknown_approval, approval_decided, approval_expired
 */
export async function refuseApproval(sql: Sql, approvalId: string, who: Actor, reason: string): Promise<Approval> {
  const [decided] = await sql`
    update approvals set decision = 'refused', decided_by = ${who.name}, decided_user = ${userOf(who)}, decided_at = clock_timestamp(), reason = ${reason}
    where approval_id = ${approvalId} and decision is null and expires_at > clock_timestamp() returning 1`;
  const approval = await getApproval(sql, approvalId);
  if (decided === undefined) {
    throw refusalOf(approval);
  }
  return approval;
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

function refusalOf({ status, requestedBy, requestedUser, decidedBy }: Approval): Error {
  switch (status) {
    case 'pending':
      return refuse('approval_own', `${requestedBy} (${requestedUser}) asked for it; another person approves it.`);
    case 'expired':
      return refuse('approval_expired');
    default:
      return refuse('approval_decided', `It was ${status === 'refused' ? 'refused' : 'approved'} by ${decidedBy}.`);
  }
}

async function readApprovals(sql: Sql, approvalId: string | null): Promise<Approval[]> {
  return sql<Approval[]>`
    select approval_id as "approvalId", kind, summary, request, requested_by as "requestedBy", requested_user as "requestedUser",
      requested_at as "requestedAt",
      expires_at as "expiresAt", decided_by as "decidedBy", decided_user as "decidedUser", decided_at as "decidedAt", reason, code,
      coalesce(outcome, decision, case when expires_at <= clock_timestamp() then 'expired' else 'pending' end) as status
    from approvals where ${approvalId}::text is null or approval_id = ${approvalId} order by approval_id desc`;
}

/** A user of the system that belongs to a person of the staff. A person may have several. */
export interface StaffUser {
  readonly name: string;
  readonly systemUser: string;
  readonly addedBy: string;
  readonly addedAt: Date;
}

/**
 * Adds a user of the system to a person, or a person. Repeating it changes nothing.
 * @throws invalid_request if the user is another person already
 */
export async function addStaff(sql: Sql, name: string, systemUser: string, actor: Actor): Promise<StaffUser> {
  await sql`
    insert into staff (os_user, name, added_by) values (${systemUser}, ${name}, ${actor.name}) on conflict do nothing`;
  const added = (await listStaff(sql)).find((known) => known.systemUser === systemUser);
  if (added?.name !== name) {
    throw refuse('invalid_request', `The system's user ${systemUser} is ${added?.name}; remove that name first.`);
  }
  return added;
}

/** Ordered by name, and by user. */
export async function listStaff(sql: Sql): Promise<StaffUser[]> {
  return sql<StaffUser[]>`
    select name, os_user as "systemUser", added_by as "addedBy", added_at as "addedAt" from staff order by name, os_user`;
}

/** @returns the users of the system that the person had; none if no person has that name */
export async function removeStaff(sql: Sql, name: string): Promise<string[]> {
  const removed = await sql<{ systemUser: string }[]>`
    delete from staff where name = ${name} returning os_user as "systemUser"`;
  return removed.map(({ systemUser }) => systemUser).sort();
}
