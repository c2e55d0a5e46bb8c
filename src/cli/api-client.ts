/** The API as partner commands call it: JSON in, JSON out, refusals as failures with their exit codes. It retries nothing on its own. */
import { ERRORS, EXIT, isErrorCode } from '../core/errors.ts';
import { Failure } from './failure.ts';

export interface ApiRequest {
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** Sent as X-Service-User. */
  readonly user?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

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

  /** The raw response, for streams. */
  async open(method: string, path: string, request: ApiRequest = {}): Promise<Response> {
    const url = new URL(`${this.url}${path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) {
        url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
      }
    }
    const headers: Record<string, string> = { accept: 'application/json', ...request.headers };
    if (this.#key !== undefined) {
      headers['authorization'] ??= `Bearer ${this.#key}`;
    }
    if (request.user !== undefined) {
      // a header holds bytes: an id beyond ASCII travels as its UTF-8
      headers['x-service-user'] = Buffer.from(request.user, 'utf8').toString('latin1');
    }
    if (request.body !== undefined) {
      headers['content-type'] = 'application/json';
    }
    try {
      return await fetch(url, {
        method,
        headers,
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
    } catch (error) {
      if (request.signal?.aborted === true) {
        throw error;
      }
      throw new Failure('service_unreachable', `${this.url} does not answer.`);
    }
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
