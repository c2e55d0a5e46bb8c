/**
 * Changes of the schema do not wait long for a lock, because a statement that waits for a table blocks everything after
 * it. Each attempt gives up after LOCK_TIMEOUT and leaves nothing behind. The next attempt follows after a pause in
 * which the service continues.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { MigrationError, sqlState } from './migration-error.ts';

const LOCK_TIMEOUT = '2s';
const PAUSE_MS = 1_000;
const TRIES = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * @param name what is changed, for the error
 * @throws MigrationError if no attempt gets the lock
 */
export async function withLockTimeout(client: pg.Client, name: string, change: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    try {
      await change();
      return;
    } catch (error) {
      await client.query('rollback');
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) {
        throw error;
      }
      if (tries === TRIES) {
        throw new MigrationError(
          `${name}: a long transaction, such as a backup, is using a table; nothing was changed. Try again later.`,
          { cause: error },
        );
      }
      await sleep(PAUSE_MS);
    } finally {
      await client.query('set lock_timeout = 0');
    }
  }
}
