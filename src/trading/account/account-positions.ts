/** What our account at a venue holds, beside what the books say of it: net of all tenants, listing by listing. Reads only. */
import type { Sql } from '../../db/client.ts';
import type { VenuePosition } from '../../venues/port.ts';

export interface ComparedPosition {
  readonly listingId: string;
  readonly contractId: string | null;
  /** Net of both sides, micro-contracts; below 0 it is of NO. */
  readonly theirs: bigint;
  readonly ours: bigint;
  /** An order is under way there, so the two need not agree yet. */
  readonly inFlight: boolean;
}

interface OurRow {
  readonly listingId: string;
  readonly contractId: string;
  readonly net: bigint;
  readonly inFlight: boolean;
}

/**
 * Of contracts without a result, ours or the venue's, nor one of any that was matched with them: what has one, either side may
 * pay out a little later. What contracts of one group hold at the venue counts together, turned where their YES is the listing's
 * NO. What we settled before a result of ours was withdrawn is still there, so of such contracts every fill counts.
 */
export async function comparePositions(
  sql: Sql,
  venue: string,
  held: readonly VenuePosition[],
): Promise<ComparedPosition[]> {
  const rows = await sql<OurRow[]>`
    with kept as materialized (
      select o.contract_id, o.side, sum(h.quantity) as quantity
      from positions o join position_holdings h using (operator_id, position_id)
      where o.status = 'open' and not o.simulated and h.venue = ${venue}
      group by 1, 2
    ), held as materialized (
      select coalesce(c.group_key, c.contract_id) as group_of,
        sum(case when (kept.side = 'YES') = not c.inverse then kept.quantity else -kept.quantity end) as net
      from kept join contracts c using (contract_id)
      group by 1
    ), reopened as materialized (
      select distinct coalesce(group_key, contract_id) as group_of from contracts where resolution is null and resolution_version > 0
    ), traded as materialized (
      select distinct l.listing_id
      from reopened join contracts c on coalesce(c.group_key, c.contract_id) = reopened.group_of
        join listings l on l.venue = ${venue} and l.contract_id = c.contract_id
    ), filled as materialized (
      select t.listing_id, sum(case when (t.side = 'YES') = (t.action = 'BUY') then f.quantity else -f.quantity end) as net
      from transmissions t join traded on traded.listing_id = t.listing_id join fill_rows f using (operator_id, order_id)
      where t.venue = ${venue}
      group by 1
    ), sent as materialized (
      select distinct listing_id from transmissions where venue = ${venue} and state <> 'done')
    select l.listing_id, l.contract_id, sent.listing_id is not null as in_flight,
      (case when reopened.group_of is not null then coalesce(filled.net, 0)
        else case when c.inverse then -1 else 1 end * coalesce(held.net, 0) end)::bigint as net
    from listings l join contracts c using (contract_id) left join held on held.group_of = coalesce(c.group_key, c.contract_id)
      left join reopened on reopened.group_of = coalesce(c.group_key, c.contract_id) left join filled using (listing_id) left join sent using (listing_id)
    where l.venue = ${venue} and ${withoutResult(sql)}
      and (held.net is not null or filled.net is not null or l.listing_id = any (${held.map(({ listingId }) => listingId)}::text[]))`;
  const theirs = new Map(
    held.map(({ listingId, side, quantityMicros }) => [listingId, side === 'YES' ? quantityMicros : -quantityMicros]),
  );
  const known = rows.map((row) => ({
    listingId: row.listingId,
    contractId: row.contractId,
    theirs: theirs.get(row.listingId) ?? 0n,
    ours: row.net,
    inFlight: row.inFlight,
  }));
  const resolved = await sql<{ listingId: string }[]>`
    select l.listing_id from listings l join contracts c using (contract_id)
    where l.venue = ${venue} and not ${withoutResult(sql)} and l.listing_id = any (${[...theirs.keys()]}::text[])`;
  const found = new Set([...known, ...resolved].map(({ listingId }) => listingId));
  const foreign = [...theirs].filter(([listingId]) => !found.has(listingId));
  return [
    ...known.filter((one) => one.theirs !== 0n || one.ours !== 0n),
    ...foreign.map(([listingId, net]) => ({ listingId, contractId: null, theirs: net, ours: 0n, inFlight: false })),
  ];
}

/** Over `contracts c`. */
const withoutResult = (sql: Sql) => sql`(coalesce(c.resolution, c.venue_resolution) is null
  and not exists (select 1 from contracts ended
    where ended.group_key = c.group_key and coalesce(ended.resolution, ended.venue_resolution) is not null))`;
