/** Store of API keys: hashes and prefixes, never keys. A revocation sets a time; the row remains. */
import type { Sql } from '../db/client.ts';
import type { ApiKey, UsedApiKey } from './api-key.ts';

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

export async function insertApiKey(
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

export async function findApiKey(sql: Sql, keyId: string): Promise<ApiKey | undefined> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from api_keys k where k.key_id = ${keyId}`;
  return row === undefined ? undefined : readKey(row);
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
 * Revokes at once; a key that was revoked before keeps its time.
 * @returns undefined if there is no such key
 */
export async function revokeApiKey(sql: Sql, keyId: string): Promise<ApiKey | undefined> {
  const [row] = await sql<Row[]>`
    update api_keys k set revoked_at = least(k.revoked_at, now()) where k.key_id = ${keyId}
    returning ${columns(sql)}`;
  return row === undefined ? undefined : readKey(row);
}

/**
 * Makes a successor with the same rights and lets the old key work during the grace period, in one statement.
 * @returns undefined if the key does not exist or is already revoked
 */
export async function replaceApiKey(
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
