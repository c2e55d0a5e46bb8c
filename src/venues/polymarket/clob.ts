/**
 * Requests to Polymarket's order book that carry our signature, and the limits of requests that its responses report. API credentials
 * are derived from the signer's key once and kept in memory. Hosts come only from configuration.
 */
import type { Address } from 'viem';
import type { RequestKind } from '../../core/request-budget.ts';
import { originOf, withKey } from '../adapter.ts';
import {
  CLOCK_TIMEOUT_MS,
  foundOrMissing,
  middleOf,
  openVenueClock,
  openVenueHttp,
  TIMEOUT_MS,
  type VenueAnswer,
  type VenueMethod,
} from '../http.ts';
import { type Locate, type MayWrite, type Note, type RequestsLeft, VenueUnknown } from '../port.ts';
import { expectShape, jsonOf } from '../shapes.ts';
import { polymarketCredentials, polymarketRefusal, polymarketTime } from './shapes.ts';
import {
  type ApiCredentials,
  depositWalletHeaders,
  requestHeaders,
  type Signer,
  WALLET,
  type Wallet,
  walletHeaders,
} from './sign.ts';

/** A restart of the engine takes about this long. */
const RESTART_MS = 5_000;
const CLOSED_MS = 30_000;
/** Makes the exchange read the balance of a deposit wallet again. */
const READ_AGAIN = `/balance-allowance/update?asset_type=COLLATERAL&signature_type=${WALLET.deposit}`;
/** Texts of a 503 that prove that the exchange did not look at the order at all. */
const NOT_LOOKED_AT = /post-only mode|cancel-only|trading is currently disabled/i;

/** This only warns, because a new kind of wallet would be another reason. */
export const NOT_OF_SIGNER = 'the address is not a wallet of the key that signs';

interface ClobCall {
  readonly body?: object;
  readonly mayWrite?: MayWrite;
  readonly timeoutMs?: number;
}

/** Credentials and the address that they belong to: the wallet that holds the money, or its owner. */
interface ApiKey extends ApiCredentials {
  readonly address: Address;
}

export interface Clob {
  /** Its calls throw VenueUnknown, with `notTaken`. */
  readonly wallet: Wallet;
  /** @throws VenueUnknown, with `notTaken`. */
  credentials(): Promise<ApiKey>;
  /** @returns the response, which may have any status below 500. @throws VenueUnknown if there is no response */
  call(method: VenueMethod, path: string, options?: ClobCall): Promise<VenueAnswer>;
  /** @returns a response with status 200 or 404. @throws VenueUnknown for any other status */
  get(path: string): Promise<VenueAnswer>;
  close(): Promise<void>;
}

/** @param host name of the order book's host in the configuration. @param reportLeft receives how many more orders or cancellations are accepted */
export function openClob(
  venue: string,
  host: string,
  locate: Locate,
  own: Wallet,
  reportLeft: (left: RequestsLeft) => void = () => undefined,
  note: Note = () => undefined,
): Clob {
  const http = openVenueHttp(venue, polymarketRefusal);
  let known: { readonly signer: Signer; readonly credentials: Promise<ApiKey> } | undefined;

  const clock = openVenueClock(async () => {
    const { body } = await http.call('GET', `${await origin()}/time`, CLOCK_TIMEOUT_MS);
    return readTime(venue, body);
  });

  const origin = () => originOf(venue, host, locate);
  const wallet: Wallet = {
    signatureType: own.signatureType,
    isKnown: () => withKey(venue, own.isKnown),
    signer: () => withKey(venue, own.signer),
    funder: () => withKey(venue, own.funder),
  };

  /**
   * Orders of a deposit wallet name it as their signer, so its own API key is tried first. If the exchange makes none for a wallet that
   * is a contract, it accepts the owner's key for the wallet once it has read the wallet's balance.
   */
  async function askCredentials(of: Signer): Promise<ApiKey> {
    if (wallet.signatureType !== WALLET.deposit) {
      return askKey(of.address, walletHeaders, of);
    }
    try {
      return await askKey(wallet.funder(), depositWalletHeaders, of);
    } catch (error) {
      if ((error as VenueUnknown).status !== 401) {
        throw error;
      }
    }
    const owners = await askKey(of.address, walletHeaders, of);
    // the response has no content that matters
    await send('GET', READ_AGAIN, owners).catch(() => undefined);
    return owners;
  }

  async function askKey(address: Address, prove: typeof walletHeaders, of: Signer): Promise<ApiKey> {
    try {
      const url = await origin();
      const nowMs = await clock.measured();
      const headers = async () => ({ headers: await prove(address, of.privateKey, nowMs) });
      const derived = await http.call('GET', `${url}/auth/derive-api-key`, TIMEOUT_MS, await headers());
      // a wallet that never had credentials has none to derive
      const { body } =
        derived.status === 200 ? derived : await http.call('POST', `${url}/auth/api-key`, TIMEOUT_MS, await headers());
      return { ...expectShape(venue, 'credentials', polymarketCredentials, body), address };
    } catch (cause) {
      // the response may hold the secret, so it is not kept as evidence
      const { message, retryAfterMs, status } = cause as VenueUnknown;
      throw new VenueUnknown(venue, `credentials: ${message}`, {
        notTaken: true,
        retryAfterMs: retryAfterMs ?? undefined,
        ...(status === null ? {} : { status }),
      });
    }
  }

  function credentials(): Promise<ApiKey> {
    const of = wallet.signer();
    if (known?.signer !== of) {
      if (!wallet.isKnown()) {
        note('INLAY_POLYMARKET_FUNDER', NOT_OF_SIGNER);
      }
      const asked = askCredentials(of);
      known = { signer: of, credentials: asked };
      asked.catch(() => {
        known = undefined;
      });
    }
    return known.credentials;
  }

  async function send(
    method: VenueMethod,
    path: string,
    key: ApiKey,
    { body, mayWrite, timeoutMs = TIMEOUT_MS }: ClobCall = {},
  ): Promise<VenueAnswer> {
    const url = await origin();
    const text = body === undefined ? '' : JSON.stringify(body);
    const nowMs = await clock.measured();
    const headers = requestHeaders(key.address, key, nowMs, { method, path, body: text });
    const answer = await http.call(method, `${url}${path}`, timeoutMs, { body, mayWrite, headers });
    const left = requestsLeft(method, answer, nowMs, note);
    if (left !== undefined) {
      reportLeft(left);
    }
    return answer;
  }

  async function call(method: VenueMethod, path: string, options: ClobCall = {}): Promise<VenueAnswer> {
    const key = await credentials();
    try {
      return await send(method, path, key, options);
    } catch (cause) {
      if (cause instanceof VenueUnknown && cause.status === 401) {
        // the credentials were revoked, so the next request derives them again
        known = undefined;
      }
      throw cause instanceof VenueUnknown ? (notLookedAt(venue, cause) ?? cause) : cause;
    }
  }

  return {
    wallet,
    credentials,
    call,
    get: async (path) => foundOrMissing(venue, path.split('?')[0] ?? path, await call('GET', path)),
    close: () => http.close(),
  };
}

/** @param body of `/time` */
export function readTime(venue: string, body: unknown): Date {
  return middleOf(new Date(expectShape(venue, 'time', polymarketTime, body) * 1_000));
}

/** @returns the same failure with the time to wait, if the engine restarts or the response proves that it did not look at the order; otherwise undefined */
function notLookedAt(venue: string, unknown: VenueUnknown): VenueUnknown | undefined {
  if (unknown.status === 425) {
    const { message, notTaken } = unknown;
    return new VenueUnknown(venue, message, { cause: unknown, notTaken, retryAfterMs: RESTART_MS });
  }
  const refusal = polymarketRefusal.safeParse(jsonOf(String(unknown.evidence?.raw)));
  if (unknown.status !== 503 || !refusal.success || !NOT_LOOKED_AT.test(refusal.data.error)) {
    return undefined;
  }
  const seconds = refusal.data.retry_after_seconds;
  const retryAfterMs = seconds === undefined ? CLOSED_MS : seconds * 1_000;
  return new VenueUnknown(venue, refusal.data.error, { cause: unknown, notTaken: true, retryAfterMs });
}

const KINDS: Partial<Readonly<Record<VenueMethod, RequestKind>>> = { POST: 'send', DELETE: 'cancel' };

/**
 * Reads from the response to an order or a cancellation how many more of them the exchange accepts from our signer now, and if none, from
 * which second on it accepts one. https://docs.polymarket.com, "Trading rate limits"
 *
 * @param nowMs time of the exchange's clock
 * @param note records a request that the exchange would have refused if it did not only warn
 * @returns undefined if the response carries no limit
 */
function requestsLeft(
  method: VenueMethod,
  { headers }: Pick<VenueAnswer, 'headers'>,
  nowMs: number,
  note: Note,
): RequestsLeft | undefined {
  const kind = KINDS[method];
  const left = numberOf(headers['poly-ratelimit-remaining']);
  if (kind === undefined || left === undefined) {
    return undefined;
  }
  const warned = headers['poly-ratelimit-warning'] === 'true';
  if (warned) {
    note('rate limit warning', kind);
  }
  // a response that leaves some requests may name a second too, which alone is no reason to wait
  const resetMs = (numberOf(headers['poly-ratelimit-reset']) ?? 0) * 1_000;
  return { kind, left, waitMs: warned || left <= 0 ? Math.max(0, resetMs - nowMs) : 0 };
}

function numberOf(header: string | string[] | undefined): number | undefined {
  const value = Number(header ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}
