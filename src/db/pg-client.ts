/**
 * node-postgres clients and pools for work that needs a separate connection: LISTEN, exports, migrations, jobs. They accept an address with
 * several hosts, which node-postgres does not support, and wait only a few seconds for a connection.
 */
import pg from 'pg';
import { readDatabaseUrl, type WantedState } from '../core/environment.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;
const CLOSE_MS = 1_000;

type Connected = (error: Error | null) => void;

/** Connects to the first host of its address that responds and has the wanted state. */
export class HostedClient extends pg.Client {
  readonly #url: string;

  constructor(config: pg.ClientConfig = {}) {
    const url = config.connectionString ?? '';
    super({ ...withDefaults(config), connectionString: firstOf(url) });
    this.#url = url;
    // A connection can end between its start and the moment at which its user adds a listener; that must not end the
    // process. The user gets the error from the next query.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.Client> | undefined {
    const connecting = this.#choose()
      .then(() => super.connect())
      .catch(nameLateness);
    if (connected === undefined) {
      return connecting;
    }
    connecting.then(() => connected(null), connected);
    return undefined;
  }

  /** Closes the connection in order; a server that does not respond is abandoned. */
  async close(): Promise<void> {
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([this.end().catch(() => {}), tooLate]);
    clearTimeout(timer);
    this.destroy();
  }

  /** Closes the socket at once. There is no other way to stop a query in progress or a server that does not respond. */
  destroy(): void {
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } };
    connection.stream.destroy();
  }

  /** @throws the error of the last host */
  async #choose(): Promise<void> {
    const { hosts, wanted, withHost } = readDatabaseUrl(this.#url);
    if (hosts.length === 1 && wanted === 'any') {
      return;
    }
    let failure: unknown;
    for (const host of hosts) {
      try {
        if (await isInState(withHost(host), wanted)) {
          this.host = host.name;
          this.port = host.port;
          return;
        }
        failure ??= Object.assign(new Error(`no host of the address is ${wanted}`), { code: 'NO_SUITABLE_HOST' });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

/** Adds the code of postgres.js, because node-postgres gives the error of a host that does not respond in time no code. */
function nameLateness(error: unknown): never {
  if (error instanceof Error && error.message === 'timeout expired') {
    throw Object.assign(
      new Error(`PostgreSQL did not answer within ${CONNECT_TIMEOUT_MS / 1000} seconds`, { cause: error }),
      {
        code: 'CONNECT_TIMEOUT',
      },
    );
  }
  throw error;
}

function withDefaults(config: pg.ClientConfig): pg.ClientConfig {
  return {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...config,
  };
}

function firstOf(url: string): string {
  const { hosts, wanted, withHost } = readDatabaseUrl(url);
  const [first] = hosts;
  return first === undefined || (hosts.length === 1 && wanted === 'any') ? url : withHost(first);
}

async function isInState(url: string, wanted: WantedState): Promise<boolean> {
  const client = new pg.Client(
    withDefaults({ connectionString: url, application_name: 'inlay-host', query_timeout: CONNECT_TIMEOUT_MS }),
  );
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ recovering: boolean; read_only: boolean }>(
      `select pg_is_in_recovery() as recovering, current_setting('transaction_read_only') = 'on' as read_only`,
    );
    const { recovering = true, read_only: readOnly = true } = rows[0] ?? {};
    switch (wanted) {
      case 'primary':
        return !recovering;
      case 'standby':
        return recovering;
      case 'read-write':
        return !readOnly;
      case 'read-only':
        return readOnly;
      default:
        return true;
    }
  } finally {
    client.end().catch(() => {});
  }
}

export interface PoolOptions {
  readonly applicationName: string;
  readonly max: number;
  /**
   * How long a query may wait for its result. The server cancels it a little earlier; if the server does not respond at all, the connection
   * is destroyed. Without a deadline a query may take any time, as those of a migration do.
   */
  readonly deadlineMs?: number;
  /** Called for each connection that the server ended. The pool opens a new one when needed. */
  readonly onLost?: (error: Error) => void;
}

/** The server's own limit is this share of the deadline. */
const SERVER_SHARE = 0.9;

/**
 * A pool for libraries that need one; it runs no statements of ours. It handles errors of its connections for as long as it
 * exists, because a connection that the server ends while the pool closes would otherwise end the process.
 */
export function openPool(url: string, { applicationName, max, deadlineMs, onLost = () => {} }: PoolOptions): pg.Pool {
  const deadlines =
    deadlineMs === undefined
      ? {}
      : { query_timeout: deadlineMs, statement_timeout: Math.round(deadlineMs * SERVER_SHARE) };
  const pool = new LenientPool({
    connectionString: url,
    application_name: applicationName,
    max,
    Client: HostedClient,
    ...deadlines,
  });
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    // an error of a connection in use is reported to its user by the next query
    client.on('error', () => {});
    if (deadlineMs !== undefined) {
      destroyWhenSilent(client);
    }
  });
  return pool;
}

type Taken = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;
/** The callback of node-postgres: without a release function if there is no client, although its types promise one. */
type Had = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: ((error?: Error | boolean) => void) | undefined,
) => void;

/**
 * graphile-worker releases the client on which it listens twice if the server ends that connection while the worker
 * stops, and the rejection of the second release is not handled. Here the second release does nothing.
 */
class LenientPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(taken: Taken): void;
  override connect(taken?: Taken): Promise<pg.PoolClient> | undefined {
    if (taken === undefined) {
      return super.connect();
    }
    const had: Had = (error, client, release) => {
      let isBack = false;
      taken(error, client, (reason) => {
        if (!isBack) {
          isBack = true;
          release?.(reason);
        }
      });
    };
    super.connect(had);
    return undefined;
  }
}

/**
 * At `query_timeout`, node-postgres fails the query but keeps the connection, on which every later query would wait in
 * vain.
 */
function destroyWhenSilent(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  Object.assign(client, {
    query: (...args: unknown[]) => {
      const asked = query(...args);
      return asked instanceof Promise ? asked.catch((error: unknown) => leave(client, error)) : asked;
    },
  });
}

/** The message that node-postgres uses. */
const READ_TIMEOUT = 'Query read timeout';

/**
 * Throws the error. After a timeout it first waits until the connection has ended, so that it is not returned to the
 * pool as usable.
 */
async function leave(client: pg.PoolClient, error: unknown): Promise<never> {
  if (client instanceof HostedClient && error instanceof Error && error.message === READ_TIMEOUT) {
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve);
    });
    client.destroy();
    await ended;
  }
  throw error;
}
