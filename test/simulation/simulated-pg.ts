/** Stands in for `pg` where the service holds a connection of its own to listen on: notifications come through the world's queue. */
import { EventEmitter } from 'node:events';
import type { SimulatedProcess } from './process.ts';
import { thisProcess } from './process.ts';

class Client extends EventEmitter {
  readonly #process: SimulatedProcess = thisProcess();
  readonly #unlisten: (() => void)[] = [];

  async connect(): Promise<void> {
    await this.#roundTrip('connect');
  }

  escapeIdentifier(name: string): string {
    return name;
  }

  async query(text: string): Promise<{ rows: never[] }> {
    const channel = /^listen (\S+)$/i.exec(text.trim())?.[1]?.replaceAll('"', '');
    if (channel === undefined) {
      throw new Error(`the simulated connection only listens: ${text}`);
    }
    await this.#roundTrip(text);
    const { network } = this.#process;
    this.#unlisten.push(
      network.listen(this.#process, channel, (payload) => this.emit('notification', { channel, payload })),
    );
    return { rows: [] };
  }

  async end(): Promise<void> {
    for (const unlisten of this.#unlisten.splice(0)) {
      unlisten();
    }
  }

  #roundTrip(what: string): Promise<void> {
    const from = this.#process;
    return new Promise((resolve) => from.queue.post(`listener ${what}`, from, 0, () => from.run(resolve)));
  }
}

export default { Client };
