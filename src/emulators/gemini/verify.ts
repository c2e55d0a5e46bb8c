/** Whether a request to the emulated exchange is signed: by a key that it knows, over the path that is asked, and now. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { verifyGemini } from '../../venues/gemini/rest.ts';
import { jsonOf } from '../../venues/shapes.ts';
import type { Answer } from '../http.ts';
import type { Account, ExchangeState } from './state.ts';

/** A nonce is the time in seconds. */
const MOST_SKEW_SECONDS = 30;

export interface Signed {
  readonly account: Account;
  readonly parameters: object;
}

const payload = z.looseObject({ request: z.string(), nonce: z.union([z.int(), z.string().regex(/^\d+$/)]) });

function refused(status: number, reason: string): Answer {
  return { status, body: { result: 'error', reason, message: reason } };
}

/**
 * @param used nonces of each key so far
 * @returns undefined for a request that carries no key
 */
export function readSigned(
  state: ExchangeState,
  headers: IncomingHttpHeaders,
  path: string,
  now: Date,
  used: Map<string, Set<number>>,
): Signed | Answer | undefined {
  const [keyId, encoded, signature] = ['apikey', 'payload', 'signature'].map((name) =>
    String(headers[`x-gemini-${name}`] ?? ''),
  ) as [string, string, string];
  if (keyId === '') {
    return undefined;
  }
  const account = state.accounts.get(keyId);
  if (account === undefined || !verifyGemini(account.secret, encoded, signature)) {
    return refused(400, 'InvalidSignature');
  }
  const read = payload.safeParse(jsonOf(Buffer.from(encoded, 'base64').toString('utf8')));
  if (!read.success || read.data.request !== path) {
    return refused(400, read.success ? 'EndpointMismatch' : 'MissingNonce');
  }
  const { request: _, nonce: written, ...parameters } = read.data;
  const nonce = Number(written);
  const mine = used.get(keyId) ?? new Set();
  if (!isFresh(nonce, now) || (!state.repeatsNonces && mine.has(nonce))) {
    return refused(400, 'InvalidNonce');
  }
  used.set(keyId, mine.add(nonce));
  return { account, parameters };
}

/** The account of a signed handshake; null if it is signed wrongly, undefined if not at all. */
export function readHandshake(
  state: ExchangeState,
  headers: IncomingHttpHeaders,
  now: Date,
): Account | null | undefined {
  const given = (name: string) => String(headers[`x-gemini-${name}`] ?? '');
  const keyId = given('apikey');
  if (keyId === '') {
    return undefined;
  }
  const account = state.accounts.get(keyId);
  const encoded = given('payload');
  const nonce = Buffer.from(encoded, 'base64').toString('utf8');
  const valid = account !== undefined && verifyGemini(account.secret, encoded, given('signature'));
  return valid && nonce === given('nonce') && isFresh(Number(nonce), now) ? account : null;
}

function isFresh(nonce: number, now: Date): boolean {
  return Math.abs(now.getTime() / 1_000 - nonce) <= MOST_SKEW_SECONDS;
}
