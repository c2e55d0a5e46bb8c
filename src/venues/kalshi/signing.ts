/**
 * Signatures of Kalshi's requests over the time, the method and the path (https://docs.kalshi.com, "API keys"): Ed25519 or RSA-PSS,
 * whichever the registered key is.
 */
import { constants, createPrivateKey, type KeyObject, sign, verify } from 'node:crypto';

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } as const;

/**
 * The private key of a PEM file. PKCS#8 files of both kinds begin alike, so that the kind is that of the key itself.
 * @throws for a key of another kind
 */
export function readKalshiKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ed25519') {
    throw new Error('neither an Ed25519 nor an RSA key');
  }
  return key;
}

/** The text that is signed. @param path from the root of the host, without its query. */
function signedText(timestampMs: string, method: string, path: string): Buffer {
  return Buffer.from(`${timestampMs}${method}${path.split('?')[0]}`);
}

export interface KalshiHeaders extends Readonly<Record<string, string>> {
  readonly 'kalshi-access-key': string;
  /** Milliseconds since 1970. */
  readonly 'kalshi-access-timestamp': string;
  /** Base64. */
  readonly 'kalshi-access-signature': string;
}

/**
 * @param key private key, Ed25519 or RSA.
 * @param timestampMs of the request; the exchange refuses one that is too far from its own clock.
 */
export function signKalshi(
  key: KeyObject,
  keyId: string,
  timestampMs: number,
  method: string,
  path: string,
): KalshiHeaders {
  const text = signedText(String(timestampMs), method, path);
  return {
    'kalshi-access-key': keyId,
    'kalshi-access-timestamp': String(timestampMs),
    'kalshi-access-signature': signature(key, text).toString('base64'),
  };
}

function signature(key: KeyObject, text: Buffer): Buffer {
  return key.asymmetricKeyType === 'ed25519' ? sign(null, text, key) : sign('sha256', text, { key, ...PSS });
}

/** Whether a request carries the signature of that key. The emulator asks; PSS signatures differ each time. */
export function verifyKalshi(publicKey: KeyObject, headers: KalshiHeaders, method: string, path: string): boolean {
  const text = signedText(headers['kalshi-access-timestamp'], method, path);
  const given = Buffer.from(headers['kalshi-access-signature'], 'base64');
  return publicKey.asymmetricKeyType === 'ed25519'
    ? verify(null, text, publicKey, given)
    : verify('sha256', text, { key: publicKey, ...PSS }, given);
}
