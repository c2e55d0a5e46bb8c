/**
 * A node-postgres pool for libraries that need one. It handles errors of its connections for as long as it exists: a
 * connection that the server ends while the pool closes would otherwise end the process. It runs no statements of ours.
 */
import pg from 'pg';
import { HostedClient } from './pg-client.ts';

/** The message that node-postgres uses. */
const READ_TIMEOUT = 'Query read timeout';

type Taken = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;
/**
 * The callback of node-postgres: without a release function if there is no client, although its types say otherwise.
 */
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

export interface PoolOptions {
  readonly applicationName: string;
  readonly max: number;
  /**
   * How long a query may wait for its answer. The server cancels it a little earlier; if the server does not answer at
   * all, the connection is destroyed. Without a deadline a query may take any time, as those of a migration do.
   */
  readonly deadlineMs?: number;
  /** Called for each connection that the server ended. The pool opens a new one when needed. */
  readonly onLost?: (error: Error) => void;
}

/** The server's own limit is this share of the deadline. */
const SERVER_SHARE = 0.9;

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
