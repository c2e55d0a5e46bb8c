/**
 * Stands in for `undici` under the service's HTTP clients: everything of it is real but the sockets, whose requests travel
 * through the world's queue to its hosts.
 */
import { Dispatcher } from 'undici';
import type { HttpAnswer } from './network.ts';
import { type SimulatedProcess, thisProcess } from './process.ts';
import { callOver } from './wire.ts';

export { request } from 'undici';

const CONNECT_MS = [0, 0, 0, 0, 100, 1_500] as const;

export class Agent extends Dispatcher {
  readonly #process: SimulatedProcess = thisProcess();

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new SimulatedExchange(this.#process, options, handler);
    exchange.connect();
    return true;
  }

  override async close(): Promise<void> {}
  override async destroy(): Promise<void> {}
}

export const buildConnector = () => () => undefined;

/** One request on a connection of its own, and what becomes of it. */
class SimulatedExchange implements Dispatcher.DispatchController {
  readonly #process: SimulatedProcess;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #handler: Dispatcher.DispatchHandler;
  aborted = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders = null;
  rawTrailers = null;

  constructor(process: SimulatedProcess, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    this.#process = process;
    this.#options = options;
    this.#handler = handler;
  }

  abort(reason: Error): void {
    if (!this.aborted) {
      this.aborted = true;
      this.reason = reason;
      this.#handler.onResponseError?.(this, reason);
    }
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  connect(): void {
    const { network, queue } = this.#process;
    const { chance } = network;
    const host = network.hosts.get(String(this.#options.origin));
    const refused = host === undefined || chance.happens(network.refusedConnections);
    const delayMs = network.slowConnections > 0 ? chance.pick(CONNECT_MS) : 0;
    queue.post(refused ? 'connection refused' : 'connected', this.#process, delayMs, () =>
      this.#process.run(() => {
        if (refused) {
          this.abort(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
        } else {
          this.#send();
        }
      }),
    );
  }

  #send(): void {
    try {
      this.#handler.onRequestStart?.(this, {});
    } catch (error) {
      this.abort(error as Error);
    }
    if (this.aborted) {
      return;
    }
    const { network } = this.#process;
    const { method, path, origin, headers, body } = this.#options;
    const host = network.hosts.get(String(origin));
    const message = { method, path, headers: (headers ?? {}) as Record<string, string>, body: String(body ?? '') };
    void callOver(this.#process, network.chance, network.httpFaults, {
      what: `http ${method} ${path.slice(0, 60)}`,
      arrive: () => host?.(message) ?? null,
    }).then((answer) => this.#answer(answer));
  }

  #answer({ status, headers, body }: HttpAnswer): void {
    if (this.aborted) {
      return;
    }
    this.#handler.onResponseStart?.(this, status, { 'content-type': 'application/json', ...headers });
    this.#handler.onResponseData?.(this, Buffer.from(body));
    this.#handler.onResponseEnd?.(this, {});
  }
}
