/** The API as partner commands call it: JSON in, JSON out, refusals as failures with their exit codes. It retries nothing on its own. */
import { type Outgoing, ServiceUnreachable, sendRequest } from '../client/transport.ts';
import { ERRORS, EXIT, isErrorCode } from '../core/errors.ts';
import { type ApiStream, openApiStream } from './api-stream.ts';
import { Failure } from './failure.ts';

export type ApiRequest = Outgoing;

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

  /** @param path below the base URL, `/api/v1/...`. */
  get<T = Record<string, unknown>>(path: string, request: ApiRequest = {}): Promise<T> {
    return this.#body<T>('GET', path, request);
  }

  post<T = Record<string, unknown>>(path: string, body: unknown, request: ApiRequest = {}): Promise<T> {
    return this.#body<T>('POST', path, { ...request, body });
  }

  put<T = Record<string, unknown>>(path: string, body: unknown, request: ApiRequest = {}): Promise<T> {
    return this.#body<T>('PUT', path, { ...request, body });
  }

  delete<T = Record<string, unknown>>(path: string, request: ApiRequest = {}): Promise<T> {
    return this.#body<T>('DELETE', path, request);
  }

  /** The answer whatever its status, for callers that judge it themselves. */
  async send<T = unknown>(method: string, path: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    const response = await this.open(method, path, request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse<T>(text, response) };
  }

  /** An answer of any length, as its bytes arrive. */
  stream(path: string, query: NonNullable<ApiRequest['query']>, signal: AbortSignal): Promise<ApiStream> {
    return openApiStream(this.#urlOf(path, query), this.#key, signal);
  }

  /** The raw response, for streams. */
  async open(method: string, path: string, request: ApiRequest = {}): Promise<Response> {
    try {
      return await sendRequest({ url: this.url, apiKey: this.#key }, method, path, request);
    } catch (error) {
      if (error instanceof ServiceUnreachable) {
        throw new Failure('service_unreachable', error.message);
      }
      throw error;
    }
  }

  #urlOf(path: string, query: NonNullable<ApiRequest['query']>): URL {
    const url = new URL(`${this.url}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
      }
    }
    return url;
  }

  async #body<T>(method: string, path: string, request: ApiRequest): Promise<T> {
    const answer = await this.send<T>(method, path, request);
    if (answer.status >= 400) {
      throw refusalOf(answer);
    }
    return answer.body;
  }
}

/** An error answer as a failure: the API's own code and message, its extra fields kept. */
export function refusalOf(answer: ApiAnswer<unknown>): Failure {
  const body = (typeof answer.body === 'object' && answer.body !== null ? answer.body : {}) as Record<string, unknown>;
  const { error, message, ...extra } = body;
  const code = typeof error === 'string' ? error : 'internal_error';
  return new Failure(code, typeof message === 'string' ? message : `The service answered ${answer.status}.`, {
    exitCode: isErrorCode(code) ? ERRORS[code].exitCode : exitCodeOf(answer.status),
    extra,
  });
}

function exitCodeOf(status: number): number {
  switch (status) {
    case 401:
    case 403:
      return EXIT.notAuthorised;
    case 404:
      return EXIT.notFound;
    case 429:
      return EXIT.rateLimited;
    default:
      return EXIT.refused;
  }
}

function parse<T>(text: string, response: Response): T {
  if (text === '') {
    return undefined as T;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Failure('service_unreachable', `${response.url} does not answer with JSON (status ${response.status}).`);
  }
}
