/** The typed client: paths, parameters, bodies and answers are those of the OpenAPI document. It retries nothing. */
import { errorOf } from './api-error.ts';
import type { paths } from './api-types.ts';
import type { Answer, Method, PathOf, RequestOptions } from './operation.ts';
import { type Destination, type Outgoing, ServiceUnreachable, sendRequest } from './transport.ts';

/**
 * `client.get('/api/v1/orders/{id}', { path: { id } })` and its like give the JSON of the answer.
 * Each throws ApiError where the service refused, and ServiceUnreachable where nothing of the kind answered.
 */
export interface InlayClient extends Readonly<Destination> {
  get<P extends PathOf<'get'>>(path: P, ...options: RequestOptions<P, 'get'>): Promise<Answer<P, 'get'>>;
  post<P extends PathOf<'post'>>(path: P, ...options: RequestOptions<P, 'post'>): Promise<Answer<P, 'post'>>;
  put<P extends PathOf<'put'>>(path: P, ...options: RequestOptions<P, 'put'>): Promise<Answer<P, 'put'>>;
  delete<P extends PathOf<'delete'>>(path: P, ...options: RequestOptions<P, 'delete'>): Promise<Answer<P, 'delete'>>;
  /** The answer as it comes, for the export and the price stream. */
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
  // what a method takes and gives is said by the interface; here it is any request
  const by = (method: Method) => async (path: keyof paths, options?: AnyOptions) =>
    readJson(await stream(method, path, options)) as Promise<never>;
  return {
    ...destination,
    get: by('get'),
    post: by('post'),
    put: by('put'),
    delete: by('delete'),
    stream: (path, ...[options]) => stream('get', path, options as AnyOptions),
  };
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ServiceUnreachable(`${response.url} does not answer with JSON (status ${response.status}).`);
  }
}
