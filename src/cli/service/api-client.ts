/** Sends any request to the API and returns its answer unchecked, for scenarios, conformance and health. Commands use `client/`. */
import {
  nameBody,
  type Outgoing,
  readText,
  ServiceUnreachable,
  sendRequest,
  UnexpectedAnswer,
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
