/**
 * A venue may be removed from INLAY_VENUES only if nothing is open there, because no other part could ask it how orders
 * ended. Orders that were not sent yet are no obstacle: the transmission withdraws them.
 */
import { EnvironmentError } from '../core/environment.ts';
import type { Sql } from '../db/client.ts';

/** @throws EnvironmentError with one line that names the venues and what is open there */
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
