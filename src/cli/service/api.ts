/**
 * Requests that the typed client of `client/` does not make: any request with its answer unchecked, for scenarios and conformance; a
 * long answer as a stream; and a read that waits while the service limits the rate.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  type Destination,
  nameBody,
  type Outgoing,
  readText,
  ServiceUnreachable,
  sendRequest,
  UnexpectedAnswer,
  urlOf,
} from '../../client/create-client.ts';
import { asFailure } from '../failure.ts';

export interface ApiAnswer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export class ApiClient {
  readonly url: string;
  readonly #key: string | undefined;

  constructor(url: string, key: string | undefined) {
    this.url = url;
    this.#key = key;
  }

  /**
   * @param path below the base URL
   * @throws Failure service_unreachable if there is no answer, unexpected_answer if it is not JSON.
   */
  async send<T = unknown>(method: string, path: string, request: Outgoing = {}): Promise<ApiAnswer<T>> {
    const response = await this.open(method, path, request);
    const text = await readText(response).catch(rethrow);
    return { status: response.status, headers: response.headers, body: parse<T>(text, response) };
  }

  /** The raw response. */
  async open(method: string, path: string, request: Outgoing = {}): Promise<Response> {
    return sendRequest({ baseUrl: this.url, apiKey: this.#key }, method, path, request).catch(rethrow);
  }
}

function rethrow(error: unknown): never {
  throw error instanceof ServiceUnreachable ? asFailure(error) : error;
}

function parse<T>(text: string, response: Response): T {
  if (text === '') {
    return undefined as T;
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (typeof body !== 'object' || body === null) {
    const { url, status, headers } = response;
    throw asFailure(new UnexpectedAnswer(url, status, nameBody(headers.get('content-type'))));
  }
  return body as T;
}

export interface ApiStream {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: IncomingMessage;
}

/**
 * Requests an answer of any length and returns it while its bytes arrive. Node's own client needs half the memory of a web stream
 * for millions of rows.
 * @throws ServiceUnreachable if there is no answer; the signal's reason if it ended the request.
 */
export function openApiStream(
  { baseUrl, apiKey }: Destination,
  path: string,
  query: Outgoing['query'],
  signal: AbortSignal,
): Promise<ApiStream> {
  const url = urlOf(baseUrl, path, query);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(url, {
      headers: { accept: '*/*', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      signal,
    });
    request.on('error', (error) => {
      reject(signal.aborted ? error : new ServiceUnreachable(`${baseUrl} does not answer.`));
    });
    request.on('response', (body) => {
      resolve({
        status: body.statusCode ?? 0,
        header: (name) => {
          const value = body.headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        body,
      });
    });
    request.end();
  });
}

const LONGEST_WAIT_S = 120;
const MOST_WAITS = 5;
/** For a refusal without the time to wait. */
const UNSAID_WAIT_S = 5;

interface RetryOptions {
  /** Called before each wait. */
  readonly onWait: (seconds: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats a request that the service refuses because the requests of the minute are used up, after the time that the refusal gives.
 * @param ask a request that changes nothing, so that it can be repeated
 * @throws the errors of `ask`; the refusal itself if the wait would be too long, or after several waits
 */
export async function waitForRequests<T>(ask: () => Promise<T>, { onWait, signal }: RetryOptions): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await ask();
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? waitOf(error) : undefined;
      if (seconds === undefined || seconds > LONGEST_WAIT_S || waits === MOST_WAITS) {
        throw error;
      }
      onWait(seconds);
      await sleep(seconds * 1000, undefined, signal === undefined ? {} : { signal });
    }
  }
}

function waitOf({ retryAfterSeconds }: ApiError): number {
  return Math.max(1, Math.ceil(retryAfterSeconds ?? UNSAID_WAIT_S));
}
