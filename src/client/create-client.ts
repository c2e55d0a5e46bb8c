/** The typed client: paths, parameters, bodies and answers are those of the OpenAPI document. It does not retry. */
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { ANSWER_FIELDS } from './answer-fields.ts';
import { errorOf } from './api-error.ts';
import type { paths } from './api-types.ts';
import type { Answer, Method, PathOf, RequestOptions } from './operation.ts';
import { type Destination, nameBody, type Outgoing, readText, sendRequest, UnexpectedAnswer } from './transport.ts';

/**
 * `client.get('/api/v1/orders/{id}', { path: { id } })` and its siblings return the JSON of the answer.
 * Each throws ApiError if the service refuses, ServiceUnreachable if there is no answer, and its subclass UnexpectedAnswer
 * if something else answers.
 */
export interface InlayClient extends Readonly<Destination> {
  get<P extends PathOf<'get'>>(path: P, ...options: RequestOptions<P, 'get'>): Promise<Answer<P, 'get'>>;
  post<P extends PathOf<'post'>>(path: P, ...options: RequestOptions<P, 'post'>): Promise<Answer<P, 'post'>>;
  put<P extends PathOf<'put'>>(path: P, ...options: RequestOptions<P, 'put'>): Promise<Answer<P, 'put'>>;
  delete<P extends PathOf<'delete'>>(path: P, ...options: RequestOptions<P, 'delete'>): Promise<Answer<P, 'delete'>>;
  /** The streamed answer, for the export and the price stream. */
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

/** @throws UnexpectedAnswer if it is not an answer of the operation. */
async function readAnswer(response: Response, fields: readonly string[]): Promise<unknown> {
  const answer = parse(await readText(response));
  if (!isJsonObject(answer) || !fields.every((field) => holds(answer, field))) {
    throw new UnexpectedAnswer(response.url, response.status, nameBody(response.headers.get('content-type')));
  }
  return answer;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
