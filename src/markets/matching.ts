/**
 * A support person's decision that listings of several venues are one contract: the wording that the person compares, the record of the
 * decision, the groups that may need one, and its end. Orders are routed over all of them until the terms of one change (`end_routing`).
 */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';
import { notify } from './board/board.ts';

/** A listing in the words of its venue. Times are those of the venue, as text. */
export interface ListingWording {
  readonly venue: string;
  readonly listingId: string;
  readonly contractId: string;
  readonly groupKey: string | null;
  readonly title: string;
  readonly label: string;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
  readonly rules: string | null;
  readonly source: string | null;
  readonly closesAt: string;
  readonly resolved: boolean;
  /** A digest of the terms that must not change after the match. */
  readonly terms: string | null;
}

export interface Match {
  readonly groupKey: string;
  readonly contracts: readonly string[];
  readonly inverse: boolean;
  /** The login of the person. */
  readonly matchedBy: string;
}

export interface Unmatched {
  readonly groupKey: string;
  readonly contracts: readonly string[];
  /**
   * Contracts that are separate again. Others stay together, because a position is held at the venue of another one.
   */
  readonly apart: readonly string[];
}

/**
 * @param name `VENUE:LISTING`, the venue's id alone, or the id of a contract with one listing
 * @throws market_not_found; invalid_request if several listings have that name
 */
export async function readListing(sql: Sql, name: string): Promise<ListingWording> {
  const rows = await sql<ListingWording[]>`
    select l.venue, l.listing_id as "listingId", c.contract_id as "contractId", c.group_key as "groupKey",
      coalesce(l.wording->>'title', e.title) as title, coalesce(l.wording->>'label', c.label) as label,
      l.wording->>'yesLabel' as "yesLabel", l.wording->>'noLabel' as "noLabel", l.wording->>'rules' as rules,
      l.wording->>'source' as source,
      coalesce(l.wording->>'closesAt', to_json(c.closes_at)#>>'{}') as "closesAt",
      c.resolution is not null as resolved, l.terms
    from listings l join contracts c using (contract_id) join events e using (event_id)
    where l.listing_id = ${name} or l.contract_id = ${name}
      or (l.listing_id = substr(${name}, strpos(${name}, ':') + 1) and l.venue = split_part(${name}, ':', 1))
    order by l.venue`;
  const [row, ...others] = rows;
  if (row === undefined) {
    throw refuse('market_not_found', `No listing ${name}.`);
  }
  if (others.length > 0) {
    const names = rows.map(({ venue, listingId }) => `${venue}:${listingId}`).join(', ');
    throw refuse('invalid_request', `Several listings have this name: ${names}.`);
  }
  return row;
}

const REFUSED = {
  terms_changed: 'A listing has changed since it was read; compare them again.',
  other_group: 'Each of them is matched with other listings; end one of those matches first (markets unmatch).',
  other_polarity: 'They are matched the other way round; end that match first (markets unmatch).',
  same_venue: 'One venue would list the contract twice.',
} as const;

/**
 * @param one as the person saw it
 * @param two as the person saw it
 * @param inverse whether YES of one is NO of the other
 * @param by the person who compared them
 * @throws invalid_request if they cannot be matched
 */
export async function matchListings(
  sql: Sql,
  [one, two]: readonly [ListingWording, ListingWording],
  { inverse, note }: { readonly inverse: boolean; readonly note: string | null },
): Promise<Match> {
  if (one.resolved || two.resolved) {
    throw refuse('invalid_request', 'A resolved contract cannot be matched.');
  }
  const compared = JSON.stringify([one, two]);
  const [row] = await sql<
    { code: keyof typeof REFUSED | null; groupKey: string; boardRevision: bigint; matchedBy: string }[]
  >`
    select code, group_key, board_revision, session_user as matched_by from match_listings(${[one.venue, two.venue]}::text[],
      ${[one.listingId, two.listingId]}::text[], ${[one.terms, two.terms]}::text[], ${inverse}, ${newId('mat')}, ${note},
      ${compared}::text::json)`;
  if (row === undefined || row.code !== null) {
    throw refuse('invalid_request', REFUSED[row?.code ?? 'terms_changed']);
  }
  await notify(sql, row.boardRevision, []);
  const contracts = await sql<{ id: string }[]>`
    select contract_id as id from contracts where group_key = ${row.groupKey} order by contract_id`;
  return { groupKey: row.groupKey, contracts: contracts.map(({ id }) => id), inverse, matchedBy: row.matchedBy };
}

/** @throws market_not_found if the group does not exist */
export async function unmatchListings(sql: Sql, groupKey: string): Promise<Unmatched> {
  const rows = await sql<{ contractId: string; leaves: boolean; outRevision: bigint }[]>`
    select contract_id, leaves, out_revision from unmatch_listings(${groupKey})`;
  const revision = rows[0]?.outRevision;
  if (revision === undefined) {
    throw refuse('market_not_found', `No group ${groupKey}.`);
  }
  await notify(sql, revision, []);
  return {
    groupKey,
    contracts: rows.map((row) => row.contractId),
    apart: rows.filter(({ leaves }) => leaves).map((row) => row.contractId),
  };
}

/** Listings that may be one contract. */
export interface RoutingGroup {
  readonly groupKey: string;
  /** The contract that the venue of the lowest rank lists. */
  readonly contractId: string;
  /** All contracts of the group. It has several if a support person matched listings of separate contracts. */
  readonly contracts: readonly string[];
  readonly event: string;
  readonly label: string;
  /** Shown to the service operator only. */
  readonly venues: readonly string[];
  readonly verified: boolean;
  readonly verifiedBy: string | null;
  readonly verifiedAt: Date | null;
  readonly note: string | null;
  /** When an earlier match ended; null while the group is matched, or if it never was. */
  readonly endedAt: Date | null;
  readonly endedBecause: 'listing_joined' | 'terms_changed' | 'unmatched' | null;
}

/** Groups with listings at several venues, those first that no person has verified. */
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
 * Records that the listings of a group are one contract.
 * @throws market_not_found if the group does not exist
 */
export async function verifyRoutingGroup(
  sql: Sql,
  groupKey: string,
): Promise<{ groupKey: string; verified: true; contracts: string[] }> {
  const rows = await sql<{ contractId: string; outRevision: bigint }[]>`
    select contract_id, out_revision from verify_routing_group(${groupKey})`;
  const revision = rows[0]?.outRevision;
  if (revision === undefined) {
    throw refuse('market_not_found', `No group ${groupKey}.`);
  }
  await notify(sql, revision, []);
  return { groupKey, verified: true, contracts: rows.map((row) => row.contractId) };
}
