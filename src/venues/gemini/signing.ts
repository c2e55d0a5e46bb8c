/**
 * Signatures of Gemini (https://developer.gemini.com/authentication/api-key): HMAC-SHA384 with the secret of the key over a payload in
 * base64, in hexadecimal digits. The payload of a request names its path, a nonce and its parameters; that of a stream the nonce.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface GeminiCredentials {
  readonly keyId: string;
  readonly secret: string;
}

/** The secret of a key file. @throws for a file without one */
export function readGeminiSecret(text: string): string {
  const secret = text.trim();
  if (!/^[\x21-\x7e]{16,200}$/.test(secret)) {
    throw new Error('no secret of an API key');
  }
  return secret;
}

/**
 * @param nonce whole seconds since 1970: the exchange refuses a time that is more than 30 seconds from its own
 * @param path without its query
 * @param parameters of the request, which has no body
 */
export function signGemini(
  credentials: GeminiCredentials,
  nonce: number,
  path: string,
  parameters: object,
): Readonly<Record<string, string>> {
  return headersOf(credentials, JSON.stringify({ request: path, nonce, ...parameters }));
}

/** Of the handshake of a stream. */
export function signGeminiStream(credentials: GeminiCredentials, nonce: number): Readonly<Record<string, string>> {
  return { 'x-gemini-nonce': String(nonce), ...headersOf(credentials, String(nonce)) };
}

function headersOf({ keyId, secret }: GeminiCredentials, text: string): Readonly<Record<string, string>> {
  const payload = Buffer.from(text).toString('base64');
  return {
    'x-gemini-apikey': keyId,
    'x-gemini-payload': payload,
    'x-gemini-signature': signatureOf(payload, secret),
  };
}

function signatureOf(payload: string, secret: string): string {
  return createHmac('sha384', secret).update(payload).digest('hex');
}

/** Whether a payload carries the signature of that secret. The emulator asks. */
export function verifyGemini(secret: string, payload: string, signature: string): boolean {
  const [given, right] = [signature, signatureOf(payload, secret)].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return given.length === right.length && timingSafeEqual(given, right);
}
