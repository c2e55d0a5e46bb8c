/** Issues, rotates and revokes API keys. The text of a key is returned by this call and stored nowhere. */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';
import { readRange } from './address-range.ts';
import { untilForgotten } from './admission/callers.ts';
import { type ApiKey, apiKeyPrefix, DEFAULT_RATE_LIMIT, hashApiKey, MAX_RATE_LIMIT, newApiKey } from './api-key.ts';
import { findApiKey, insertApiKey, replaceApiKey, revokeApiKey } from './api-keys.ts';
import { getOperator } from './create-operator.ts';
import type { Operator } from './operator.ts';
import { DEFAULT_SCOPES, isScope, SCOPES } from './scopes.ts';

const MAX_RANGES = 100;

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
  const old = await findApiKey(sql, keyId);
  if (old === undefined) {
    throw refuse('unknown_key');
  }
  const { mode } = await getOperator(sql, old.operatorId);
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

/** Answers when no process admits the key any more. @throws `unknown_key` */
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
