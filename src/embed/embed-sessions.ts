/** Store of embed sessions: a hash of the token's secret and the fields of the mint request, never the token. */
import { createBatcher } from '../core/batcher.ts';
import { callForAll } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { EmbedSession } from './embed-session.ts';

export interface NewSession extends Omit<EmbedSession, 'expiresAt'> {
  readonly secretHash: Buffer;
  readonly ttlSeconds: number;
  /** Id of the API key. */
  readonly mintedBy: string;
}

/**
 * Writes the session, the customer on first use, and the asserted jurisdiction if there is one.
 * @returns when it expires
 */
export async function insertSession(sql: Sql, session: NewSession): Promise<Date> {
  const [row] = await sql<{ expiresAt: Date }[]>`
    select mint_embed_session(${session.operatorId}, ${session.sessionId}, ${session.secretHash}, ${session.externalUserId},
      ${session.ttlSeconds}, ${session.origin}, ${session.locale}, ${session.region}, ${session.country},
      ${session.subdivision}, ${JSON.stringify(session.theme)}::text::jsonb, ${session.operatorBookId},
      ${session.mintedBy}) as "expiresAt"`;
  if (row === undefined) {
    throw new Error('mint_embed_session returned no row');
  }
  return row.expiresAt;
}

/** @returns when it was first revoked; null for a session that this operator does not have */
export async function revokeSession(sql: Sql, operatorId: string, sessionId: string): Promise<Date | null> {
  await sql`
    update embed_sessions set revoked_at = now()
    where operator_id = ${operatorId} and session_id = ${sessionId} and revoked_at is null`;
  const [row] = await sql<{ revokedAt: Date }[]>`
    select revoked_at as "revokedAt" from embed_sessions where operator_id = ${operatorId} and session_id = ${sessionId}`;
  return row?.revokedAt ?? null;
}

/**
 * Ends every active session of an operator, or of one of its customers.
 * @returns how many
 */
export async function revokeSessions(sql: Sql, operatorId: string, externalUserId: string | null): Promise<number> {
  const { count } = await sql`
    update embed_sessions set revoked_at = now()
    where operator_id = ${operatorId} and (${externalUserId}::text is null or external_user_id = ${externalUserId})
      and revoked_at is null and expires_at > now()`;
  return count;
}

export interface LiveSession extends Pick<EmbedSession, 'sessionId' | 'origin' | 'locale' | 'expiresAt'> {
  readonly createdAt: Date;
}

/** The sessions of a customer that calls are accepted from, newest first. */
export function listLiveSessions(sql: Sql, operatorId: string, externalUserId: string): Promise<LiveSession[]> {
  return sql<LiveSession[]>`
    select session_id as "sessionId", origin, locale, created_at as "createdAt", expires_at as "expiresAt" from embed_sessions
    where operator_id = ${operatorId} and external_user_id = ${externalUserId}
      and revoked_at is null and expires_at > clock_timestamp()
    order by created_at desc limit 20`;
}

/** A session with everything that decides whether its call is accepted. */
export interface PresentedSession extends EmbedSession {
  /** Whether it, or the key that minted it, was revoked. */
  readonly revoked: boolean;
  readonly expired: boolean;
  readonly customerSuspended: boolean;
  /** `to_jsonb(operators)::text` of the operator. */
  readonly operatorRow: string;
  /** The operator whose ceiling the call counts toward: the operator itself, or the aggregator above it. */
  readonly holderId: string;
  readonly holderActive: boolean;
  readonly holderCeiling: number;
  /** Events of the bound operator book, or null. */
  readonly bookEventIds: readonly string[] | null;
}

export type FindSession = (secretHash: Buffer) => Promise<PresentedSession | null>;

const MAX_BATCH = 500;

/**
 * Calls that arrive while one is in flight are looked up together. Nothing is cached, so a revocation takes effect at
 * once.
 */
export function createSessionFinder(sql: Sql): FindSession {
  return createBatcher((hashes) => findSessions(sql, hashes), {
    name: 'find sessions',
    maxBatch: MAX_BATCH,
    concurrency: 2,
  });
}

async function findSessions(sql: Sql, hashes: readonly Buffer[]): Promise<(PresentedSession | null)[]> {
  const wanted = hashes.map((hash) => hash.toString('hex'));
  const rows = await sql<(PresentedSession & { hash: string })[]>`
    with s as materialized (
      select s.*, c.status <> 'active' as customer_suspended, b.event_ids
      from embed_sessions s
        join customers c on c.operator_id = s.operator_id and c.external_user_id = s.external_user_id
        left join operator_books b on b.operator_id = s.operator_id and b.operator_book_id = s.operator_book_id
      where s.secret_hash = any (array(select decode(hash, 'hex') from unnest(${wanted}::text[]) hash))
    )
    select encode(s.secret_hash, 'hex') as hash, s.session_id as "sessionId", s.operator_id as "operatorId",
      s.external_user_id as "externalUserId", s.origin, s.locale, s.region, s.country, s.subdivision, s.theme,
      s.operator_book_id as "operatorBookId", s.expires_at as "expiresAt", s.revoked_at is not null or k.revoked_at <= clock_timestamp() as revoked,
      s.expires_at <= clock_timestamp() as expired, s.customer_suspended as "customerSuspended",
      to_jsonb(o)::text as "operatorRow", h.operator_id as "holderId",
      o.status = 'active' and h.status = 'active' as "holderActive", h.rate_ceiling as "holderCeiling",
      s.event_ids as "bookEventIds"
    from s join operators o on o.operator_id = s.operator_id
      join operators h on h.operator_id = coalesce(o.parent_id, o.operator_id)
      left join api_keys k on k.key_id = s.minted_by`;
  const found = new Map(rows.map((row) => [row.hash, row]));
  return wanted.map((hash) => found.get(hash) ?? null);
}

const KEPT_AFTER_END = '7 days';
const FORGOTTEN_AT_ONCE = 10_000;

/**
 * Removes sessions that ended a week ago. Until then a request with their token is answered with session_expired.
 * @returns how many were removed
 */
export async function forgetEndedSessions(sql: Sql): Promise<number> {
  const forgotten = await callForAll(
    sql,
    () => sql<{ operatorId: string }[]>`
      select distinct operator_id from embed_sessions where expires_at < now() - ${KEPT_AFTER_END}::interval`,
    (operatorId) => sql`
      delete from embed_sessions s where s.operator_id = coalesce(nullif(${operatorId}, ''), s.operator_id)
        and (s.operator_id, s.session_id) in (
          select e.operator_id, e.session_id from embed_sessions e
          where e.expires_at < now() - ${KEPT_AFTER_END}::interval and e.operator_id = coalesce(nullif(${operatorId}, ''), e.operator_id)
          limit ${FORGOTTEN_AT_ONCE} for update skip locked)
      returning s.session_id`,
  );
  return forgotten.length;
}
