/**
 * A node-postgres pool for libraries that want one. Its errors are listened to for as long as it exists: a connection that the
 * server ends while the pool closes would otherwise end the process. It runs none of our own statements.
 */
import pg from 'pg';
import { HostedClient } from './pg-client.ts';

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

/**
 * @param onLost told of each connection the server ended; the pool makes another one when it is asked for one.
 */
export function openPool(
  url: string,
  applicationName: string,
  max: number,
  onLost: (error: Error) => void = () => {},
): pg.Pool {
  const pool = new LenientPool({ connectionString: url, application_name: applicationName, max, Client: HostedClient });
  pool.on('error', onLost);
  // a connection in use is nobody's but its user's, who meets the error in the next query
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
