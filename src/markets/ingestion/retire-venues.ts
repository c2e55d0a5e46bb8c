/** Retires the listings of a venue that the deployment no longer uses. */
import type { Sql } from '../../db/client.ts';
import type { Fence } from '../../db/lease.ts';
import { notify } from '../board/notify.ts';

/**
 * Withdraws the books and listings of every venue that is not in `used`; see retire_venues.
 * @param fence the leadership of ingestion; the call is refused if another process has it
 */
export async function retireVenues(sql: Sql, used: readonly string[], fence: Fence): Promise<void> {
  const [row] = await sql<{ board_revision: bigint }[]>`
    select retire_venues(${used as string[]}, ${fence.epoch}, ${fence.holder}) as board_revision`;
  if (row !== undefined) {
    await notify(sql, row.board_revision, []);
  }
}
