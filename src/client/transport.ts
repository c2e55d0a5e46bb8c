/** Sends one request to the API with key, customer, query and body. It does not retry and does not check the answer. */

export interface Destination {
  /** Base URL of the service, with or without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined: no credential is sent. */
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

/** The service did not answer. The request may have been carried out; repeat it with the same clientOrderId. */
export class ServiceUnreachable extends Error {
  override name = 'ServiceUnreachable';
}

/**
 * Something other than the service answered: a proxy, a login page, another program. The request may have been carried out
 * all the same, as with any lost answer.
 */
export class UnexpectedAnswer extends ServiceUnreachable {
  override name = 'UnexpectedAnswer';
  readonly status: number;

  /** @param what it is instead, as in "answered 200 with ...". */
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

/** Describes a body that is not our JSON. */
export function nameBody(contentType: string | null | undefined): string {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html') {
    return 'a web page';
  }
  return type === '' || !/^[\w.+-]+\/[\w.+-]+$/.test(type) ? 'something' : type === 'application/json' ? 'JSON' : type;
}

/**
 * @param path below the base URL, `/api/v1/...`.
 * @throws ServiceUnreachable; UnexpectedAnswer for a redirect; the signal's own reason if it ended the request.
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

/** @throws ServiceUnreachable if the answer is cut off; what the signal of the request threw. */
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
 * The whole address of a request.
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
