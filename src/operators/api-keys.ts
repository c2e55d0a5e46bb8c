/** Where API keys are kept: hashes and prefixes, never keys. A revocation is a time, and the row stays. */
import type { Sql } from '../db/client.ts';
import type { ApiKey } from './api-key.ts';

interface Row {
  key_id: string;
  operator_id: string;
  prefix: string;
  label: string | null;
  scopes: string[];
  rate_limit: number;
  created_at: Date;
  revoked_at: Date | null;
}

export interface NewApiKey {
  readonly keyId: string;
  /** SHA-256 in lower-case hex. */
  readonly keyHash: string;
  readonly prefix: string;
}

export async function insertApiKey(
  sql: Sql,
  key: NewApiKey & Pick<ApiKey, 'operatorId' | 'label' | 'scopes' | 'rateLimit'>,
): Promise<ApiKey> {
  const [row] = await sql<[Row]>`
    insert into api_keys (key_id, operator_id, key_hash, prefix, label, scopes, rate_limit)
    values (${key.keyId}, ${key.operatorId}, decode(${key.keyHash}, 'hex'), ${key.prefix}, ${key.label},
            ${[...key.scopes]}::text[], ${key.rateLimit})
    returning key_id, operator_id, prefix, label, scopes, rate_limit, created_at, revoked_at`;
  return readKey(row);
}

export async function findApiKey(sql: Sql, keyId: string): Promise<ApiKey | undefined> {
  const [row] = await sql<Row[]>`
    select key_id, operator_id, prefix, label, scopes, rate_limit, created_at, revoked_at
      from api_keys where key_id = ${keyId}`;
  return row === undefined ? undefined : readKey(row);
}

/** The keys of an operator, oldest first, revoked ones too. */
export async function listApiKeys(sql: Sql, operatorId: string): Promise<ApiKey[]> {
  const rows = await sql<Row[]>`
    select key_id, operator_id, prefix, label, scopes, rate_limit, created_at, revoked_at
      from api_keys where operator_id = ${operatorId} order by key_id`;
  return rows.map(readKey);
}

/** Revokes at once; a key revoked before keeps its time. @returns undefined where there is no such key. */
export async function revokeApiKey(sql: Sql, keyId: string): Promise<ApiKey | undefined> {
  const [row] = await sql<Row[]>`
    update api_keys set revoked_at = least(revoked_at, now()) where key_id = ${keyId}
    returning key_id, operator_id, prefix, label, scopes, rate_limit, created_at, revoked_at`;
  return row === undefined ? undefined : readKey(row);
}

/**
 * Makes a successor with the same rights and lets the old key live for the grace, in one statement.
 * @returns undefined where the key does not exist or is revoked already.
 */
export async function replaceApiKey(
  sql: Sql,
  keyId: string,
  successor: NewApiKey,
  graceSeconds: number,
): Promise<{ key: ApiKey; previousRevokedAt: Date } | undefined> {
  const [row] = await sql<(Row & { previous_revoked_at: Date })[]>`
    with old as (
      update api_keys set revoked_at = least(revoked_at, now() + make_interval(secs => ${graceSeconds}))
       where key_id = ${keyId} and (revoked_at is null or revoked_at > now())
      returning *
    ), made as (
      insert into api_keys (key_id, operator_id, key_hash, prefix, label, scopes, rate_limit)
      select ${successor.keyId}, operator_id, decode(${successor.keyHash}, 'hex'), ${successor.prefix}, label, scopes, rate_limit
        from old
      returning *
    )
    select made.key_id, made.operator_id, made.prefix, made.label, made.scopes, made.rate_limit, made.created_at,
           made.revoked_at, old.revoked_at as previous_revoked_at
      from made cross join old`;
  return row === undefined ? undefined : { key: readKey(row), previousRevokedAt: row.previous_revoked_at };
}

function readKey(row: Row): ApiKey {
  return {
    keyId: row.key_id,
    operatorId: row.operator_id,
    prefix: row.prefix,
    label: row.label,
    scopes: row.scopes,
    rateLimit: row.rate_limit,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}
