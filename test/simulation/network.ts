/** What connects the processes of one simulated world: the database, its notifications, and hosts that answer HTTP. */
import type { Sql } from '../../src/db/client.ts';
import type { Chance } from '../support/random.ts';
import type { SimulatedProcess } from './process.ts';
import type { Queue } from './queue.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { type DatabaseFaults, SOUND_DATABASE } from './simulated-sql.ts';
import { type Faults, NO_FAULTS } from './wire.ts';

export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  /** Besides the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns null where it never answers. */
export type Host = (request: HttpRequest) => HttpAnswer | null;

interface Subscription {
  readonly process: SimulatedProcess;
  readonly channel: string;
  readonly onNotify: (payload: string) => void;
  /** Its connection is gone. */
  readonly onLost: () => void;
}

const NOTIFICATION_DELAYS_MS = [0, 0, 0, 30, 900, 5_000] as const;

export class Network {
  readonly queue: Queue;
  readonly chance: Chance;
  readonly hosts = new Map<string, Host>();
  databaseFaults: DatabaseFaults = SOUND_DATABASE;
  httpFaults: Faults = NO_FAULTS;
  /** Share of HTTP calls whose connection is never made. */
  refusedConnections = 0;
  /** Above 0: connections take their time to be made. */
  slowConnections = 0;
  /** Share of notifications that never arrive, and that arrive twice. */
  lostNotifications = 0;
  /** Counts fail-overs: connections made before one are gone. */
  epoch = 0;
  readonly #database: SimulatedDatabase;
  readonly #subscriptions = new Set<Subscription>();
  #databaseMs = 0;

  constructor(queue: Queue, database: SimulatedDatabase) {
    this.queue = queue;
    this.chance = queue.chance;
    this.#database = database;
  }

  get sql(): Sql {
    return this.#database.sql;
  }

  /** Runs a statement by the database's clock, which is the true time, and sends off what it notified. */
  async execute(query: PromiseLike<unknown>, text: string): Promise<unknown> {
    await this.setTime();
    const result = await query;
    if (text.includes('pg_notify')) {
      for (const { channel, payload } of await this.#database.takeNotices()) {
        this.#notify(channel, payload);
      }
    }
    return result;
  }

  async setTime(): Promise<void> {
    if (this.#databaseMs !== this.queue.nowMs) {
      this.#databaseMs = this.queue.nowMs;
      await this.#database.setTime(this.#databaseMs);
    }
  }

  snapshot(): Promise<void> {
    return this.#database.snapshot();
  }

  /** The database goes on from the last snapshot; every connection is lost. */
  async failOver(): Promise<void> {
    this.epoch += 1;
    await this.#database.failOver();
    this.#databaseMs = 0;
    await this.setTime();
    for (const subscription of this.#subscriptions) {
      const { process, onLost } = subscription;
      this.#subscriptions.delete(subscription);
      this.queue.post('listener lost', process, 0, () => process.run(onLost));
    }
  }

  /** @returns a function that ends it. */
  listen(
    process: SimulatedProcess,
    channel: string,
    onNotify: (payload: string) => void,
    onLost: () => void,
  ): () => void {
    const subscription = { process, channel, onNotify, onLost };
    this.#subscriptions.add(subscription);
    return () => this.#subscriptions.delete(subscription);
  }

  forget(process: SimulatedProcess): void {
    for (const subscription of this.#subscriptions) {
      if (subscription.process === process) {
        this.#subscriptions.delete(subscription);
      }
    }
  }

  #notify(channel: string, payload: string): void {
    for (const subscription of this.#subscriptions) {
      if (subscription.channel !== channel) {
        continue;
      }
      const { process, onNotify } = subscription;
      const arrive = () =>
        this.queue.post(`notified ${channel}`, process, this.chance.pick(NOTIFICATION_DELAYS_MS), () => {
          if (this.#subscriptions.has(subscription)) {
            process.run(() => onNotify(payload));
          }
        });
      if (!this.chance.happens(this.lostNotifications)) {
        arrive();
      }
      if (this.chance.happens(this.lostNotifications)) {
        arrive();
      }
    }
  }
}
