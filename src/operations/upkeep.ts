/**
 * Upkeep by workers: creates upcoming partitions of the journal and of quotes, drops old quotes with the partition of their
 * week, and refuses to start without a venue that still has open orders. Any number of workers may run it, because each step
 * changes nothing the second time. A step that cannot get its lock fails, and the next run retries it.
 */
import { EnvironmentError } from '../core/environment.ts';
import type { Logger } from '../core/log.ts';
import type { Sql } from '../db/client.ts';

/** Long enough to show which quotes a customer was offered; an order has every term of the quote that it took. */
const KEEP = '7 days';

/** @param keepGoing called between the steps; the run ends early once it returns false */
export async function maintainPartitions(sql: Sql, log: Logger, keepGoing: () => boolean = () => true): Promise<void> {
  const [row] = await sql<{ made: string[] }[]>`select make_partitions() as made`;
  if (row !== undefined && row.made.length > 0) {
    log.debug({ made: row.made }, 'created upcoming partitions');
  }
  const passed = await sql<{ name: string; fromAt: Date }[]>`
    select * from quote_weeks() where from_at + interval '7 days' < now() - ${KEEP}::interval order by from_at`;
  for (const { name, fromAt: week } of passed) {
    if (!keepGoing()) {
      return;
    }
    const [dropped] = await sql<{ done: boolean }[]>`select drop_quote_week(${week}, ${KEEP}::interval) as done`;
    if (dropped?.done === true) {
      log.info({ table: name }, 'dropped the quotes of a past week');
    }
  }
}

/**
 * A venue may be removed from INLAY_VENUES only if no order or position is open there, because no other part could look up how orders
 * ended. Orders that were not sent yet are no obstacle: the transmission withdraws them.
 * @throws EnvironmentError with one line that names the venues and their open orders
 */
export async function refuseAbandoned(sql: Sql, venues: readonly string[]): Promise<void> {
  const rows = await sql<{ venue: string; open: number }[]>`
    select venue, count(*)::int as open from transmissions
    where state <> 'done' and venue <> all (${[...venues]}::text[]) group by venue order by venue`;
  if (rows.length > 0) {
    const said = rows.map(({ venue, open }) => `${venue} (${open} open)`).join(', ');
    throw new EnvironmentError(
      `INLAY_VENUES: orders are still open at ${said}; keep the venue until "inlay orders stuck" shows none, or record what became of them with "inlay orders resolve"`,
    );
  }
}
