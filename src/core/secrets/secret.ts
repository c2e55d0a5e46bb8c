/** The root secret of a deployment and the keys derived from it. It never leaves this process and is never logged. */
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../environment.ts';

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
