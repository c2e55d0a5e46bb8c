/**
 * The requests that the emulated exchange accepts: orders and lists in signed payloads, whose signature and nonce are verified here,
 * commands of its stream, and requests to the control route.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { verifyGemini } from '../../venues/gemini/rest.ts';
import { decimalMicros, jsonOf } from '../../venues/shapes.ts';
import type { Answer } from '../emulator.ts';
import { clearFaultsRequest, commonFaults, faultRequest, paceRequest, randomFaultsRequest } from '../faults.ts';
import { type Account, CLIENT_IDS, type ExchangeState } from './state.ts';

const amount = z.union([
  z.bigint(),
  z.string().transform((text, context) => {
    const value = decimalMicros(text);
    if (value === undefined) {
      context.addIssue({ code: 'custom', message: 'not a plain decimal with at most six places' });
      return z.NEVER;
    }
    return value;
  }),
]);

/** `OrderRequest` with our id, which the exchange's own command line sends too. */
export const orderRequest = z.looseObject({
  symbol: z.string(),
  orderType: z.literal('limit'),
  side: z.enum(['buy', 'sell']),
  outcome: z.enum(['yes', 'no']),
  quantity: amount,
  price: amount,
  timeInForce: z.enum(['good-til-cancel', 'immediate-or-cancel', 'fill-or-kill']).default('good-til-cancel'),
  clientOrderId: z.string().min(1).optional(),
});
export type OrderRequest = z.output<typeof orderRequest>;

export const activeRequest = z.looseObject({
  symbol: z.string().optional(),
  limit: z.int().min(1).max(100).default(50),
  offset: z.int().min(0).default(0),
});
export const historyRequest = z.looseObject({
  symbol: z.string().optional(),
  status: z.enum(['filled', 'cancelled']).optional(),
  limit: z.int().min(1).max(1_000).default(50),
  offset: z.int().min(0).max(10_000).default(0),
  from: z.int().optional(),
  to: z.int().optional(),
});
export const tradesRequest = z.looseObject({
  symbol: z.string().optional(),
  limit_trades: z.int().min(1).max(500).default(50),
  timestamp: z.int().default(0),
});
export const transfersRequest = z.looseObject({
  currency: z.string().optional(),
  /** Seconds since 1970. */
  timestamp: z.int().default(0),
  limit_transfers: z.int().min(1).max(50).default(10),
});
export const cancelRequest = z.looseObject({
  orderIds: z
    .array(z.union([z.int().transform(String), z.string().regex(/^\d+$/)]))
    .min(1)
    .max(20),
});

export const streamCommand = z.looseObject({
  id: z.union([z.string(), z.int()]),
  method: z.string(),
  params: z.array(z.string()).default([]),
});

const level = z.tuple([amount, amount]).transform(([price, count]) => ({ price, count }));
const time = z.iso.datetime().transform((text) => new Date(text));

/** Requests to the control route. */
export const controlRequest = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('key'),
    keyId: z.string().min(1),
    secret: z.string().min(1),
    cash: amount,
    acceptedTerms: z.boolean().default(true),
  }),
  z.strictObject({
    do: z.literal('contract'),
    symbol: z.string().min(1),
    eventTicker: z.string().min(1),
    title: z.string().min(1),
    category: z.string().default('economics'),
    rules: z.string().default('Resolves by the source.'),
    strike: z.strictObject({ type: z.string(), value: z.string() }).optional(),
    expiresAt: time,
    priceStep: amount.default(10_000n),
    quantityStep: amount.default(10_000n),
    quantityMinimum: amount.default(1_000_000n),
    gridless: z.boolean().default(false),
  }),
  z.strictObject({ do: z.literal('book'), symbol: z.string(), bids: z.array(level), asks: z.array(level) }),
  z.strictObject({
    do: z.literal('status'),
    symbol: z.string(),
    status: z.enum(['approved', 'active', 'closed', 'under_review', 'settled', 'invalid']).optional(),
    marketState: z.enum(['open', 'closed']).optional(),
    /** Required for `settled`. */
    winner: z.enum(['yes', 'no']).optional(),
  }),
  z.strictObject({ do: z.literal('vanish'), symbol: z.string(), vanished: z.boolean().default(true) }),
  z.strictObject({
    do: z.literal('lists'),
    tradesInYes: z.boolean().optional(),
    tradesLateMs: z.int().min(0).optional(),
    clientIds: z.enum(CLIENT_IDS).optional(),
    repeatsNonces: z.boolean().optional(),
  }),
  /** Changes the cash of an account: by a transfer that the exchange lists, or by one that no list contains. */
  z.strictObject({
    do: z.literal('pay'),
    keyId: z.string(),
    amount,
    type: z.enum(['Deposit', 'Withdrawal', 'Reward']).optional(),
    status: z.enum(['Complete', 'Advanced', 'Pending']).default('Complete'),
  }),
  z.strictObject({ do: z.literal('clock'), aheadMs: z.int() }),
  z.strictObject({ do: z.literal('stream'), fault: z.enum(['gap', 'disconnect', 'silence', 'garbage', 'refuse']) }),
  z.strictObject({ do: z.literal('stream_say'), message: z.looseObject({ e: z.string() }) }),
  z.strictObject({ do: z.literal('stream_silent'), symbols: z.array(z.string()) }),
  faultRequest(z.discriminatedUnion('kind', [...commonFaults(z.union([z.bigint(), amount]))])),
  randomFaultsRequest,
  clearFaultsRequest,
  paceRequest,
]);
export type ControlRequest = z.output<typeof controlRequest>;

/** A nonce is the time in seconds. It may differ this much from the exchange's clock. */
const MOST_SKEW_SECONDS = 30;

export interface Signed {
  readonly account: Account;
  readonly parameters: object;
}

const payload = z.looseObject({ request: z.string(), nonce: z.union([z.int(), z.string().regex(/^\d+$/)]) });

interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  /** Undefined if the request has none. */
  readonly body: unknown;
}

/**
 * Verifies that a known key signed the request, for this path and now, and that its body is the signed parameters.
 *
 * @param used nonces of each key so far
 * @returns the refusal if it did not; undefined for a request without a key
 */
export function readSigned(
  state: ExchangeState,
  { headers, path, body }: SignedRequest,
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
  if (!isDeepStrictEqual(body ?? {}, parameters)) {
    return refused(400, 'InvalidInput');
  }
  used.set(keyId, mine.add(nonce));
  return { account, parameters };
}

/** @returns the account that signed a handshake of the stream; null if the signature is wrong, undefined if there is none */
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

/** A refusal of the authentication, and of an account that may not trade. */
export function refused(status: number, reason: string): Answer {
  return { status, body: { result: 'error', reason, message: reason } };
}
