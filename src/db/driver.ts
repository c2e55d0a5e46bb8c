/**
 * The `postgres` driver with one function of its source set right as it is loaded. Nothing on disk is changed.
 *
 * `closed()` of postgres 3.4.9 carries over to the next connection in its place: bytes not yet written and the timer that it
 * cancelled (so the next one sends old bytes first, or never greets and hangs until the connect timeout), the query that failed with its error
 * (so the first query of the next one is refused in its place), and queries handed in between error and close (so they never end).
 * Shown by test/db/killed-backends.test.ts. Delete this file when a release passes that test.
 */
import { createRequire, registerHooks } from 'node:module';
import type driverType from 'postgres';

const CONNECTION_FILE = /\/postgres\/cjs\/src\/connection\.js$/;

const REPAIRS: readonly (readonly [text: string, repaired: string])[] = [
  [
    `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
    `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
  ],
  [
    `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))`,
    `    if (initial)
      return reconnect()

    ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()`,
  ],
];

export const postgres = loadDriver();

/** @throws where the driver's source is not the one that this was written for. */
function loadDriver(): typeof driverType {
  let repaired = 0;
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!CONNECTION_FILE.test(url)) {
        return loaded;
      }
      let source = String(loaded.source);
      for (const [text, replacement] of REPAIRS) {
        repaired += source.includes(text) ? 1 : 0;
        source = source.replace(text, replacement);
      }
      return { ...loaded, source };
    },
  });
  try {
    const driver = createRequire(import.meta.url)('postgres') as typeof driverType;
    if (repaired !== REPAIRS.length) {
      throw new Error('the installed postgres is not the release that src/db/driver.ts sets right');
    }
    return driver;
  } finally {
    hooks.deregister();
  }
}
