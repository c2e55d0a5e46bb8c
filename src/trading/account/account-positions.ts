/** What our account at a venue holds, beside what the books say of it: net of all tenants, listing by listing. Reads only. */
import type { Sql } from '../../db/client.ts';
import type { VenuePosition } from '../../venues/account.ts';

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
 * Of contracts that are not resolved, nor any that was matched with them: what is, either side may pay out a little later.
 * What contracts of one group hold at the venue counts together, turned where their YES is the listing's NO.
 */
export async function comparePositions(
  sql: Sql,
  venue: string,
  held: readonly VenuePosition[],
): Promise<ComparedPosition[]> {
  const rows = await sql<OurRow[]>`
    with held as materialized (
      select coalesce(c.group_key, c.contract_id) as group_of,
        sum(case when (o.side = 'YES') = not c.inverse then h.quantity else -h.quantity end) as net
      from positions o join position_holdings h using (operator_id, position_id) join contracts c using (contract_id)
      where o.status = 'open' and not o.simulated and h.venue = ${venue}
      group by 1)
    select l.listing_id, l.contract_id, (case when c.inverse then -1 else 1 end * coalesce(held.net, 0))::bigint as net, exists (
      select 1 from transmissions t where t.venue = l.venue and t.listing_id = l.listing_id and t.state <> 'done') as in_flight
    from listings l join contracts c using (contract_id) left join held on held.group_of = coalesce(c.group_key, c.contract_id)
    where l.venue = ${venue} and c.resolution is null
      and not exists (select from contracts ended where ended.group_key = c.group_key and ended.resolution is not null)
      and (held.net is not null or l.listing_id = any (${held.map(({ listingId }) => listingId)}::text[]))`;
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
    where l.venue = ${venue} and (c.resolution is not null
      or exists (select from contracts ended where ended.group_key = c.group_key and ended.resolution is not null)) and l.listing_id = any (${[...theirs.keys()]}::text[])`;
  const found = new Set([...known, ...resolved].map(({ listingId }) => listingId));
  const foreign = [...theirs].filter(([listingId]) => !found.has(listingId));
  return [
    ...known.filter((one) => one.theirs !== 0n || one.ours !== 0n),
    ...foreign.map(([listingId, net]) => ({ listingId, contractId: null, theirs: net, ours: 0n, inFlight: false })),
  ];
}
