/**
 * Open positions whose contract has resolved, and contracts whose resolution differs from the one that was paid. Reads
 * only.
 */
import type { Sql } from '../db/client.ts';

export interface Unsettled {
  readonly operatorId: string;
  readonly positionId: string;
}

/**
 * Excludes positions with contracts in a sell that may be at a venue, and positions whose venue fee is not known yet.
 * @param contractId one contract, or null for all that resolved in the last `days`
 */
export function listUnsettled(sql: Sql, contractId: string | null, days: number, limit: number): Promise<Unsettled[]> {
  return sql<Unsettled[]>`
    with resolved as materialized (
      select c.contract_id from contracts c where c.resolution is not null
        and ${contractId === null ? sql`c.resolved_at > now() - make_interval(days => ${days})` : sql`c.contract_id = ${contractId}`}
    )
    select p.operator_id, p.position_id
    from resolved c join positions p on p.contract_id = c.contract_id and p.status = 'open' and p.held_quantity = 0
    -- rows that the statement skips are not read either, or enough of them would come before the rest
    where p.simulated or not exists (select 1 from orders r where r.operator_id = p.operator_id
      and r.position_id = p.position_id and is_reading_fee(r.status, r.transmission_state))
    order by p.operator_id, p.external_user_id, p.position_id limit ${limit}`;
}

/** Contracts whose resolution got a new version in the last `days`, after positions were paid at an earlier one. */
export async function listRevised(sql: Sql, days: number): Promise<string[]> {
  const rows = await sql<{ contractId: string }[]>`
    with revised as materialized (
      select r.contract_id, max(r.version) as version from contract_resolutions r
      where r.recorded_at > now() - make_interval(days => ${days}) and r.version > 1 group by 1
    )
    select distinct r.contract_id from revised r
      join settlements s on s.contract_id = r.contract_id and s.resolution_version < r.version`;
  return rows.map((row) => row.contractId);
}
