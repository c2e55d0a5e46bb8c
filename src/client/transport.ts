/** One request to the API as it travels: key, customer, query and body in their places. It retries nothing and judges no answer. */

export interface Destination {
  /** Base URL of the service, with or without a slash at its end. */
  readonly url: string;
  /** Undefined: no credential is sent. */
  readonly apiKey?: string | undefined;
}

export interface Outgoing {
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as X-Service-User. */
  readonly user?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The service did not answer. Whether it did what was asked is not known; ask again under the same clientOrderId. */
export class ServiceUnreachable extends Error {
  override name = 'ServiceUnreachable';
}

/**
 * @param path below the base URL, `/api/v1/...`.
 * @throws ServiceUnreachable; the signal's own reason where that ended it.
 */
export async function sendRequest(
  { url: base, apiKey }: Destination,
  method: string,
  path: string,
  { query = {}, body, user, headers: extra, signal }: Outgoing = {},
): Promise<Response> {
  const url = new URL(`${base.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
    }
  }
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
  return reach(base, signal, () =>
    fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

/** A header holds bytes: an id beyond ASCII travels as its UTF-8. */
export function userHeader(externalUserId: string): string {
  return Buffer.from(externalUserId, 'utf8').toString('latin1');
}

export async function reach(
  base: string,
  signal: AbortSignal | undefined,
  send: () => Promise<Response>,
): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (signal?.aborted === true) {
      throw error;
    }
    throw new ServiceUnreachable(`${base} does not answer.`);
  }
}
