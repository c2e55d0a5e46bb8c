/** The typed client: openapi-fetch over the partner's operations, with the key in its place. It retries nothing. */
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { Operations } from './operations.ts';
import { type Destination, reach } from './transport.ts';

export type InlayClient = Client<Operations, 'application/json'>;

/** A refusal of the API, thrown by `expectData`. */
export class ApiRefusal extends Error {
  override name = 'ApiRefusal';
  /** Branch on it. */
  readonly code: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: { readonly error?: unknown; readonly message?: unknown }) {
    super(typeof body.message === 'string' ? body.message : `The service answered ${status}.`);
    this.code = typeof body.error === 'string' ? body.error : 'internal_error';
    this.status = status;
    this.body = { ...body };
  }
}

/**
 * `client.GET('/api/v1/orders/{id}', { params: { path: { id } } })` and its like answer `{ data, error, response }`.
 * @throws ServiceUnreachable from each call where nothing answers.
 */
export function createInlayClient({ url, apiKey }: Destination): InlayClient {
  const client = createFetchClient<Operations, 'application/json'>({
    baseUrl: url.replace(/\/+$/, ''),
    fetch: (request) => reach(url, request.signal, () => fetch(request)),
  });
  const credential: Middleware = {
    onRequest({ request }) {
      if (apiKey !== undefined) {
        request.headers.set('authorization', `Bearer ${apiKey}`);
      }
      return request;
    },
  };
  client.use(credential);
  return client;
}

/** The data of an answer. @throws ApiRefusal where it was refused. */
export async function expectData<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await answer;
  if (data === undefined || data === null) {
    throw new ApiRefusal(response.status, typeof error === 'object' && error !== null ? error : {});
  }
  return data;
}
