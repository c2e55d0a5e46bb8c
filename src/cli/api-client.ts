/** Any request to the API and its answer as it is, for callers that judge it themselves: scenarios, conformance, health. Commands use `client/`. */
import { type Outgoing, ServiceUnreachable, sendRequest } from '../client/transport.ts';
import { Failure } from './failure.ts';

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
   * @throws Failure service_unreachable where nobody answers, or not with JSON.
   */
  async send<T = unknown>(method: string, path: string, request: Outgoing = {}): Promise<ApiAnswer<T>> {
    const response = await this.open(method, path, request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse<T>(text, response) };
  }

  /** The raw response. */
  async open(method: string, path: string, request: Outgoing = {}): Promise<Response> {
    try {
      return await sendRequest({ baseUrl: this.url, apiKey: this.#key }, method, path, request);
    } catch (error) {
      if (error instanceof ServiceUnreachable) {
        throw new Failure('service_unreachable', error.message);
      }
      throw error;
    }
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
