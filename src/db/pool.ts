/**
 * A node-postgres pool for libraries that want one. Its errors are listened to for as long as it exists: a connection that the
 * server ends while the pool closes would otherwise end the process. It runs none of our own statements.
 */
import pg from 'pg';

/**
 * @param onLost told of each connection the server ended; the pool makes another one when it is asked for one.
 */
export function openPool(
  url: string,
  applicationName: string,
  max: number,
  onLost: (error: Error) => void = () => {},
): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, application_name: applicationName, max });
  pool.on('error', onLost);
  // a connection in use is nobody's but its user's, who meets the error in the next query
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
