/**
 * Embed sessions: mints, finds, shows and revokes them, and makes and reads their tokens. A token acts for one customer of
 * one operator only; the store has a hash of its secret, never the token.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createBatcher } from '../core/batcher.ts';
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { deriveKey, type Secrets } from '../core/secret.ts';
import { originOfAddress } from '../core/web-origin.ts';
import { among, callForAll } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import {
  type EmbedSessionFacts,
  type EmbedSessionInput,
  type EmbedSession as MintedSession,
  REGIONS,
} from '../wire/embed.ts';
import { isBindableBook } from './operator-books.ts';

const BOOK_USER_ID = /^[A-Za-z0-9._:-]{1,128}$/;

export type ThemeValue = string | number | boolean;

interface EmbedSession {
  readonly sessionId: string;
  readonly operatorId: string;
  readonly externalUserId: string;
  /** The origin that calls must come from, or null. */
  readonly origin: string | null;
  readonly locale: string | null;
  readonly region: string | null;
  readonly country: string | null;
  readonly subdivision: string | null;
  readonly theme: Readonly<Record<string, ThemeValue>>;
  readonly operatorBookId: string | null;
  readonly expiresAt: Date;
}

export interface MintRequest {
  readonly operatorId: string;
  /** Id of the API key. */
  readonly keyId: string;
  readonly input: EmbedSessionInput;
  /** The jurisdiction of the input, with valid codes. */
  readonly jurisdiction: { readonly country: string; readonly subdivision: string | null } | null;
}

/**
 * Mints a session for a request whose shape was validated (POST /api/v1/embed-sessions). The refusals have the specified
 * order.
 * @param keyring null if the deployment has no usable secret
 * @returns the session with its token, which is shown only once
 * @throws invalid_origin, invalid_region, invalid_operator_book, invalid_external_user_id, embed_unavailable
 */
export async function mintSession(
  sql: Sql,
  keyring: Keyring | null,
  now: Date,
  { operatorId, keyId, input, jurisdiction }: MintRequest,
): Promise<MintedSession> {
  const origin = input.returnOrigin === undefined ? null : originOfAddress(input.returnOrigin);
  if (input.returnOrigin !== undefined && origin === null) {
    throw refuse(
      'invalid_origin',
      'returnOrigin must be an https origin, or an http one on loopback, without credentials.',
    );
  }
  if (input.region !== undefined && !REGIONS.some((region) => region === input.region)) {
    throw refuse('invalid_region', `region is one of ${REGIONS.join(', ')}.`);
  }
  if (input.operatorBookId !== undefined) {
    if (!(await isBindableBook(sql, operatorId, input.operatorBookId))) {
      throw refuse('invalid_operator_book');
    }
    if (!BOOK_USER_ID.test(input.externalUserId)) {
      throw refuse('invalid_external_user_id');
    }
  }
  if (keyring === null) {
    throw refuse('embed_unavailable');
  }
  const { token, secretHash } = mintToken(keyring);
  const asked: Omit<EmbedSession, 'expiresAt'> = {
    sessionId: newId('ses'),
    operatorId,
    externalUserId: input.externalUserId,
    origin,
    locale: input.locale ?? null,
    region: input.region ?? null,
    country: jurisdiction?.country ?? null,
    subdivision: jurisdiction?.subdivision ?? null,
    theme: input.theme,
    operatorBookId: input.operatorBookId ?? null,
  };
  const expiresAt = await insertSession(sql, { ...asked, secretHash, ttlSeconds: input.ttlSeconds, mintedBy: keyId });
  const facts = renderSession({ ...asked, expiresAt }, { requests: 0, resetsAt: minuteEnd(now) }, now);
  const { sessionId, ...rest } = facts;
  return { sessionId, token, tokenType: 'embed_session', ...rest, expiresInSeconds: input.ttlSeconds };
}

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
async function insertSession(sql: Sql, session: NewSession): Promise<Date> {
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

/** Requests per minute on the embed surface (contract 35.4). */
export const SESSION_RATE_LIMIT = 300;

const MINUTE_MS = 60_000;

/** The requests of the current minute. */
export interface SessionUsage {
  readonly requests: number;
  readonly resetsAt: Date;
}

/** The end of the wall-clock minute of `now`. */
export function minuteEnd(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
}

/** A session without its token, as the API returns it. */
export function renderSession(session: EmbedSession, usage: SessionUsage, now: Date): EmbedSessionFacts {
  const leftSeconds = Math.ceil((session.expiresAt.getTime() - now.getTime()) / 1000);
  return {
    sessionId: session.sessionId,
    expiresAt: session.expiresAt.toISOString(),
    expiresInSeconds: Math.max(0, leftSeconds),
    operatorId: session.operatorId,
    externalUserId: session.externalUserId,
    origin: session.origin,
    locale: session.locale,
    region: session.region as EmbedSessionFacts['region'],
    jurisdiction: session.country === null ? null : { country: session.country, subdivision: session.subdivision },
    theme: session.theme,
    usage: { requests: usage.requests, limit: SESSION_RATE_LIMIT, resetsAt: usage.resetsAt.toISOString() },
    ...(session.operatorBookId === null ? {} : { operatorBookId: session.operatorBookId }),
  };
}

/**
 * Revokes a session.
 * @returns when it was first revoked; null for a session that this operator does not have
 */
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

/** The sessions of a customer whose calls are accepted, newest first. */
export function listLiveSessions(sql: Sql, operatorId: string, externalUserId: string): Promise<LiveSession[]> {
  return sql<LiveSession[]>`
    select session_id as "sessionId", origin, locale, created_at as "createdAt", expires_at as "expiresAt" from embed_sessions
    where operator_id = ${operatorId} and external_user_id = ${externalUserId}
      and revoked_at is null and expires_at > clock_timestamp()
    order by created_at desc limit 20`;
}

/** A session with all facts that decide whether its call is accepted. */
export interface PresentedSession extends EmbedSession {
  /** Whether it was revoked, or the key that minted it was revoked or has expired. */
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
      s.operator_book_id as "operatorBookId", s.expires_at as "expiresAt",
      s.revoked_at is not null or least(k.revoked_at, k.expires_at) <= clock_timestamp() as revoked,
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
 * Removes sessions that ended a week ago. Until then a request with their token is refused with session_expired.
 * @returns how many were removed
 */
export async function forgetEndedSessions(sql: Sql): Promise<number> {
  const forgotten = await callForAll(
    sql,
    (operators) => sql<{ operatorId: string }[]>`
      select distinct operator_id from embed_sessions where expires_at < now() - ${KEPT_AFTER_END}::interval
        ${among(sql, sql`operator_id`, operators)}`,
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

const VERSION = 'ies1';
const SECRET_BYTES = 32;
const KEY_ID_LENGTH = 12;
const LONGEST_TOKEN = 200;

interface MacKey {
  readonly keyId: string;
  readonly key: Buffer;
}

/**
 * The keys of embed tokens, `ies1.<keyId>.<secret>.<mac>` (contract 30.5). A forged token fails the check of its MAC, without
 * a query. The keys are derived from the deployment's secret and rotate with it; nothing is stored or logged.
 */
export interface Keyring {
  readonly current: MacKey;
  readonly byId: ReadonlyMap<string, MacKey>;
}

/** @returns null if the deployment has no usable secret: the caller responds 503 embed_unavailable */
export function createKeyring(secrets: Secrets): Keyring | null {
  if (secrets.current === '') {
    return null;
  }
  const current = macKey(secrets.current);
  const keys = [...secrets.previous.filter((secret) => secret !== '').map(macKey), current];
  return { current, byId: new Map(keys.map((key) => [key.keyId, key])) };
}

export interface MintedToken {
  readonly token: string;
  /** The only form in which the secret may be stored. */
  readonly secretHash: Buffer;
}

export function mintToken(keyring: Keyring): MintedToken {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const signed = `${VERSION}.${keyring.current.keyId}.${secret}`;
  return { token: `${signed}.${mac(keyring.current, signed)}`, secretHash: hashSecret(secret) };
}

/** @returns the hash by which the session is found, or null for any token that this deployment did not mint */
export function readToken(keyring: Keyring, token: string): Buffer | null {
  if (token.length > LONGEST_TOKEN) {
    return null;
  }
  const [version, keyId, secret, given, ...rest] = token.split('.');
  if (version !== VERSION || keyId === undefined || secret === undefined || given === undefined || rest.length > 0) {
    return null;
  }
  const key = keyring.byId.get(keyId);
  if (key === undefined) {
    return null;
  }
  // Compared as text: two texts can decode to the same bytes, and then a changed token would be accepted.
  const expected = Buffer.from(mac(key, `${version}.${keyId}.${secret}`));
  const presented = Buffer.from(given);
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) {
    return null;
  }
  return hashSecret(secret);
}

function macKey(secret: string): MacKey {
  return {
    keyId: deriveKey(secret, 'embed token key id').toString('hex').slice(0, KEY_ID_LENGTH),
    key: deriveKey(secret, 'embed token mac'),
  };
}

function mac(key: MacKey, signed: string): string {
  return createHmac('sha256', key.key).update(signed).digest('base64url');
}

function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
