/**
 * Changes of the schema wait for no lock for long: a statement that waits for a table holds up everything that comes after it. Each
 * try gives up after LOCK_TIMEOUT and leaves nothing behind, and the next one comes after a pause in which the service goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { MigrationError, sqlState } from './migration-error.ts';

const LOCK_TIMEOUT = '2s';
const PAUSE_MS = 1_000;
const TRIES = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/** @param name what is changed, for the error. @throws MigrationError if a lock stays taken through all tries. */
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
          `${name}: a table is in use by a transaction that does not end, such as a backup; it was not changed. Try again later.`,
          { cause: error },
        );
      }
      await sleep(PAUSE_MS);
    } finally {
      await client.query('set lock_timeout = 0');
    }
  }
}
