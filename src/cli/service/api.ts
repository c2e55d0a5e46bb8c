/** Sends any request to the API and returns its answer unchecked, for scenarios, conformance and health. Commands use `client/`. */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Flags } from '@oclif/core';
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
   * @param path below the base URL.
   * @throws Failure service_unreachable if there is no answer, unexpected_answer if it is not JSON.
   */
  async send<T = unknown>(method: string, path: string, request: Outgoing = {}): Promise<ApiAnswer<T>> {
    const response = await this.open(method, path, request);
    const text = await readText(response).catch(tell);
    return { status: response.status, headers: response.headers, body: parse<T>(text, response) };
  }

  /** The raw response. */
  async open(method: string, path: string, request: Outgoing = {}): Promise<Response> {
    return sendRequest({ baseUrl: this.url, apiKey: this.#key }, method, path, request).catch(tell);
  }
}

function tell(error: unknown): never {
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
 * A long answer of the API as its bytes arrive, over node's own client: half the memory of a web stream for millions of
 * rows. Small answers go through the client.
 *
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
/** If the refusal does not say how long. */
const UNSAID_WAIT_S = 5;

export interface RetryOptions {
  /** Called before each wait. */
  readonly onWait: (seconds: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads of many requests wait when the requests of the minute are used up, as long as the service says and within a limit.
 *
 * @param ask a request that changes nothing, so that it can be repeated.
 * @throws what `ask` throws; the refusal itself if the wait would be too long, or after several waits.
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

// Lists in pages: the flags of a person, and the reading of as many pages of the API as they ask for.

/** @param size rows on a page, unless `--limit` says otherwise. @param most that `--limit` may say */
export const pageFlags = (size: number, most = Number.MAX_SAFE_INTEGER) => ({
  limit: Flags.integer({ helpValue: 'N', default: size, min: 1, max: most, summary: 'Rows on a page.' }),
  page: Flags.integer({
    helpValue: 'N',
    min: 1,
    exclusive: ['all', 'cursor'],
    summary: 'Which page; by default the first.',
  }),
  all: Flags.boolean({ default: false, summary: 'All pages.' }),
  cursor: Flags.string({
    helpValue: 'CURSOR',
    summary: 'Continue after an earlier page, even if rows were added since.',
  }),
});

interface PageChoice {
  readonly limit: number;
  readonly page?: number | undefined;
  readonly all: boolean;
  readonly cursor?: string | undefined;
}

/** For a person: how to get the page after this one. @param next cursor of the next page */
export function nextPage(
  { page = 1, cursor }: { page?: number | undefined; cursor?: string | undefined },
  next: string,
): string {
  return cursor === undefined ? `The next page: --page ${page + 1}` : `The next page:\n--cursor ${next}`;
}

interface Page {
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
  readonly count: number;
}

const LARGEST_PAGE = 200;

/**
 * Reads the chosen page, or all of them, with as many requests as that takes.
 * @param largest items of one request, at most.
 * @returns the last answer with all the items of the page under `name`.
 */
export async function readPages<P extends Page, K extends keyof P>(
  name: K,
  { limit, page = 1, all, cursor }: PageChoice,
  read: (query: { limit: number; cursor: string | undefined }) => Promise<P>,
  largest = LARGEST_PAGE,
): Promise<P> {
  const items: unknown[] = [];
  const skipped = (page - 1) * limit;
  const wanted = all ? Number.POSITIVE_INFINITY : skipped + limit;
  let next = cursor;
  for (;;) {
    const answer = await read({ limit: Math.min(largest, wanted - items.length), cursor: next });
    items.push(...(answer[name] as readonly unknown[]));
    if (!answer.hasMore || answer.nextCursor === null || items.length >= wanted) {
      const shown = items.slice(skipped);
      return { ...answer, [name]: shown, count: shown.length };
    }
    next = answer.nextCursor;
  }
}
