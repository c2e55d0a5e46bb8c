/**
 * The statements with which ingestion writes the board, each under the leadership that it was given. Notifications are
 * sent after the commit, in separate statements. What is written when is decided by board-writes.ts.
 */

import type { Logger } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { Sql } from '../../db/client.ts';
import type { Fence } from '../../db/lease.ts';
import { notify } from '../board/notify.ts';
import { describe, type Pending, payloadOf, rowsIn, split } from './pending-writes.ts';

export interface BoardStatementsParts {
  readonly sql: Sql;
  readonly log: Logger;
  readonly clock: Clock;
  /** The leadership that every write carries; null for a write outside of ingestion. */
  readonly fence: Fence | null;
}

export interface BoardStatements {
  /** Commits the rows. A row that the database refuses is logged, and does not block the others. */
  commit(batch: Pending): Promise<void>;
  /** @returns ids of the listings whose contracts were withdrawn */
  withdrawUnlisted(venue: string, rank: number, listed: readonly string[]): Promise<readonly string[]>;
  heldListings(venue: string): Promise<string[]>;
}

/** The lease of the worker that follows the venues. Every write to the board carries its epoch. */
export const INGEST_LEASE = 'ingestion';

/** SQLSTATE of assert_lease. */
const SUPERSEDED = 'IN050';

export function createBoardStatements({ sql, log, clock, fence }: BoardStatementsParts): BoardStatements {
  const [epoch, holder] = [fence?.epoch ?? null, fence?.holder ?? null];
  /** The smallest possible lead of the database's clock over ours, in milliseconds; measured with each write. */
  let aheadMs: number | undefined;

  async function write(batch: Pending): Promise<void> {
    if (aheadMs === undefined) {
      measureClock((await sql<{ at: Date }[]>`select clock_timestamp() as at`)[0]);
    }
    const payload = payloadOf(batch, aheadMs ?? 0);
    const [answer] = await sql<{ boardRevision: bigint; resolved: string[]; at: Date }[]>`
      select board_revision, resolved, clock_timestamp() as at
      from ingest_board(${payload}::text::jsonb, ${epoch}, ${holder})`;
    measureClock(answer);
    if (answer !== undefined) {
      await notify(sql, answer.boardRevision, answer.resolved);
    }
  }

  /** Compared with the time of receipt, so that no book is recorded as confirmed later than it was. */
  function measureClock(answer: { readonly at: Date } | undefined): void {
    if (answer !== undefined) {
      aheadMs = answer.at.getTime() - clock.now().getTime();
    }
  }

  async function writeOneByOne(batch: Pending): Promise<void> {
    for (const single of split(batch)) {
      try {
        await write(single);
      } catch (error) {
        if (!isRefusedData(error)) {
          throw error;
        }
        log.error({ err: error, rows: describe(single) }, 'the database refused rows reported by a venue');
      }
    }
  }

  return {
    async commit(batch) {
      if (rowsIn(batch) === 0) {
        return;
      }
      try {
        await write(batch);
      } catch (error) {
        if (!isRefusedData(error)) {
          throw error;
        }
        await writeOneByOne(batch);
      }
    },
    async withdrawUnlisted(venue, rank, listed) {
      const [row] = await sql<{ boardRevision: bigint; keys: string[] }[]>`
        select board_revision, keys from withdraw_unlisted(${venue}, ${rank}, ${listed as string[]}, ${epoch}, ${holder})`;
      if (row === undefined || row.keys.length === 0) {
        return [];
      }
      await notify(sql, row.boardRevision, []);
      return row.keys;
    },
    async heldListings(venue) {
      const rows = await sql<{ id: string }[]>`select id from held_listings(${venue}) id`;
      return rows.map(({ id }) => id);
    },
  };
}

/**
 * Withdraws the books and listings of every venue that is not in `used`; see retire_venues.
 * @param fence the leadership of ingestion; the call is refused if another process has it
 */
export async function retireVenues(sql: Sql, used: readonly string[], fence: Fence): Promise<void> {
  const [row] = await sql<{ boardRevision: bigint }[]>`
    select retire_venues(${used as string[]}, ${fence.epoch}, ${fence.holder}) as board_revision`;
  if (row !== undefined) {
    await notify(sql, row.boardRevision, []);
  }
}

/** Whether the database refused a write because another process leads ingestion. */
export function isSuperseded(error: unknown): boolean {
  return sqlStateOf(error) === SUPERSEDED;
}

/** SQLSTATE classes 22 (data) and 23 (constraints): a retry of the same rows cannot succeed. */
function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error));
}

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
