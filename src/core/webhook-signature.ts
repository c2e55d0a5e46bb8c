/**
 * The signature of a webhook delivery, which we make and partners check: HMAC-SHA256 over `<t>.<raw body>`, keyed with
 * the whole secret string (contract 27.3). Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The maximum difference between `t` and the current time, in seconds (contract 27.4).
 */
export const SIGNATURE_TOLERANCE_S = 300;

/**
 * The headers of a delivery (contract 27.2).
 * @param at when it is sent
 */
export function deliveryHeaders(type: string, secret: string, at: Date, body: Buffer | string): Record<string, string> {
  const signature = signatureHeader(secret, Math.floor(at.getTime() / 1000), body);
  return {
    'content-type': 'application/json',
    'service-signature': signature,
    'x-webhook-signature': signature,
    'service-event-type': type,
    'user-agent': 'Service-Webhooks/1',
  };
}

/**
 * @param secret the whole `whsec_…` string; its UTF-8 bytes are the key
 * @param unixSeconds the time of the attempt
 * @returns the header value `t=<unix_seconds>,v1=<hex>`
 */
export function signatureHeader(secret: string, unixSeconds: number, body: Buffer | string): string {
  return `t=${unixSeconds},v1=${mac(secret, String(unixSeconds), body).toString('hex')}`;
}

export type SignatureVerdict =
  | { readonly valid: true; readonly timestamp: number }
  | { readonly valid: false; readonly reason: 'malformed' | 'too_old' | 'in_the_future' | 'mismatch' };

/**
 * Checks a received signature against the raw body in constant time. The header may contain several `v1` values; one
 * must match.
 */
export function verifySignature(
  secret: string,
  header: string,
  body: Buffer | string,
  nowSeconds: number,
  toleranceSeconds: number = SIGNATURE_TOLERANCE_S,
): SignatureVerdict {
  const parts = header.split(',').map((part) => part.trim());
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const candidates = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  if (!/^\d{1,12}$/.test(timestamp) || candidates.length === 0) {
    return { valid: false, reason: 'malformed' };
  }
  const expected = mac(secret, timestamp, body);
  const matches = candidates.some((candidate) => {
    const given = Buffer.from(/^[0-9a-f]{64}$/i.test(candidate) ? candidate : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!matches) {
    return { valid: false, reason: 'mismatch' };
  }
  const age = nowSeconds - Number(timestamp);
  if (Math.abs(age) > toleranceSeconds) {
    return { valid: false, reason: age > 0 ? 'too_old' : 'in_the_future' };
  }
  return { valid: true, timestamp: Number(timestamp) };
}

function mac(secret: string, timestamp: string, body: Buffer | string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}
