/**
 * API keys: issues, rotates, revokes and lists them, and defines their text, their scopes and the addresses that may use
 * them. The text of a key is returned once and stored nowhere; the store has its hash and its first characters.
 */
import { hash, randomInt } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Mode } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import { untilForgotten } from './callers.ts';
import type { Operator } from './operator.ts';
import { getOperator } from './operators.ts';

const MAX_RANGES = 100;

/** A row of `api_keys`, without the hash. */
export interface ApiKey {
  readonly keyId: string;
  readonly operatorId: string;
  readonly prefix: string;
  readonly label: string | null;
  readonly scopes: readonly string[];
  /** Requests per minute. */
  readonly rateLimit: number;
  readonly createdAt: Date;
  /** When it expires; null for a key that does not expire. */
  readonly expiresAt: Date | null;
  /** Ranges of addresses that may use it; null allows every address. */
  readonly allowedAddresses: readonly string[] | null;
  /** In the future during the grace period of a rotated key. */
  readonly revokedAt: Date | null;
}

export interface IssuedKey extends ApiKey {
  /** Shown only once. */
  readonly apiKey: string;
}

export interface KeyWishes {
  /** The default is the eight default scopes. An empty list grants nothing. */
  readonly scopes?: readonly string[];
  /** Requests per minute, 1 to 6,000; the default depends on the operator's mode. */
  readonly rateLimit?: number;
  readonly label?: string;
  /** By default the key does not expire. */
  readonly expiresAt?: Date;
  /** Addresses and ranges such as `203.0.113.0/24` that may use the key; by default every address may. */
  readonly allowedAddresses?: readonly string[];
}

/**
 * Issues a key to an operator.
 * @throws `invalid_request` for an unknown scope, a rate limit out of range, an expiry in the past or an invalid
 * address
 */
export async function issueKey(sql: Sql, operator: Operator, wishes: KeyWishes = {}): Promise<IssuedKey> {
  const scopes = [...new Set(wishes.scopes ?? DEFAULT_SCOPES)];
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) {
    throw refuse('invalid_request', `${unknown} is not one of the scopes ${SCOPES.join(', ')}`);
  }
  const rateLimit = wishes.rateLimit ?? DEFAULT_RATE_LIMIT[operator.mode];
  if (!Number.isInteger(rateLimit) || rateLimit < 1 || rateLimit > MAX_RATE_LIMIT) {
    throw refuse('invalid_request', `The rate limit of a key is 1 to ${MAX_RATE_LIMIT} requests a minute.`);
  }
  const { expiresAt = null, allowedAddresses: addresses = [] } = wishes;
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw refuse('invalid_request', 'The expiry of a key must be in the future.');
  }
  const allowedAddresses = [...new Set(addresses.map(readRange))];
  if (allowedAddresses.length > MAX_RANGES) {
    throw refuse('invalid_request', `A key is bound to at most ${MAX_RANGES} ranges of addresses.`);
  }
  const apiKey = newApiKey(operator.mode);
  const key = await insertApiKey(sql, {
    ...storedForm(apiKey),
    operatorId: operator.operatorId,
    label: wishes.label ?? null,
    scopes,
    rateLimit,
    expiresAt,
    allowedAddresses: allowedAddresses.length === 0 ? null : allowedAddresses,
  });
  return { ...key, apiKey };
}

/**
 * Issues a successor with the same scopes, rate limit and label; the old key works until the end of the grace period.
 * @throws `unknown_key`; `revoked_key` if the key is already revoked
 */
export async function rotateKey(
  sql: Sql,
  keyId: string,
  graceSeconds: number,
): Promise<IssuedKey & { previousKeyId: string; previousRevokedAt: Date }> {
  const { operatorId } = await getKey(sql, keyId);
  const { mode } = await getOperator(sql, operatorId);
  const apiKey = newApiKey(mode);
  const replaced = await replaceApiKey(sql, keyId, storedForm(apiKey), graceSeconds);
  if (replaced === undefined) {
    throw refuse('revoked_key');
  }
  if (graceSeconds === 0) {
    await untilForgotten();
  }
  return { ...replaced.key, apiKey, previousKeyId: keyId, previousRevokedAt: replaced.previousRevokedAt };
}

/** @throws `unknown_key` */
export async function getKey(sql: Sql, keyId: string): Promise<ApiKey> {
  const key = await findApiKey(sql, keyId);
  if (key === undefined) {
    throw refuse('unknown_key');
  }
  return key;
}

/**
 * Revokes a key, and returns when no process admits it any more.
 * @throws `unknown_key`
 */
export async function revokeKey(sql: Sql, keyId: string): Promise<ApiKey> {
  const key = await revokeApiKey(sql, keyId);
  if (key === undefined) {
    throw refuse('unknown_key');
  }
  await untilForgotten();
  return key;
}

function storedForm(apiKey: string): { keyId: string; keyHash: string; prefix: string } {
  return { keyId: newId('key'), keyHash: hashApiKey(apiKey), prefix: apiKeyPrefix(apiKey) };
}

interface Row {
  keyId: string;
  operatorId: string;
  prefix: string;
  label: string | null;
  scopes: string[];
  rateLimit: number;
  createdAt: Date;
  expiresAt: Date | null;
  allowedAddresses: string[] | null;
  revokedAt: Date | null;
}

/** The columns of a row of `k`, without its hash. */
const columns = (sql: Sql) => sql`
  k.key_id, k.operator_id, k.prefix, k.label, k.scopes, k.rate_limit, k.created_at, k.expires_at,
  k.allowed_addresses::text[] as allowed_addresses, k.revoked_at`;

export interface NewApiKey {
  readonly keyId: string;
  /** SHA-256 in lower-case hex. */
  readonly keyHash: string;
  readonly prefix: string;
}

async function insertApiKey(
  sql: Sql,
  key: NewApiKey & Pick<ApiKey, 'operatorId' | 'label' | 'scopes' | 'rateLimit' | 'expiresAt' | 'allowedAddresses'>,
): Promise<ApiKey> {
  const [row] = await sql<[Row]>`
    insert into api_keys as k (key_id, operator_id, key_hash, prefix, label, scopes, rate_limit, expires_at, allowed_addresses)
    values (${key.keyId}, ${key.operatorId}, decode(${key.keyHash}, 'hex'), ${key.prefix}, ${key.label},
            ${[...key.scopes]}::text[], ${key.rateLimit}, ${key.expiresAt},
            ${key.allowedAddresses === null ? null : [...key.allowedAddresses]}::text[]::cidr[])
    returning ${columns(sql)}`;
  return readKey(row);
}

async function findApiKey(sql: Sql, keyId: string): Promise<ApiKey | undefined> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from api_keys k where k.key_id = ${keyId}`;
  return row === undefined ? undefined : readKey(row);
}

/** A key with its last use, accurate to half a minute; both fields are null before the first use. */
export interface UsedApiKey extends ApiKey {
  readonly lastUsedAt: Date | null;
  readonly lastAddress: string | null;
}

/** The keys of an operator, oldest first, including revoked ones. */
export async function listApiKeys(sql: Sql, operatorId: string): Promise<UsedApiKey[]> {
  const rows = await sql<(Row & { usedAt: Date | null; address: string | null })[]>`
    select ${columns(sql)}, u.used_at, host(u.address) as address
      from api_keys k left join api_key_uses u using (operator_id, key_id)
     where k.operator_id = ${operatorId} order by k.key_id`;
  return rows.map((row) => ({ ...readKey(row), lastUsedAt: row.usedAt, lastAddress: row.address }));
}

/**
 * Sets the time of the revocation; the row remains. A key that was revoked before keeps its time.
 * @returns undefined if the key does not exist
 */
async function revokeApiKey(sql: Sql, keyId: string): Promise<ApiKey | undefined> {
  const [row] = await sql<Row[]>`
    update api_keys k set revoked_at = least(k.revoked_at, now()) where k.key_id = ${keyId}
    returning ${columns(sql)}`;
  return row === undefined ? undefined : readKey(row);
}

/**
 * Makes a successor with the same rights and lets the old key work during the grace period, in one statement.
 * @returns undefined if the key does not exist or is already revoked
 */
async function replaceApiKey(
  sql: Sql,
  keyId: string,
  successor: NewApiKey,
  graceSeconds: number,
): Promise<{ key: ApiKey; previousRevokedAt: Date } | undefined> {
  const [row] = await sql<(Row & { previousRevokedAt: Date })[]>`
    with old as (
      update api_keys set revoked_at = least(revoked_at, now() + make_interval(secs => ${graceSeconds}))
       where key_id = ${keyId} and (revoked_at is null or revoked_at > now()) and (expires_at is null or expires_at > now())
      returning *
    ), made as (
      insert into api_keys (key_id, operator_id, key_hash, prefix, label, scopes, rate_limit, expires_at, allowed_addresses)
      select ${successor.keyId}, operator_id, decode(${successor.keyHash}, 'hex'), ${successor.prefix}, label, scopes,
             rate_limit, expires_at, allowed_addresses
        from old
      returning *
    )
    select ${columns(sql)}, old.revoked_at as previous_revoked_at
      from made k cross join old`;
  return row === undefined ? undefined : { key: readKey(row), previousRevokedAt: row.previousRevokedAt };
}

function readKey(row: Row): ApiKey {
  return {
    keyId: row.keyId,
    operatorId: row.operatorId,
    prefix: row.prefix,
    label: row.label,
    scopes: row.scopes,
    rateLimit: row.rateLimit,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    allowedAddresses: row.allowedAddresses,
    revokedAt: row.revokedAt,
  };
}

interface KeyUse {
  readonly keyId: string;
  readonly address: string | null;
  readonly at: Date;
}

export interface KeyUses {
  note(use: KeyUse): void;
  /** Writes the uses since the last call in one statement; does nothing if there were none. */
  flush(): Promise<void>;
}

/**
 * Records when each key was last used, and from where. Uses are collected in memory and written at intervals, so that no
 * request waits for them. If the process dies, only uses that were not written yet are lost.
 */
export function createKeyUses(sql: Sql): KeyUses {
  let noted = new Map<string, KeyUse>();
  return {
    note: (use) => {
      noted.set(use.keyId, use);
    },
    flush: async () => {
      // the same order everywhere, so that processes that write at the same time cannot deadlock
      const uses = [...noted.values()].toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1));
      noted = new Map();
      if (uses.length === 0) {
        return;
      }
      await sql`
        insert into api_key_uses as u (operator_id, key_id, used_at, address)
        select k.operator_id, k.key_id, w.used_at, w.address::inet
          from unnest(${uses.map(({ keyId }) => keyId)}::text[], ${uses.map(({ at }) => at.toISOString())}::text[]::timestamptz[],
            ${uses.map(({ address }) => address)}::text[]) w(key_id, used_at, address)
          join api_keys k on k.key_id = w.key_id
        on conflict (operator_id, key_id) do update set used_at = excluded.used_at, address = excluded.address
          where excluded.used_at > u.used_at`;
    },
  };
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const SHOWN_OF_SECRET = 8;
const KEY_FORMAT = /^(?:pk_test|sk_live)_[0-9A-Za-z]{16,120}$/;

/** Contract 35.2: the default and the highest rate limit of a key, in requests per minute. */
export const DEFAULT_RATE_LIMIT: Record<Mode, number> = { sandbox: 120, live: 600 };
const MAX_RATE_LIMIT = 6000;

/** A new key: the prefix of its mode, and 40 characters of base62 (238 bits). */
function newApiKey(mode: Mode): string {
  let secret = '';
  for (let index = 0; index < SECRET_LENGTH; index += 1) {
    secret += BASE62[randomInt(BASE62.length)];
  }
  return `${mode === 'sandbox' ? 'pk_test_' : 'sk_live_'}${secret}`;
}

/** Whether the text can be a key. Other text is refused without a query. */
export function looksLikeApiKey(text: string): boolean {
  return KEY_FORMAT.test(text);
}

/** SHA-256 of the key in lower-case hex. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The prefix of its mode and eight more characters, which are not secret, so that people can recognise the key. */
function apiKeyPrefix(key: string): string {
  return key.slice(0, key.lastIndexOf('_') + 1 + SHOWN_OF_SECRET);
}

/** The scopes of a key that is issued without a list (contract 34.5). An empty list grants nothing. */
export const DEFAULT_SCOPES = [
  'markets:read',
  'quotes:write',
  'orders:write',
  'orders:read',
  'positions:read',
  'settlements:read',
  'ledger:read',
  'funding:write',
] as const;

/**
 * `embed_sessions:mint` allows only minting and revoking embed sessions. It is meant for the server that issues
 * sessions: its key then does not need `markets:read`, `quotes:write` and `orders:write`, which together also allow
 * minting (contract 30.1).
 */
export const SCOPES = [...DEFAULT_SCOPES, 'operator_book:read', 'operator_book:write', 'embed_sessions:mint'] as const;

export type Scope = (typeof SCOPES)[number];

const MINTING: readonly Scope[] = ['markets:read', 'quotes:write', 'orders:write'];

/** Whether a key with these scopes can mint embed sessions, which can trade and read everything for their customer. */
export function canMint(scopes: readonly string[]): boolean {
  return scopes.includes('embed_sessions:mint') || MINTING.every((scope) => scopes.includes(scope));
}

function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/**
 * Reads a range of client addresses to which a key is bound. Pure.
 * @param text an address, or a range such as `203.0.113.0/24`
 * @returns the range in the format of PostgreSQL's `cidr`; a single address is a range of one
 * @throws `invalid_request` for anything else, and if bits are set after the prefix
 */
function readRange(text: string): string {
  const [address = '', prefix, ...rest] = text.split('/');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!isAddress || address.includes('%') || rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) {
    throw refuseRange(text);
  }
  const parsed = ipaddr.parse(address);
  const bits = prefix === undefined ? parsed.toByteArray().length * 8 : Number(prefix);
  if (bits > parsed.toByteArray().length * 8 || hasBitsBehind(parsed.toByteArray(), bits)) {
    throw refuseRange(text);
  }
  return `${parsed.toString()}/${bits}`;
}

function hasBitsBehind(bytes: readonly number[], bits: number): boolean {
  return bytes.some((byte, index) => {
    const free = Math.min(8, Math.max(0, (index + 1) * 8 - bits));
    return (byte & (2 ** free - 1)) !== 0;
  });
}

function refuseRange(text: string): Error {
  return refuse('invalid_request', `${text} is neither an address nor a range such as 203.0.113.0/24.`);
}

/**
 * @param address of a client, as text
 * @param ranges as PostgreSQL prints `cidr`: a single address may have no prefix
 * @returns false also if the text is not an address
 */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) {
    return false;
  }
  const parsed = ipaddr.parse(address);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`,
    );
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}
