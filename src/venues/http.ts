/**
 * HTTP requests to a venue over a connection pool. A request is sent once and never repeated here. If there is no valid response, the error
 * records whether the venue can have processed it. The file also has unsigned requests by host, and the venue's clock for signatures.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { type ClockOffset, measureOffset, offsetNow, systemClock, systemTicks } from '../core/time.ts';
import { currentTrace, tracedInside } from '../core/tracing.ts';
import { originOf } from './adapter.ts';
import type { Invalid } from './listing.ts';
import { type Locate, type MayWrite, VenueUnknown } from './port.ts';
import { jsonOf, misfit } from './shapes.ts';

export interface VenueAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The `date` header: the clock of the server, in whole seconds. */
  readonly date: Date | null;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
}

export type VenueMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface CallOptions {
  readonly body?: object | undefined;
  readonly mayWrite?: MayWrite | undefined;
  /** Further headers of this request, such as its signature. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface VenueHttp {
  /** @throws VenueUnknown after a timeout, a reset, a status of 500 or above, a body that is not JSON, or 401, 403, 425 or 429 */
  call(method: VenueMethod, url: string, timeoutMs: number, options?: CallOptions): Promise<VenueAnswer>;
  close(): Promise<void>;
}

/**
 * Statuses by which a venue reports that it did not process the request: no access, too early, too many requests. They prove this only
 * in the venue's own form of response, because a page of a gateway proves nothing about the venue (contract 18.6).
 */
const NOT_PROCESSED = new Set([401, 403, 425, 429]);
/** Far above the longest responses, which are pages of a catalogue of a few megabytes. */
const LONGEST_ANSWER_BYTES = 64 * 1024 * 1024;
const EVIDENCE_CHARS = 2_000;
/** Enough for sends and look-ups together (jobs/transmit.ts), so that hanging sends leave connections for look-ups. */
const CONNECTIONS = 160;

/**
 * @param venue its name, for errors and traces
 * @param refusal the form in which this venue refuses a request
 * @param token sent with each request as `authorization: Bearer`; if omitted, no such header is sent
 * @param parse reads the JSON of a response; passed if the venue's JSON needs more than `JSON.parse`
 */
export function openVenueHttp(
  venue: string,
  refusal: z.ZodType,
  token?: string,
  parse: (text: string) => unknown = JSON.parse,
): VenueHttp {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: 30_000, connectTimeout: 2_000 });
  return {
    call: (method, url, timeoutMs, options = {}) =>
      tracedInside(
        `${venue} ${method}`,
        { kind: 'client', facts: { 'http.request.method': method, 'url.path': new URL(url).pathname } },
        () => exchange(method, url, timeoutMs, options),
      ),
    close: () => agent.destroy(),
  };

  async function exchange(
    method: VenueMethod,
    url: string,
    timeoutMs: number,
    { body, headers, mayWrite = () => true }: CallOptions,
  ): Promise<VenueAnswer> {
    const written = { begun: false };
    let status: number;
    let retryAfter: string | undefined;
    let text: string;
    let date: Date | null;
    let received: IncomingHttpHeaders;
    try {
      const response = await request(url, {
        method,
        dispatcher: watchWire(agent, written, mayWrite),
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...authorization,
          ...headers,
          ...traceHeader(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      status = response.statusCode;
      received = response.headers;
      retryAfter = String(response.headers['retry-after'] ?? '');
      date = readDate(String(response.headers['date'] ?? ''));
      text = await readText(response.body);
    } catch (cause) {
      throw new VenueUnknown(venue, `${method}: ${reasonOf(cause as Error, timeoutMs)}`, {
        cause,
        notTaken: !written.begun,
      });
    }
    if (NOT_PROCESSED.has(status)) {
      throw new VenueUnknown(venue, `${method}: status ${status}`, {
        notTaken: refusal.safeParse(jsonOf(text)).success,
        status,
        retryAfterMs: status === 429 ? readRetryAfter(retryAfter, date) : undefined,
      });
    }
    if (status >= 500) {
      throw new VenueUnknown(venue, `${method}: status ${status}`, {
        status,
        evidence: evidence(url, `status ${status}`, text),
      });
    }
    try {
      return { status, body: parse(text), date, headers: received };
    } catch (cause) {
      throw new VenueUnknown(venue, `${method}: no JSON`, { cause, evidence: evidence(url, 'no JSON', text) });
    }
  }
}

/** @throws if the response is too long */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LONGEST_ANSWER_BYTES) {
      throw new Error('the answer is too long');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function traceHeader(): { readonly traceparent?: string } {
  const traceparent = currentTrace();
  return traceparent === undefined ? {} : { traceparent };
}

/** Records when the first byte of the request is written, and stops the request before it if `mayWrite` returns false. */
function watchWire(agent: Agent, written: { begun: boolean }, mayWrite: MayWrite): Dispatcher {
  return agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(controller, context) {
          if (!mayWrite()) {
            throw new TooLate('too late to be sent');
          }
          written.begun = true;
          handler.onRequestStart?.(controller, context);
        },
        onResponseStart: (...told) => handler.onResponseStart?.(...told),
        onResponseData: (...told) => handler.onResponseData?.(...told),
        onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
        onResponseError: (...told) => handler.onResponseError?.(...told),
      }),
  );
}

class TooLate extends Error {
  override name = 'TooLate';
}

const ONE_MINUTE_MS = 60_000;

/**
 * @param text seconds, which may have a fraction, or a date
 * @param now the venue's clock, against which a date is measured
 * @returns milliseconds; one minute if the header cannot be parsed, undefined if there is none
 */
function readRetryAfter(text: string, now: Date | null): number | undefined {
  if (text === '') {
    return undefined;
  }
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - (now?.getTime() ?? Date.now()) : seconds * 1_000;
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : ONE_MINUTE_MS;
}

function readDate(text: string): Date | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

function evidence(url: string, reason: string, text: string): Invalid {
  return { about: new URL(url).pathname, reason, raw: text.slice(0, EVIDENCE_CHARS) };
}

function reasonOf(cause: Error & { readonly code?: unknown }, timeoutMs: number): string {
  if (cause instanceof TooLate) {
    return cause.message;
  }
  if (cause.name === 'TimeoutError') {
    return `no answer within ${timeoutMs / 1_000} s`;
  }
  return typeof cause.code === 'string' ? cause.code : cause.name;
}

/** How long a response is waited for, unless it is that to an order. */
export const TIMEOUT_MS = 10_000;

export interface PublicRest {
  /**
   * @param host one of the venue's hosts, by its name in the configuration
   * @returns a response with status 200 or 404
   * @throws VenueUnknown for any other status, and if the host is not configured
   */
  ask(host: string, method: 'GET' | 'POST', path: string, body?: object): Promise<VenueAnswer>;
  close(): Promise<void>;
}

/** Opens the public REST interface of a venue, without signatures. Its hosts come only from configuration. */
export function openPublicRest(venue: string, locate: Locate): PublicRest {
  const http = openVenueHttp(venue, z.never());
  return {
    async ask(host, method, path, body) {
      const url = `${await originOf(venue, host, locate)}${path}`;
      return foundOrMissing(venue, path, await http.call(method, url, TIMEOUT_MS, { body }));
    },
    close: () => http.close(),
  };
}

/** @returns the response if its status is 200 or 404. @throws VenueUnknown for any other status */
export function foundOrMissing(venue: string, path: string, answer: VenueAnswer): VenueAnswer {
  if (answer.status !== 200 && answer.status !== 404) {
    throw misfit(venue, path, `status ${answer.status}`, answer.body);
  }
  return answer;
}

/** The venues report their time in whole seconds, so the moment is half a second later on average. */
const HALF_SECOND_MS = 500;

/** The middle of a second that a venue has reported. */
export function middleOf(second: Date): Date {
  return new Date(second.getTime() + HALF_SECOND_MS);
}

/** The venue's clock when it responded. @throws VenueUnknown with `notTaken` if the response has no `date` header */
export function serverTime(venue: string, { date }: Pick<VenueAnswer, 'date'>): Date {
  if (date === null) {
    throw new VenueUnknown(venue, 'the response has no date header', { notTaken: true });
  }
  return middleOf(date);
}

/** How long the clock of a venue is waited for: a measurement that takes longer is not exact. */
export const CLOCK_TIMEOUT_MS = 3_000;
/** How long a measurement is used. */
const GOOD_MS = 60_000;
const RETRY_MS = 5_000;
/** A smaller offset counts as none, because the venues report whole seconds. */
const LEAST_MS = 1_000;

interface VenueClock {
  /** Milliseconds since 1970 on the venue's clock, as far as it is known. Starts a measurement in the background if one is due. */
  now(): number;
  /** The same, but waits for the first measurement. */
  measured(): Promise<number>;
}

/**
 * The time for signatures, measured at the venue. The clock of this machine is not used, because a venue refuses a signature whose time
 * is far from its own, so a wrong clock here would stop even look-ups.
 *
 * @param ask reads the venue's clock with an unsigned request
 */
export function openVenueClock(ask: () => Promise<Date>): VenueClock {
  const ports = { clock: systemClock, ticks: systemTicks };
  let offset: ClockOffset | undefined;
  let measuring: Promise<void> | undefined;
  let nextAt = 0;

  function measure(): Promise<void> {
    if (measuring === undefined && systemTicks() >= nextAt) {
      measuring = measureOffset(ports, ask)
        .then(
          (found) => {
            offset = found;
            nextAt = systemTicks() + GOOD_MS;
          },
          // the last measurement is used until the next one
          () => {
            nextAt = systemTicks() + RETRY_MS;
          },
        )
        .finally(() => {
          measuring = undefined;
        });
    }
    return measuring ?? Promise.resolve();
  }

  function read(): number {
    const ms = offset === undefined ? 0 : offsetNow(offset, ports);
    return systemClock.now().getTime() + (Math.abs(ms) < LEAST_MS ? 0 : Math.round(ms));
  }

  return {
    now() {
      measure();
      return read();
    },
    async measured() {
      const running = measure();
      if (offset === undefined) {
        await running;
      }
      return read();
    },
  };
}
