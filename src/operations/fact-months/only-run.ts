/** One run at a time moves facts and events, whichever process asks for it. */
import type { Sql } from '../../db/client.ts';

/** Another run holds the lock. */
export class AnotherRun extends Error {
  override name = 'AnotherRun';
}

const LOCK = '7316001000000023';

/**
 * @param owner one connection; the lock belongs to its session and ends with it
 * @throws AnotherRun if another run is moving facts
 */
export async function asOnlyRun<T>(owner: Sql, work: () => Promise<T>): Promise<T> {
  const [lock] = await owner<[{ taken: boolean }]>`select pg_try_advisory_lock(${LOCK}) as taken`;
  if (!lock.taken) {
    throw new AnotherRun();
  }
  try {
    return await work();
  } finally {
    await owner`select pg_advisory_unlock(${LOCK})`;
  }
}
