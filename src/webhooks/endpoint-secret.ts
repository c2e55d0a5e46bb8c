/** Signing secrets of endpoints: created here, encrypted under INLAY_SECRET, decrypted only to sign. Never logged. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { refuse } from '../core/errors.ts';
import { deriveKey, type Secrets } from '../core/secret.ts';

const PURPOSE = 'webhook-secrets-v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;
const FINGERPRINT_CHARS = 12;

/** A new signing secret, `whsec_` and 256 random bits. It is shown only once. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

export interface SecretBox {
  /** @returns `v1.<key fingerprint>.<base64url of nonce, ciphertext and tag>`, bound to that endpoint. */
  seal(endpointId: string, secret: string): string;
  /** @throws `secret_unreadable` if neither INLAY_SECRET nor INLAY_SECRET_PREVIOUS decrypts it */
  open(endpointId: string, sealed: string): string;
  /** Whether it was encrypted under the current INLAY_SECRET and not a previous one. */
  isCurrent(sealed: string): boolean;
}

/**
 * AES-256-GCM under a key derived from INLAY_SECRET. The endpoint id is authenticated too, so that an encrypted secret
 * cannot be moved to another endpoint.
 */
export function createSecretBox(secrets: Secrets): SecretBox {
  const keys = new Map(
    [secrets.current, ...secrets.previous].map((secret) => {
      const key = deriveKey(secret, PURPOSE);
      return [fingerprint(key), key] as const;
    }),
  );
  const currentKey = deriveKey(secrets.current, PURPOSE);
  const currentPrint = fingerprint(currentKey);
  return {
    seal(endpointId, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce).setAAD(Buffer.from(endpointId));
      const box = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${currentPrint}.${box.toString('base64url')}`;
    },
    open(endpointId, sealed) {
      const [version, keyPrint, text] = sealed.split('.');
      const key = keys.get(keyPrint ?? '');
      if (version !== 'v1' || key === undefined || text === undefined) {
        throw unreadable(endpointId);
      }
      const box = Buffer.from(text, 'base64url');
      try {
        const nonce = box.subarray(0, NONCE_BYTES);
        // Without its length, a shorter tag would be accepted, and a short one can be guessed.
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(endpointId))
          .setAuthTag(box.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        throw unreadable(endpointId);
      }
    },
    isCurrent: (sealed) => sealed.split('.')[1] === currentPrint,
  };
}

function fingerprint(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, FINGERPRINT_CHARS);
}

function unreadable(endpointId: string): Error {
  return refuse(
    'secret_unreadable',
    `The signing secret of ${endpointId} was encrypted under another INLAY_SECRET; set that one, or name it in INLAY_SECRET_PREVIOUS.`,
  );
}
