/** The root secret of a deployment and the keys derived from it. It never leaves this process and is never logged. */
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';

const KEY_BYTES = 32;

export interface Secrets {
  /** The secret that signs and encrypts now. */
  readonly current: string;
  /** Older secrets that are still accepted after a rotation. */
  readonly previous: readonly string[];
}

/**
 * INLAY_SECRET, or, on a development machine, a secret that is created once in the data folder and readable by its
 * owner only.
 */
export function loadSecrets(environment: Environment): Secrets {
  return {
    current: environment.secret ?? developmentSecret(environment.dataDir),
    previous: environment.previousSecrets,
  };
}

/** Whether a root secret exists already. Unlike `loadSecrets`, this creates none. */
export function hasSecret(environment: Environment): boolean {
  return environment.secret !== undefined || existsSync(secretFile(environment.dataDir));
}

function secretFile(dataDir: string): string {
  return join(dataDir, 'secret');
}

function developmentSecret(dataDir: string): string {
  const path = secretFile(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, randomBytes(KEY_BYTES).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw error;
    }
  }
  return readFileSync(path, 'utf8').trim();
}

/** A 32-byte key for one purpose (HKDF-SHA256). No two purposes share a key. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'inlay', purpose, KEY_BYTES));
}

// The token with which the service authenticates at the paper venues of its deployment, and how they check it.

const PURPOSE = 'paper venue';

export function paperToken(secrets: Pick<Secrets, 'current'>): string {
  return derivedToken(secrets, PURPOSE);
}

/** @returns a check whether an `authorization` header belongs to this deployment */
export function createPaperTokenCheck(secrets: Secrets): (authorization: string | undefined) => boolean {
  return createTokenCheck(secrets, PURPOSE);
}

// A token for one purpose between processes of the deployment, and how it is checked. It is derived from the root
// secret, so that no file has to be shared.

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param purpose no two purposes have the same token */
function derivedToken({ current }: Pick<Secrets, 'current'>, purpose: string): string {
  return deriveKey(current, purpose).toString('base64url');
}

/**
 * @returns a check whether an `authorization` header belongs to this deployment; after a rotation, tokens of older
 * secrets are still valid
 */
function createTokenCheck(
  { current, previous }: Secrets,
  purpose: string,
): (authorization: string | undefined) => boolean {
  const admitted = [current, ...previous].map((secret) =>
    digest(`Bearer ${derivedToken({ current: secret }, purpose)}`),
  );
  return (authorization = '') => {
    // All digests have the same length and all are compared, so the duration reveals nothing about the token.
    const given = digest(authorization);
    return admitted.filter((one) => timingSafeEqual(one, given)).length > 0;
  };
}
