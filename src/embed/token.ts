/**
 * The embed token `ies1.<keyId>.<secret>.<mac>` (contract 30.5). A forged token is refused by checking its MAC, without asking the
 * database. Its keys are derived from the deployment's secret and rotate with it. Nothing is stored or logged.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey, type Secrets } from '../core/secrets/secret.ts';

const VERSION = 'ies1';
const SECRET_BYTES = 32;
const KEY_ID_LENGTH = 12;
const LONGEST_TOKEN = 200;

interface MacKey {
  readonly keyId: string;
  readonly key: Buffer;
}

export interface Keyring {
  readonly current: MacKey;
  readonly byId: ReadonlyMap<string, MacKey>;
}

/** @returns null if the deployment has no usable secret: the caller answers 503 embed_unavailable */
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
