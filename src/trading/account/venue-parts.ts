/** What our account has on each part of a venue that keeps collateral apart, as of the last comparison. Moves no money. */
import type { Sql } from '../../db/client.ts';
import type { AccountPart } from '../../venues/port.ts';

export async function recordParts(sql: Sql, venue: string, parts: readonly AccountPart[]): Promise<void> {
  if (parts.length === 0) {
    return;
  }
  const rows = JSON.stringify(parts.map((one) => ({ ...one, balanceMicros: String(one.balanceMicros) })));
  await sql`
    insert into venue_parts as p (venue, part, balance_micros, paused, read_at)
    select ${venue}, given.part, given."balanceMicros", given.paused, clock_timestamp()
    from json_to_recordset(${rows}::text::json) as given(part smallint, "balanceMicros" bigint, paused boolean)
    order by given.part
    on conflict (venue, part) do update set balance_micros = excluded.balance_micros, paused = excluded.paused,
      read_at = excluded.read_at`;
}

export interface OpenMarkets {
  readonly venue: string;
  readonly part: number;
  /** Listings there whose contract is open for trading. */
  readonly markets: number;
}

/** The parts of all venues on which markets trade. */
export function listOpenMarkets(sql: Sql): Promise<OpenMarkets[]> {
  return sql<OpenMarkets[]>`
    select l.venue, l.part::int, count(*)::int as markets
    from listings l join contracts c using (contract_id)
    where l.part is not null and c.status = 'open' and not c.trading_closed
    group by l.venue, l.part order by l.venue, l.part`;
}

/** Those of them on which our account has nothing. A venue whose parts were never read has none here. */
export async function listEmptyParts(sql: Sql): Promise<OpenMarkets[]> {
  const rows = await sql<{ venue: string; part: number; funded: boolean }[]>`
    select venue, part::int, balance_micros > 0 as funded from venue_parts`;
  const funded = new Set(rows.filter((row) => row.funded).map(({ venue, part }) => `${venue} ${part}`));
  const open = rows.length === 0 ? [] : await listOpenMarkets(sql);
  return open.filter(({ venue, part }) => rows.some((row) => row.venue === venue) && !funded.has(`${venue} ${part}`));
}
