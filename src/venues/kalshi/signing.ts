/** Signatures of Kalshi's requests: RSA-PSS over the time, the method and the path (https://docs.kalshi.com, "API keys"). */
import { constants, type KeyObject, sign, verify } from 'node:crypto';

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } as const;

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
 * @param key private RSA key.
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
    'kalshi-access-signature': sign('sha256', text, { key, ...PSS }).toString('base64'),
  };
}

/** Whether a request carries the signature of that key. The emulator asks; PSS signatures differ each time. */
export function verifyKalshi(publicKey: KeyObject, headers: KalshiHeaders, method: string, path: string): boolean {
  const text = signedText(headers['kalshi-access-timestamp'], method, path);
  return verify('sha256', text, { key: publicKey, ...PSS }, Buffer.from(headers['kalshi-access-signature'], 'base64'));
}
