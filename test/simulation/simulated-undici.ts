/** Stands in for `undici` under the service's HTTP clients: requests travel through the world's queue to its hosts. */

import type { HttpAnswer, HttpRequest } from './network.ts';
import { type SimulatedProcess, thisProcess } from './process.ts';
import { callOver } from './wire.ts';

interface RequestOptions {
  readonly method: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | null;
}

interface DispatchOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

interface Handler {
  onRequestStart(controller: { abort(reason: Error): void }): void;
  onResponseStart(controller: { abort(reason: Error): void }, status: number): void;
  onResponseData(controller: { abort(reason: Error): void }, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: null, error: Error): void;
}

export class Agent {
  readonly #process: SimulatedProcess = thisProcess();

  dispatch(options: DispatchOptions, handler: Handler): boolean {
    let aborted = false;
    const controller = {
      abort: () => {
        aborted = true;
      },
    };
    handler.onRequestStart(controller);
    exchange(this.#process, options.origin, {
      method: options.method,
      path: options.path,
      headers: options.headers,
      body: String(options.body),
    }).then(
      ({ status, body }) => {
        if (!aborted) {
          handler.onResponseStart(controller, status);
          handler.onResponseData(controller, Buffer.from(body));
          handler.onResponseEnd();
        }
      },
      (error: Error) => {
        if (!aborted) {
          handler.onResponseError(null, error);
        }
      },
    );
    return true;
  }

  async close(): Promise<void> {}
  async destroy(): Promise<void> {}
}

export const buildConnector = () => () => undefined;

export async function request(url: string | URL, options: RequestOptions) {
  const { origin, pathname, search } = new URL(url);
  const answered = exchange(thisProcess(), origin, {
    method: options.method,
    path: pathname + search,
    headers: options.headers ?? {},
    body: String(options.body ?? ''),
  });
  const { status, body } = await untilAborted(answered, options.signal);
  return {
    statusCode: status,
    headers: {},
    body: { text: async () => body, json: async () => JSON.parse(body) as unknown, dump: async () => undefined },
  };
}

function exchange(from: SimulatedProcess, origin: string, message: HttpRequest): Promise<HttpAnswer> {
  const { network, queue } = from;
  const { chance } = network;
  const what = `http ${message.method} ${message.path.slice(0, 60)}`;
  const host = network.hosts.get(origin);
  if (host === undefined || chance.happens(network.refusedConnections)) {
    return new Promise((_, reject) => {
      const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      queue.post(`refused ${what}`, from, 0, () => from.run(() => reject(error)));
    });
  }
  return callOver(from, chance, network.httpFaults, {
    what,
    arrive: () => host(message),
  });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return work;
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
  });
}
