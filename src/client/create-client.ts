/**
 * The typed client, with the paths, parameters, bodies and responses of the OpenAPI document, and the errors and the single request on
 * which it rests. It does not retry, and it sends the key to no origin but that of the service.
 */
import { ERRORS, type ErrorCode, isErrorCode } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { ANSWER_FIELDS } from './answer-fields.ts';
import type { paths } from './api-types.ts';
import type { Answer, Method, PathOf, RequestOptions } from './shapes.ts';

export interface Destination {
  /** Base URL of the service, with or without a trailing slash. */
  readonly baseUrl: string;
  /** If undefined, no credential is sent. */
  readonly apiKey?: string | undefined;
}

export interface Outgoing {
  /** A list is sent by repeating the name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as X-Service-User. */
  readonly user?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * `client.get('/api/v1/orders/{id}', { path: { id } })` and its siblings return the JSON of the response. Each throws ApiError if the
 * service refuses, ServiceUnreachable if there is no response, and its subclass UnexpectedAnswer if another program responds.
 */
export interface InlayClient extends Readonly<Destination> {
  get<P extends PathOf<'get'>>(path: P, ...options: RequestOptions<P, 'get'>): Promise<Answer<P, 'get'>>;
  post<P extends PathOf<'post'>>(path: P, ...options: RequestOptions<P, 'post'>): Promise<Answer<P, 'post'>>;
  put<P extends PathOf<'put'>>(path: P, ...options: RequestOptions<P, 'put'>): Promise<Answer<P, 'put'>>;
  delete<P extends PathOf<'delete'>>(path: P, ...options: RequestOptions<P, 'delete'>): Promise<Answer<P, 'delete'>>;
  /** The streamed response, for the export and the price stream. */
  stream<P extends PathOf<'get'>>(path: P, ...options: RequestOptions<P, 'get'>): Promise<Response>;
}

interface AnyOptions extends Outgoing {
  readonly path?: Readonly<Record<string, string>>;
}

/** @param destination `{ baseUrl, apiKey }`. */
export function createClient(destination: Destination): InlayClient {
  const stream = async (method: Method, path: keyof paths, { path: names = {}, ...outgoing }: AnyOptions = {}) => {
    const whole = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
    const response = await sendRequest(destination, method.toUpperCase(), whole, outgoing);
    if (!response.ok) {
      throw await errorOf(response);
    }
    return response;
  };
  // the interface has the types of each method; here it is any request
  const by = (method: Method) => async (path: keyof paths, options?: AnyOptions) =>
    readAnswer(await stream(method, path, options), ANSWER_FIELDS[`${method} ${path}`] ?? []) as Promise<never>;
  return {
    ...destination,
    get: by('get'),
    post: by('post'),
    put: by('put'),
    delete: by('delete'),
    stream: (path, ...[options]) => stream('get', path, options as AnyOptions),
  };
}

/** @throws UnexpectedAnswer if it is not a response of the operation */
async function readAnswer(response: Response, fields: readonly string[]): Promise<unknown> {
  const answer = readObject(await readText(response));
  if (answer === undefined || !fields.every((field) => holds(answer, field))) {
    throw new UnexpectedAnswer(response.url, response.status, nameBody(response.headers.get('content-type')));
  }
  return answer;
}

function holds(answer: JsonObject, field: string): boolean {
  const [name = '', item] = field.split('[]');
  const value = answer[name];
  if (item === undefined) {
    return value !== undefined;
  }
  const first = item.slice(1);
  return Array.isArray(value) && value.every((one) => isJsonObject(one) && (first === '' || one[first] !== undefined));
}

export class ApiError extends Error {
  override name = 'ApiError';
  /** Branch on it, never on the message. */
  readonly code: ErrorCode | (string & Record<never, never>);
  readonly status: number;
  /** Give it to support; undefined if another program than the service responded. */
  readonly requestId: string | undefined;
  /** The cause is temporary: the same request may succeed later, an order with the same clientOrderId. */
  readonly retryable: boolean;
  /** With `rate_limited` and 503: seconds until the next request is accepted. */
  readonly retryAfterSeconds: number | undefined;
  /** The body of the response, with the fields that some codes add. */
  readonly body: JsonObject;

  constructor(status: number, requestId: string | undefined, body: unknown) {
    const fields = isJsonObject(body) ? { ...body } : {};
    const { error, message, retryAfterSeconds } = fields;
    super(typeof message === 'string' ? message : `The service answered ${status}.`);
    this.code = typeof error === 'string' ? error : 'internal_error';
    this.status = status;
    this.requestId = requestId;
    this.retryable = isErrorCode(this.code) && typeof error === 'string' ? ERRORS[this.code].retryable : status >= 500;
    this.retryAfterSeconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined;
    this.body = fields;
  }
}

const OUR_REQUEST = /^req_/;

/**
 * @param response a response that refuses; its body is read here
 * @returns the refusal, or UnexpectedAnswer if another program than the service responded
 */
async function errorOf(response: Response): Promise<ApiError | UnexpectedAnswer> {
  const { status, headers, url } = response;
  return toRefusal({ status, url, header: (name) => headers.get(name) ?? undefined, text: await readText(response) });
}

/** @returns the error that `errorOf` returns, for a response that did not come over `fetch` */
export function toRefusal(answer: {
  readonly status: number;
  readonly url: string;
  readonly text: string;
  header(name: string): string | undefined;
}): ApiError | UnexpectedAnswer {
  const { status, url, text, header } = answer;
  const requestId = header('x-request-id');
  const body = readObject(text);
  if (requestId !== undefined && OUR_REQUEST.test(requestId)) {
    return new ApiError(status, requestId, body);
  }
  if (typeof body?.['error'] === 'string' && typeof body['message'] === 'string') {
    return new ApiError(status, requestId, body);
  }
  if (status === 429) {
    // a proxy may refuse for the rate too
    const retryAfterSeconds = Number(header('retry-after') ?? Number.NaN);
    const isKnown = Number.isFinite(retryAfterSeconds) && retryAfterSeconds > 0;
    return new ApiError(status, requestId, { error: 'rate_limited', ...(isKnown && { retryAfterSeconds }) });
  }
  return new UnexpectedAnswer(url, status, nameBody(header('content-type')));
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The service did not respond. The request may have been carried out; repeat it with the same clientOrderId. */
export class ServiceUnreachable extends Error {
  override name = 'ServiceUnreachable';
}

/**
 * Another program than the service responded: a proxy, a login page. The request may have been carried out all the same, as with any lost
 * response.
 */
export class UnexpectedAnswer extends ServiceUnreachable {
  override name = 'UnexpectedAnswer';
  readonly status: number;

  /** @param what describes the body, as in "answered 200 with ..." */
  constructor(url: string, status: number, what: string) {
    super(`${URL.parse(url)?.origin ?? url} answered ${status} with ${what}, which is not an answer of Inlay.`);
    this.status = status;
  }
}

/** The path does not belong to the service; nothing was sent. */
export class ForeignAddress extends Error {
  override name = 'ForeignAddress';
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** @returns a few words for a body that is not our JSON */
export function nameBody(contentType: string | null | undefined): string {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html') {
    return 'a web page';
  }
  return type === '' || !/^[\w.+-]+\/[\w.+-]+$/.test(type) ? 'something' : type === 'application/json' ? 'JSON' : type;
}

/**
 * Sends one request and does not check its response.
 * @param path below the base URL, `/api/v1/...`
 * @throws ServiceUnreachable; UnexpectedAnswer for a redirect; the signal's own reason if it ended the request
 */
export async function sendRequest(
  { baseUrl, apiKey }: Destination,
  method: string,
  path: string,
  { query, body, user, headers: extra, signal }: Outgoing = {},
): Promise<Response> {
  const url = urlOf(baseUrl, path, query);
  const headers: Record<string, string> = { accept: 'application/json', ...extra };
  if (apiKey !== undefined) {
    headers['authorization'] ??= `Bearer ${apiKey}`;
  }
  if (user !== undefined) {
    headers['x-service-user'] = userHeader(user);
  }
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
  }
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers,
      // followed, a redirect would take the customer and the body to wherever it leads
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) {
      throw error;
    }
    throw new ServiceUnreachable(`${baseUrl} does not answer.`);
  }
  if (REDIRECTS.has(response.status)) {
    await response.body?.cancel();
    throw new UnexpectedAnswer(String(url), response.status, 'a redirect');
  }
  return response;
}

/** @throws ServiceUnreachable if the response is cut off; the reason of the request's signal if it ended the request */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    if (error instanceof TypeError) {
      throw new ServiceUnreachable(`${URL.parse(response.url)?.origin ?? response.url} ended its answer early.`);
    }
    throw error;
  }
}

/**
 * @returns the whole address of a request
 * @throws ForeignAddress if the path leads to another origin than that of the service (`:81/x`, `@evil.example/x`): the key would go there.
 */
export function urlOf(baseUrl: string, path: string, query: Outgoing['query'] = {}): URL {
  const url = URL.parse(`${baseUrl.replace(/\/+$/, '')}${path}`);
  const service = new URL(baseUrl);
  if (url === null || url.origin !== service.origin || url.username !== service.username) {
    throw new ForeignAddress(`The path ${JSON.stringify(path)} leads away from ${service.origin}.`);
  }
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) {
        url.searchParams.append(name, String(one));
      }
    }
  }
  return url;
}

/** A header contains bytes: an id outside ASCII is sent as UTF-8. */
function userHeader(externalUserId: string): string {
  return Buffer.from(externalUserId, 'utf8').toString('latin1');
}
