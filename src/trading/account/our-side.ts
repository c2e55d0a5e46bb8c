/**
 * The SQL of the comparison of an account: which orders of a venue our books know, which positions and cash they expect there, and when
 * the account was compared last. It moves no money.
 */
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { VenueAccount, VenuePosition } from '../../venues/port.ts';
import { orderIdOf } from '../execution/attempts.ts';

export interface KnownOrder {
  readonly ourId: string;
  readonly operatorId: string;
  readonly orderId: string;
  readonly mode: Mode;
  /** State of the attempt; null if none was begun. */
  readonly attempt: string | null;
  /** The venue's ids of the recorded fills. */
  readonly fills: readonly string[];
  /** Whether a person recorded the execution, so that our fill ids differ from the venue's. */
  readonly byPerson: boolean;
}

/** @returns from when on the account must be read, up to when it is then compared, and whether the cash is due as well */
export async function readCompared(
  sql: Sql,
  venue: string,
  overlapMs: number,
  cashEveryMs: number,
): Promise<{ readonly since: Date; readonly until: Date; readonly cashDue: boolean }> {
  // Before the very first comparison nothing at the venue is ours, unless an order was sent or the books were restored.
  const [row] = await sql<{ since: Date; until: Date; cashDue: boolean }[]>`
    with sent as materialized (select min(sent_at) as first_at from transmissions where venue = ${venue})
    select clock_timestamp() as until, coalesce(
      (select compared_until - make_interval(secs => ${overlapMs / 1_000}) from venue_accounts where venue = ${venue}),
      case when exists (select 1 from books where epoch > 1) then to_timestamp(0) end,
      sent.first_at - interval '5 minutes',
      clock_timestamp() - interval '5 minutes') as since,
    not exists (select 1 from venue_accounts where venue = ${venue} and opening_micros is not null
      and cash_compared_at > clock_timestamp() - make_interval(secs => ${cashEveryMs / 1_000})) as cash_due
    from sent`;
  if (row === undefined) {
    throw new Error('no answer');
  }
  return row;
}

/** @returns the orders by our ids at the venue, without those that are not ours */
export async function readKnown(sql: Sql, ourIds: readonly string[]): Promise<Map<string, KnownOrder>> {
  const rows = await sql<KnownOrder[]>`
    select t.our_id, t.operator_id, t.order_id, o.mode, t.state as attempt,
      coalesce(array_agg(distinct f.venue_fill_id) filter (where f.venue_fill_id is not null), '{}') as fills,
      count(e.order_id) > 0 as by_person
    from transmissions t join operators o using (operator_id)
      left join fill_rows f on f.operator_id = t.operator_id and f.order_id = t.order_id
      left join venue_evidence e on e.operator_id = t.operator_id and e.order_id = t.order_id and e.kind = 'person'
    where t.our_id = any (${[...ourIds]}::text[])
    group by t.operator_id, t.order_id, t.our_id, t.state, o.mode`;
  const known = new Map(rows.map((row) => [row.ourId, row]));
  const orderIds = ourIds.flatMap((ourId) => (known.has(ourId) ? [] : (orderIdOf(ourId) ?? [])));
  if (orderIds.length > 0) {
    const unsent = await sql<KnownOrder[]>`
      select 'att_' || substr(r.order_id, 5) as our_id, r.operator_id, r.order_id, o.mode, null as attempt, array[]::text[] as fills,
        false as by_person
      from orders r join operators o using (operator_id) where r.order_id = any (${orderIds}::text[])`;
    for (const row of unsent) {
      known.set(row.ourId, row);
    }
  }
  return known;
}

/**
 * Makes the look-up of orders due soon, because the venue pushed news of them, unless the answer to the send comes first.
 * @param ids our ids, or the venue's
 */
export async function makeDueSoon(sql: Sql, venue: string, ids: readonly string[]): Promise<void> {
  await sql`
    update transmissions set next_lookup_at = least(next_lookup_at, greatest(now(), sent_at + interval '1500 milliseconds'))
    where (our_id = any (${[...ids]}::text[]) or venue_ref = any (${[...ids]}::text[])) and venue = ${venue} and state <> 'done'`;
}

/** Makes the look-up of each attempt due now. */
export async function makeDue(sql: Sql, orders: readonly KnownOrder[]): Promise<void> {
  if (orders.length > 0) {
    await sql`
      update transmissions set next_lookup_at = least(next_lookup_at, now())
      where our_id = any (${orders.map(({ ourId }) => ourId)}::text[]) and state <> 'done'`;
  }
}

export async function recordCompared(
  sql: Sql,
  venue: string,
  {
    until,
    offsetMs,
    balanceMicros,
    withCash,
  }: { readonly until: Date; readonly offsetMs: number; readonly balanceMicros: bigint; readonly withCash: boolean },
): Promise<void> {
  await sql`
    insert into venue_accounts as a (venue, compared_at, compared_until, offset_ms, balance_micros, cash_compared_at)
    values (${venue}, clock_timestamp(), ${until}, ${Math.round(offsetMs)}, ${balanceMicros}, case when ${withCash} then clock_timestamp() end)
    on conflict (venue) do update set compared_at = excluded.compared_at, compared_until = greatest(a.compared_until, excluded.compared_until),
      offset_ms = excluded.offset_ms, balance_micros = excluded.balance_micros,
      cash_compared_at = coalesce(excluded.cash_compared_at, a.cash_compared_at)`;
}

export interface ComparedPosition {
  readonly listingId: string;
  readonly contractId: string | null;
  /** Net of both sides in micro-contracts; below 0 it is a position in NO. */
  readonly theirs: bigint;
  readonly ours: bigint;
  /** Whether an order is under way there, so that the two need not agree yet. */
  readonly inFlight: boolean;
}

interface OurRow {
  readonly listingId: string;
  readonly contractId: string;
  readonly net: bigint;
  readonly inFlight: boolean;
}

/**
 * The positions of our account at a venue beside those of the books: net of all tenants, listing by listing.
 *
 * A contract that has a result, ours or the venue's, or is matched with one that has, is left out, because either side may pay it out a
 * little later. Positions in contracts of one group count together, with the opposite sign if their YES is the listing's NO. Contracts
 * that we settled before our result was withdrawn are still held at the venue, so all their fills count.
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

/** A condition over `contracts c`: neither the contract nor one of its group has a result. */
const withoutResult = (sql: Sql) => sql`(coalesce(c.resolution, c.venue_resolution) is null
  and not exists (select 1 from contracts ended
    where ended.group_key = c.group_key and coalesce(ended.resolution, ended.venue_resolution) is not null))`;

export interface ComparedCash {
  /** Cash at the venue, in micro-dollars. */
  readonly theirs: bigint;
  /** The cash that the books expect at least and at most. The two differ while an order is under way or a payout may still come. */
  readonly least: bigint;
  readonly most: bigint;
  readonly agrees: boolean;
}

/** Venues keep their cash in whole cents. */
const TOLERANCE_MICROS = 10_000n;

interface Booked {
  readonly least: bigint;
  readonly most: bigint;
  readonly opening: bigint | null;
}

/**
 * The cash of our account at a venue beside the cash that the books expect: the opening balance, changed by fills, fees, payouts and
 * recorded transfers. Records the opening balance once.
 * @returns null while no cash can be expected, because the opening balance is not known
 * @throws VenueUnknown
 */
export async function compareCash(sql: Sql, venue: string, account: VenueAccount): Promise<ComparedCash | null> {
  // The books are read before and after the venue's answer, because trading goes on meanwhile.
  const before = await readBooked(sql, venue, account);
  const theirs = await account.balanceMicros();
  const redeemable = (await account.redeemableMicros?.()) ?? 0n;
  const after = await readBooked(sql, venue, account);
  const least = before.least < after.least ? before.least : after.least;
  const most = before.most > after.most ? before.most : after.most;
  const opening = after.opening ?? (least === most ? await recordOpening(sql, venue, theirs - least) : null);
  if (opening === null) {
    return null;
  }
  // Positions that can be redeemed may already be paid in our books.
  const agrees =
    theirs + redeemable >= opening + least - TOLERANCE_MICROS && theirs <= opening + most + TOLERANCE_MICROS;
  return { theirs, least: opening + least, most: opening + most, agrees };
}

async function readBooked(sql: Sql, venue: string, { keepsBothSides = false }: VenueAccount): Promise<Booked> {
  const [row] = await sql<[Booked]>`
    select c.least_micros::bigint as least, c.most_micros::bigint as most,
      (select a.opening_micros from venue_accounts a where a.venue = ${venue}) as opening
    from venue_cash(${venue}, ${keepsBothSides}) c`;
  return row;
}

/** @returns the recorded opening balance, which may be that of another process */
async function recordOpening(sql: Sql, venue: string, openingMicros: bigint): Promise<bigint | null> {
  const [row] = await sql<{ opening: bigint }[]>`
    update venue_accounts set opening_micros = coalesce(opening_micros, ${openingMicros}) where venue = ${venue}
    returning opening_micros as opening`;
  return row?.opening ?? null;
}
