/** Groups of listings that may be one contract, and a person's confirmation that they are. It routes nothing. */
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import { notify } from './board/notify.ts';

export interface RoutingGroup {
  readonly groupKey: string;
  /** The contract that the venue of the lowest rank lists. */
  readonly contractId: string;
  /** All of the group: several where a person matched listings of contracts that were apart. */
  readonly contracts: readonly string[];
  readonly event: string;
  readonly label: string;
  /** Shown to the service operator only. */
  readonly venues: readonly string[];
  readonly verified: boolean;
  readonly verifiedBy: string | null;
  readonly verifiedAt: Date | null;
  readonly note: string | null;
  /** When a change ended an earlier match; null while the group is matched or if it never was. */
  readonly endedAt: Date | null;
  readonly endedBecause: 'listing_joined' | 'terms_changed' | 'unmatched' | null;
}

/** Groups with listings at several venues, unverified ones first. */
export async function listRoutingGroups(sql: Sql): Promise<RoutingGroup[]> {
  return sql<RoutingGroup[]>`
    select g.group_key as "groupKey",
      (array_agg(c.contract_id order by c.rank, c.contract_id))[1] as "contractId",
      array_agg(distinct c.contract_id::text) as contracts,
      (array_agg(e.title order by c.rank, c.contract_id))[1] as event,
      (array_agg(c.label order by c.rank, c.contract_id))[1] as label,
      array_agg(l.venue order by l.rank, l.venue) as venues, g.verified_at is not null as verified,
      g.verified_by as "verifiedBy", g.verified_at as "verifiedAt", g.note, g.ended_at as "endedAt",
      g.ended_because as "endedBecause"
    from routing_groups g
    join contracts c on c.group_key = g.group_key
    join events e on e.event_id = c.event_id
    join listings l on l.contract_id = c.contract_id
    group by g.group_key
    having count(distinct l.venue) > 1
    order by g.verified_at is not null, g.group_key`;
}

/**
 * @param verifiedBy the person who compared the listings, for the record
 * @throws market_not_found if there is no such group
 */
export async function verifyRoutingGroup(
  sql: Sql,
  groupKey: string,
  verifiedBy: string,
): Promise<{ groupKey: string; verified: true; contracts: string[] }> {
  const rows = await sql<{ contractId: string; outRevision: bigint }[]>`
    select contract_id, out_revision from verify_routing_group(${groupKey}, ${verifiedBy})`;
  const revision = rows[0]?.outRevision;
  if (revision === undefined) {
    throw refuse('market_not_found', `No group ${groupKey}.`);
  }
  await notify(sql, revision, []);
  return { groupKey, verified: true, contracts: rows.map((row) => row.contractId) };
}
