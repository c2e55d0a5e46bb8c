/**
 * A node-postgres pool for libraries that want one. Its errors are listened to for as long as it exists: a connection that the
 * server ends while the pool closes would otherwise end the process. It runs none of our own statements.
 */
import pg from 'pg';
import { HostedClient } from './pg-client.ts';

/** As node-postgres words it. */
const READ_TIMEOUT = 'Query read timeout';

type Taken = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;
/** As node-postgres calls back: with nothing to give back where no client was had, whatever its types say. */
type Had = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: ((error?: Error | boolean) => void) | undefined,
) => void;

/**
 * graphile-worker gives the client it listens on back twice where the server ends that connection while the worker stops, and
 * nobody waits for the promise that the second time rejects. Here the second time is nothing.
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
   * How long a query may wait for its answer. The server cancels it a little earlier; if the server does not answer at all, the
   * connection is destroyed. Without it a query may take any time, as those of a migration.
   */
  readonly deadlineMs?: number;
  /** Called for each connection that the server ended; the pool makes another one when it is asked for one. */
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
    // a connection in use is nobody's but its user's, who meets the error in the next query
    client.on('error', () => {});
    if (deadlineMs !== undefined) {
      destroyWhenSilent(client);
    }
  });
  return pool;
}

/** node-postgres fails the query at `query_timeout` and keeps the connection, on which every later query would wait in vain. */
function destroyWhenSilent(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  Object.assign(client, {
    query: (...args: unknown[]) => {
      const asked = query(...args);
      return asked instanceof Promise ? asked.catch((error: unknown) => leave(client, error)) : asked;
    },
  });
}

/** Throws the error; after a timeout only once the connection has ended, so that its user gives back none that looks usable. */
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
