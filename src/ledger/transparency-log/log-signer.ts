/**
 * The key that signs checkpoints. It lives outside the database: derived from INLAY_SECRET, in a file of its own, or behind a
 * program that signs (INLAY_LOG_SIGNER), of which INLAY_LOG_KEY_FILE then has the public key.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Environment, EnvironmentError } from '../../core/environment.ts';
import { deriveKey, type Secrets } from '../../core/secrets/secret.ts';
import { originOf } from '../../core/transparency-log/checkpoint.ts';
import {
  type NoteSigner,
  publicBytes,
  signerFromKey,
  signerFromSeed,
  verifierKey,
} from '../../core/transparency-log/signed-note.ts';
import { signWithProgram } from './external-signer.ts';

const PURPOSE = 'feed log signature';

/** @throws EnvironmentError if INLAY_LOG_KEY_FILE names no readable Ed25519 key of the kind that is needed. */
export function loadLogSigner({ logKeyFile, logSigner }: Environment, secrets: Pick<Secrets, 'current'>): NoteSigner {
  if (logKeyFile === undefined) {
    if (logSigner !== undefined) {
      throw new EnvironmentError('INLAY_LOG_SIGNER: set INLAY_LOG_KEY_FILE to a PEM file with its public key');
    }
    return signerFromSeed(deriveKey(secrets.current, PURPOSE));
  }
  return readKey(logKeyFile, (pem) =>
    logSigner === undefined
      ? signerFromKey(createPrivateKey(pem))
      : { publicKey: publicBytes(createPublicKey(pem)), sign: (text) => signWithProgram(logSigner, text) },
  );
}

function readKey(file: string, read: (pem: Buffer) => NoteSigner): NoteSigner {
  try {
    return read(readFileSync(file));
  } catch (error) {
    throw new EnvironmentError(`INLAY_LOG_KEY_FILE: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The verifier key of one operator's log, in the form of C2SP signed-note. */
export function logVerifierKey(operatorId: string, signer: NoteSigner): string {
  return verifierKey(originOf(operatorId), signer.publicKey);
}
