/** Stands in for the connection that the service holds to listen on: notifications come through the world's queue. */
import { EventEmitter } from 'node:events';
import type { SimulatedProcess } from './process.ts';
import { thisProcess } from './process.ts';
import { connectionError } from './simulated-sql.ts';

export class HostedClient extends EventEmitter {
  readonly #process: SimulatedProcess = thisProcess();
  readonly #unlisten: (() => void)[] = [];

  async connect(): Promise<void> {
    await this.#roundTrip('connect');
  }

  escapeIdentifier(name: string): string {
    return name;
  }

  async query(text: string): Promise<{ rows: never[] }> {
    await this.#roundTrip(text);
    const channel = /^listen (\S+)$/i.exec(text)?.[1];
    if (channel === undefined) {
      // a heartbeat
      return { rows: [] };
    }
    const { network } = this.#process;
    this.#unlisten.push(
      network.listen(
        this.#process,
        channel,
        (payload) => this.emit('notification', { channel, payload }),
        () => this.emit('end'),
      ),
    );
    return { rows: [] };
  }

  async close(): Promise<void> {
    this.destroy();
  }

  destroy(): void {
    for (const unlisten of this.#unlisten.splice(0)) {
      unlisten();
    }
  }

  #roundTrip(what: string): Promise<void> {
    const from = this.#process;
    const { chance, databaseFaults } = from.network;
    const breaks = chance.happens(databaseFaults.brokenBefore);
    return new Promise((resolve, reject) =>
      from.queue.post(`listener ${what}`, from, 0, () =>
        from.run(breaks ? () => reject(connectionError('CONNECTION_CLOSED')) : resolve),
      ),
    );
  }
}
