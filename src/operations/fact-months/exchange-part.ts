/** Puts a copy in the place of the part that it was made from: both or neither, under a lock that is given up soon and tried again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/client.ts';
import { isLockTimeout } from '../../db/database-errors.ts';
import { COPIES, GUARD, partCheck } from './copy-part.ts';
import type { StoredPart } from './fact-parts.ts';

export interface ExchangeOptions {
  /** How often the lock is tried. */
  readonly tries: number;
  /** Milliseconds between two tries, in which everything that waited for the tables goes on. */
  readonly pauseMs: number;
}

/** How often and how long a move tries by itself. */
export const PATIENT: ExchangeOptions = { tries: 60, pauseMs: 1_000 };

/**
 * @returns the milliseconds for which the tables were locked
 * @throws the database's 55P03 if other statements held the tables at every try; the part is where it was then
 */
export function exchangePart(owner: Sql, part: StoredPart, options: ExchangeOptions): Promise<number> {
  return retryLock(options, () => exchange(owner, part));
}

/** @param work ends with the database's 55P03 if its lock was not free. */
export async function retryLock<Result>(
  { tries, pauseMs }: ExchangeOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let left = tries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left <= 1 || !isLockTimeout(error)) {
        throw error;
      }
      await sleep(pauseMs);
    }
  }
}

/** One statement, so it is one transaction, and no lock outlives it if this process ends. */
async function exchange(owner: Sql, part: StoredPart): Promise<number> {
  const { name, parent, bound } = part;
  await owner.unsafe(`do $exchange$
    declare
      v_locked timestamptz;
    begin
      -- trading would queue up behind a lock that waits longer
      perform set_config('lock_timeout', '300ms', true);
      lock table only ${parent}, only public.${name} in access exclusive mode;
      v_locked := clock_timestamp();
      alter table ${parent} detach partition public.${name};
      drop table public.${name};
      drop trigger ${GUARD} on ${COPIES}.${name};
      alter table ${COPIES}.${name} set schema public;
      alter table ${parent} attach partition public.${name} ${bound};
      alter table public.${name} drop constraint ${partCheck(part)};
      perform set_config('inlay.locked_ms',
        (extract(epoch from clock_timestamp() - v_locked) * 1000)::text, false);
    end $exchange$`);
  const [row] = await owner<[{ ms: number }]>`select current_setting('inlay.locked_ms')::float8 as ms`;
  return row.ms;
}
