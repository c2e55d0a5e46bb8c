/**
 * One attempt over HTTP: one signed POST, ten seconds for the whole exchange, no redirect, and only to permitted addresses. It reports the
 * result and decides nothing.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { Refusal } from '../core/errors.ts';
import { currentTrace } from '../core/tracing.ts';
import { deliveryHeaders } from '../core/webhook-signature.ts';
import { envelopeJson } from '../ledger/render/events.ts';
import { type DestinationPolicy, isPermittedAddress, refuseDestination } from './destination.ts';

/** Contract 27.6: 2xx within 10 seconds, counted until the last byte of the response. */
export const EXCHANGE_TIMEOUT_MS = 10_000;

/** How much of a response is logged. */
const LOGGED_BYTES = 1024;
/** A response longer than this is cut off and judged by its status, so that no receiver can send without end. */
const READ_BYTES = 64 * 1024;

export interface SendResult {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  /** Null on 2xx. `http_301`, `timeout`, `destination_refused`, or the code of a socket, TLS or HTTP error. */
  readonly error: string | null;
  /** The first 1 KB of the response as text; null if there was none. */
  readonly response: string | null;
}

/**
 * Sends a request. It never rejects: every failure is reported in `error` of the result.
 * @param request only `SignedRequest.sign` makes one
 */
export function sendSigned(
  agent: Dispatcher,
  request: SignedRequest,
  timeoutMs: number = EXCHANGE_TIMEOUT_MS,
): Promise<SendResult> {
  if (!SignedRequest.isSigned(request)) {
    throw new Error('refused to send a request that is not signed');
  }
  const url = new URL(request.url);
  const traceparent = currentTrace();
  return new Promise((resolve) => {
    const answer = new Answer(timeoutMs, resolve);
    const target = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST' as const,
      headers: traceparent === undefined ? request.headers : { ...request.headers, traceparent },
      body: request.body,
    };
    try {
      agent.dispatch(target, answer);
    } catch (error) {
      answer.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** Collects one response; settles exactly once. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #startedAt = new Date();
  readonly #start = performance.now();
  readonly #settle: (exchange: SendResult) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #logged: Buffer[] = [];
  #received = 0;
  #settled = false;

  constructor(timeoutMs: number, settle: (exchange: SendResult) => void) {
    this.#settle = settle;
    this.#timer = setTimeout(() => {
      this.#finish('timeout');
      this.#controller?.abort(new Error('timeout'));
    }, timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      // It waited for a connection until the timeout: abort before a byte is written.
      controller.abort(new Error('timeout'));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    if (statusCode >= 200) {
      this.#status = statusCode;
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#received < LOGGED_BYTES) {
      this.#logged.push(Buffer.from(chunk.subarray(0, LOGGED_BYTES - this.#received)));
    }
    this.#received += chunk.length;
    if (this.#received > READ_BYTES) {
      this.#finish(null);
      controller.abort(new Error('the response is too long'));
    }
  }

  onResponseEnd(): void {
    this.#finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#finish(errorCode(error));
  }

  #finish(failure: string | null): void {
    if (this.#settled) {
      return;
    }
    this.#settled = true;
    clearTimeout(this.#timer);
    const status = this.#status;
    const acknowledged = status !== null && status >= 200 && status < 300;
    this.#settle({
      startedAt: this.#startedAt,
      durationMs: Math.round(performance.now() - this.#start),
      httpStatus: status,
      error: failure ?? (acknowledged ? null : `http_${status ?? 'none'}`),
      response: status === null ? null : loggedText(this.#logged),
    });
  }
}

/** PostgreSQL cannot store a NUL character in a text; a truncated or invalid encoding becomes U+FFFD. */
function loggedText(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString('utf8').replaceAll('\0', '\uFFFD');
}

function errorCode(error: Error): string {
  if (error instanceof Refusal) {
    return error.code === 'invalid_destination' ? 'destination_refused' : error.code;
  }
  if (error instanceof AggregateError && error.errors[0] instanceof Error) {
    return errorCode(error.errors[0]);
  }
  if ('code' in error && typeof error.code === 'string') {
    return error.code.toLowerCase();
  }
  return error.name === 'HTTPParserError' ? 'not_http' : 'connection_failed';
}

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;

/**
 * The HTTP client of deliveries. Each connection resolves its name once, checks every address of the answer, and uses
 * that answer, so a name that resolves differently in two look-ups has no effect. It follows no redirect.
 * @param lookup resolves a name to addresses; tests pass one whose result changes
 */
export function createGuardedAgent(policy: DestinationPolicy, lookup: LookupFunction = systemLookup): Agent {
  const connectTo = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    lookup: guardLookup(policy, lookup),
  });
  return new Agent({
    // One connection for each exchange in flight: endpoints on the same host never wait for each other's responses.
    connections: null,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) => {
      // An address written in the URL is not resolved, so it is checked here too.
      if (isIP(options.hostname) !== 0 && !isPermittedAddress(options.hostname, options.hostname, policy)) {
        callback(refuseDestination('address', `${options.hostname} is not a public address`), null);
        return;
      }
      connectTo(options, callback);
    },
  });
}

function guardLookup(policy: DestinationPolicy, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, [], 0);
        return;
      }
      const addresses = Array.isArray(found) ? found : [{ address: found, family: 4 }];
      const refused = addresses.find(({ address }) => !isPermittedAddress(hostname, address, policy));
      const first = addresses[0];
      if (refused !== undefined || first === undefined) {
        const where = refused?.address ?? 'no address';
        callback(refuseDestination('address', `${hostname} resolves to ${where}, not a public address`), [], 0);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

/**
 * A fact in the form that is sent to an endpoint; `data` is the payload's JSON text, sent byte for byte as it was
 * recorded.
 */
export interface Notice {
  readonly eventId: string;
  readonly type: string;
  readonly dedupeKey: string;
  readonly data: string;
}

/**
 * The only input that the sender accepts. It can be made only by signing, so the type system excludes unsigned
 * deliveries.
 */
export class SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly #signed = true;

  private constructor(url: string, headers: Readonly<Record<string, string>>, body: Buffer) {
    this.url = url;
    this.headers = headers;
    this.body = body;
  }

  /**
   * Writes the envelope of one attempt and signs exactly the bytes that are sent.
   * @param secret the endpoint's whole `whsec_…` string
   * @param at when this attempt is made; both `createdAt` and `t` have this value, so they are new in each attempt
   */
  static sign(url: string, secret: string, notice: Notice, at: Date): SignedRequest {
    if (!secret.startsWith('whsec_')) {
      throw new Error('a delivery must be signed with a whsec_ secret');
    }
    const body = Buffer.from(envelopeJson(notice, notice.data, at));
    return new SignedRequest(url, deliveryHeaders(notice.type, secret, at, body), body);
  }

  /** Whether a value came out of `sign`, whatever its type claims. */
  static isSigned(value: object): value is SignedRequest {
    return #signed in value && value.#signed;
  }
}
