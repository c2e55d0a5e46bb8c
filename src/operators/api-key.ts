/** What an API key is: how its text is made, recognised and kept. Only a hash and its first characters are ever stored. */

import { hash, randomInt } from 'node:crypto';
import type { Mode } from '../core/terms.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const SHOWN_OF_SECRET = 8;
const KEY_FORMAT = /^(?:pk_test|sk_live)_[0-9A-Za-z]{16,120}$/;

/** Contract 35.2: requests a minute of a key for which nothing else was agreed, and the most that can be. */
export const DEFAULT_RATE_LIMIT: Record<Mode, number> = { sandbox: 120, live: 600 };
export const MAX_RATE_LIMIT = 6000;

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

/** A key with its last use, accurate to half a minute; both fields are null before the first use. */
export interface UsedApiKey extends ApiKey {
  readonly lastUsedAt: Date | null;
  readonly lastAddress: string | null;
}

/** A new key: what the keys of its mode begin with, and 40 characters of base62 (238 bits). */
export function newApiKey(mode: Mode): string {
  let secret = '';
  for (let index = 0; index < SECRET_LENGTH; index += 1) {
    secret += BASE62[randomInt(BASE62.length)];
  }
  return `${mode === 'sandbox' ? 'pk_test_' : 'sk_live_'}${secret}`;
}

/** Whether the text can be a key at all; other text is refused without asking the database. */
export function looksLikeApiKey(text: string): boolean {
  return KEY_FORMAT.test(text);
}

/** SHA-256 of the key in lower-case hex. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The beginning of its mode and eight more characters, which are not secret: people recognise a key by them. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, key.lastIndexOf('_') + 1 + SHOWN_OF_SECRET);
}
