/** One attempt over HTTP: one POST, ten seconds for the whole exchange, no redirect. It only reports what happened. */
import type { Dispatcher } from 'undici';
import { Refusal } from '../../core/errors.ts';
import { currentTrace } from '../../core/tracing.ts';
import { SignedRequest } from './signed-request.ts';

/**
 * Contract 27.6: 2xx within 10 seconds, counted until the last byte of the response.
 */
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
 * Never rejects: every failure is reported in the exchange's `error`.
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
