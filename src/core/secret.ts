/**
 * The root secret of a deployment, and the keys and tokens derived from it. It never leaves this process and is never
 * logged.
 */
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';

const KEY_BYTES = 32;

export interface Secrets {
  /** The secret that is used to sign and encrypt now. */
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

const PAPER_PURPOSE = 'paper venue';

/** The token with which the service authenticates at the paper venues of its deployment. It is derived, so no file is shared. */
export function paperToken({ current }: Pick<Secrets, 'current'>): string {
  return deriveKey(current, PAPER_PURPOSE).toString('base64url');
}

/**
 * @returns a check whether an `authorization` header belongs to this deployment. After a rotation, tokens of older
 * secrets are still valid.
 */
export function createPaperTokenCheck({ current, previous }: Secrets): (authorization: string | undefined) => boolean {
  const admitted = [current, ...previous].map((secret) => digest(`Bearer ${paperToken({ current: secret })}`));
  return (authorization = '') => {
    // All digests have the same length and all are compared, so the duration reveals nothing about the token.
    const given = digest(authorization);
    return admitted.filter((one) => timingSafeEqual(one, given)).length > 0;
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
