/** The key that signs checkpoints. It lives outside the database: derived from INLAY_SECRET, or in a file of its own. */
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Environment, EnvironmentError } from '../../core/environment.ts';
import { deriveKey, type Secrets } from '../../core/secrets/secret.ts';
import { originOf } from '../../core/transparency-log/checkpoint.ts';
import {
  type NoteSigner,
  signerFromKey,
  signerFromSeed,
  verifierKey,
} from '../../core/transparency-log/signed-note.ts';

const PURPOSE = 'feed log signature';

/** @throws EnvironmentError if INLAY_LOG_KEY_FILE names no readable Ed25519 key. */
export function loadLogSigner({ logKeyFile }: Environment, secrets: Secrets): NoteSigner {
  if (logKeyFile === undefined) {
    return signerFromSeed(deriveKey(secrets.current, PURPOSE));
  }
  try {
    return signerFromKey(createPrivateKey(readFileSync(logKeyFile)));
  } catch (error) {
    throw new EnvironmentError(`INLAY_LOG_KEY_FILE: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The verifier key of one operator's log, in the form of C2SP signed-note. */
export function logVerifierKey(operatorId: string, signer: NoteSigner): string {
  return verifierKey(originOf(operatorId), signer.publicKey);
}
