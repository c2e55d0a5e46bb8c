/**
 * The database as a simulated process reaches it: the driver's own tagged templates, run on a real connection when the queue
 * says so. A connection may break before or after the statement, hang until its deadline, or run it after the caller gave up.
 */
import type { Sql } from '../../src/db/client.ts';
import type { SimulatedProcess } from './process.ts';

export interface DatabaseFaults {
  /** Shares of statements. */
  readonly brokenBefore: number;
  readonly brokenAfter: number;
  readonly hangs: number;
}

export const SOUND_DATABASE: DatabaseFaults = { brokenBefore: 0, brokenAfter: 0, hangs: 0 };

/** In the name of a statement that runs after its caller gave up. */
export const LATE = ' late ';

/** Deadline of a statement, as the service's own client has one. */
const DEADLINE_MS = 10_000;
const LATE_MS = [1_000, 9_000, 15_000, 45_000] as const;

/** A query that is not sent before somebody awaits it, so that it can be a part of another one. */
class PendingQuery implements PromiseLike<unknown> {
  readonly query: object;
  readonly #send: () => Promise<unknown>;
  #sent: Promise<unknown> | undefined;

  constructor(query: object, send: () => Promise<unknown>) {
    this.query = query;
    this.#send = send;
  }

  #once(): Promise<unknown> {
    this.#sent ??= this.#send();
    return this.#sent;
  }

  // biome-ignore lint/suspicious/noThenProperty: it stands in for the driver's query, which is awaited
  then: PromiseLike<unknown>['then'] = (fulfilled, rejected) => this.#once().then(fulfilled, rejected);
  catch: Promise<unknown>['catch'] = (rejected) => this.#once().catch(rejected);
  finally: Promise<unknown>['finally'] = (settled) => this.#once().finally(settled);
  execute(): this {
    this.#once().catch(() => undefined);
    return this;
  }
}

export function simulatedSql(from: SimulatedProcess): Sql {
  const { network } = from;
  const real = () => network.sql;
  const plain = (value: unknown): unknown => (value instanceof PendingQuery ? value.query : value);
  const pending = (query: PromiseLike<unknown>, text: string) =>
    new PendingQuery(query, () => sendQuery(from, query, text));
  return new Proxy(real(), {
    apply: (_, __, args: unknown[]) => {
      const [head, ...values] = args;
      const query = Reflect.apply(real(), undefined, [head, ...values.map(plain)]) as PromiseLike<unknown>;
      return Array.isArray(head) && 'raw' in head ? pending(query, head.join('$')) : query;
    },
    get: (_, key) => {
      switch (key) {
        case 'unsafe':
          return (text: string, ...rest: unknown[]) =>
            pending(Reflect.apply(real().unsafe, real(), [text, ...rest]) as PromiseLike<unknown>, text);
        case 'listen':
          return async (channel: string, onNotify: (payload: string) => void, onListen?: () => void) => {
            const unlisten = network.listen(from, channel, onNotify, () => {});
            onListen?.();
            return { unlisten: async () => unlisten(), state: {} };
          };
        case 'end':
          return async () => undefined;
        default:
          return Reflect.get(real(), key);
      }
    },
  });
}

function sendQuery(from: SimulatedProcess, query: PromiseLike<unknown>, text: string): Promise<unknown> {
  const { queue, network } = from;
  const { chance, databaseFaults: faults } = network;
  const what = `sql ${text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}`;
  const { epoch } = network;
  return new Promise((resolve, reject) => {
    const answer = (settle: () => void) => queue.post(`answer ${what}`, from, 0, () => from.run(settle));
    const broken = () => answer(() => reject(connectionError('CONNECTION_CLOSED')));
    const run = async () => {
      // a statement of a connection to the server that failed is gone with it
      if (epoch !== network.epoch) {
        broken();
        return;
      }
      try {
        const value = await network.execute(query, text);
        if (chance.happens(faults.brokenAfter)) {
          broken();
        } else {
          answer(() => resolve(value));
        }
      } catch (error) {
        answer(() => reject(error));
      }
    };
    if (chance.happens(faults.hangs)) {
      queue.post(`deadline ${what}`, from, DEADLINE_MS, () =>
        from.run(() => reject(connectionError('CONNECTION_CLOSED'))),
      );
      if (chance.happens(0.5)) {
        queue.post(`${from.name}${LATE}${what}`, null, chance.pick(LATE_MS), run);
      }
      return;
    }
    queue.post(`${from.name} ${what}`, null, 0, () => {
      if (chance.happens(faults.brokenBefore)) {
        broken();
        return undefined;
      }
      return run();
    });
  });
}

export function connectionError(code: string): Error {
  return Object.assign(new Error(`write ${code} simulated`), { code, errno: code, address: 'simulated' });
}
