/**
 * The SQL of the comparison of an account: the orders of a venue that our books have, the positions and cash that they expect there, and
 * the time of the last comparison. It moves no money.
 */
import type { Mode, Side } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { VenueAccount, VenuePosition, VenueTransfer } from '../../venues/port.ts';
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
  /** Whether a support person recorded the execution, so that our fill ids differ from the venue's. */
  readonly byPerson: boolean;
}

/** @returns from when on the account must be read, up to when it is then compared, and whether the cash is due as well */
export async function readCompared(
  sql: Sql,
  venue: string,
  overlapMs: number,
  cashEveryMs: number,
): Promise<{ readonly since: Date; readonly until: Date; readonly cashDue: boolean }> {
  // Before the very first comparison no order at the venue is ours, unless one was sent or the books were restored.
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
      left join order_fills f on f.operator_id = t.operator_id and f.order_id = t.order_id
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
    cash,
  }: {
    readonly until: Date;
    readonly offsetMs: number;
    readonly balanceMicros: bigint;
    /** Missing if the cash was not compared, null if it could not be. */
    readonly cash?: ComparedCash | null;
  },
): Promise<void> {
  const withCash = cash !== undefined;
  await sql`
    insert into venue_accounts as a (venue, compared_at, compared_until, offset_ms, balance_micros, cash_compared_at)
    values (${venue}, clock_timestamp(), ${until}, ${Math.round(offsetMs)}, ${balanceMicros}, case when ${withCash} then clock_timestamp() end)
    on conflict (venue) do update set compared_at = excluded.compared_at, compared_until = greatest(a.compared_until, excluded.compared_until),
      offset_ms = excluded.offset_ms, balance_micros = excluded.balance_micros,
      cash_compared_at = coalesce(excluded.cash_compared_at, a.cash_compared_at)`;
  if (cash) {
    await sql`
      update venue_accounts set unexplained_micros = ${cash.unexplained}, received_micros = ${cash.received} where venue = ${venue}`;
  }
}

/** Contracts of both sides of a listing, in micro-contracts. */
export interface BothSides {
  readonly yes: bigint;
  readonly no: bigint;
}

export interface ComparedPosition {
  readonly listingId: string;
  readonly contractId: string | null;
  readonly theirs: BothSides;
  readonly ours: BothSides;
  /** Whether an order is under way there, so that the two need not agree yet. */
  readonly inFlight: boolean;
  /** Whether an order there counts as never received since a day, so that it could explain a surplus at the venue. */
  readonly doubtful: boolean;
}

/** The net of both sides in micro-contracts; below 0 it is a position in NO. */
export const netOf = ({ yes, no }: BothSides): bigint => yes - no;

/**
 * How a position at the venue differs from the books.
 * @returns 0 if they agree; below 0 the micro-contracts that are missing at the venue; above 0 those that it has more than the books,
 *   while none is missing
 */
export function differenceOf({ theirs, ours }: Pick<ComparedPosition, 'theirs' | 'ours'>): bigint {
  const [yes, no] = [theirs.yes - ours.yes, theirs.no - ours.no];
  const missing = (yes < 0n ? yes : 0n) + (no < 0n ? no : 0n);
  return missing < 0n ? missing : yes + no;
}

interface OurRow extends BothSides {
  readonly listingId: string;
  readonly contractId: string;
  readonly inFlight: boolean;
  readonly doubtful: boolean;
}

/**
 * The positions of our account at a venue beside those of the books, of all tenants together, listing by listing. If the venue does not
 * keep both sides apart, each position is in one side.
 *
 * A contract that has a result, ours or the venue's, or is matched with one that has, is left out, because either side may pay it out a
 * little later. Positions in contracts of one group count together, with the other side if their YES is the listing's NO. Contracts
 * that we settled before our result was withdrawn are still held at the venue, so all their fills count.
 */
export async function comparePositions(
  sql: Sql,
  venue: string,
  { keepsBothSides = false }: Pick<VenueAccount, 'keepsBothSides'>,
  held: readonly VenuePosition[],
): Promise<ComparedPosition[]> {
  const rows = await sql<OurRow[]>`
    with kept as materialized (
      select o.contract_id, o.side, sum(h.quantity_micros) as quantity_micros
      from positions o join position_holdings h using (operator_id, position_id)
      where o.status = 'open' and not o.simulated and h.venue = ${venue}
      group by 1, 2
    ), held as materialized (
      select coalesce(c.group_key, c.contract_id) as group_of,
        coalesce(sum(kept.quantity_micros) filter (where (kept.side = 'YES') = not c.inverse), 0) as yes,
        coalesce(sum(kept.quantity_micros) filter (where (kept.side = 'YES') = c.inverse), 0) as no
      from kept join contracts c using (contract_id)
      group by 1
    ), reopened as materialized (
      select distinct coalesce(group_key, contract_id) as group_of from contracts where resolution is null and resolution_version > 0
    ), traded as materialized (
      select distinct l.listing_id
      from reopened join contracts c on coalesce(c.group_key, c.contract_id) = reopened.group_of
        join listings l on l.venue = ${venue} and l.contract_id = c.contract_id
    ), filled as materialized (
      select t.listing_id,
        coalesce(sum(case t.action when 'BUY' then f.quantity_micros else -f.quantity_micros end) filter (where t.side = 'YES'), 0) as yes,
        coalesce(sum(case t.action when 'BUY' then f.quantity_micros else -f.quantity_micros end) filter (where t.side = 'NO'), 0) as no
      from transmissions t join traded on traded.listing_id = t.listing_id join order_fills f using (operator_id, order_id)
      where t.venue = ${venue}
      group by 1
    ), sent as materialized (
      select distinct listing_id from transmissions where venue = ${venue} and state <> 'done'
    ), doubtful as materialized (
      select distinct t.listing_id
      from transmissions t join orders o using (operator_id, order_id)
      where t.venue = ${venue} and t.state = 'done' and t.sent_at > now() - interval '1 day'
        and o.reject_reason like 'never_received (%')
    select l.listing_id, l.contract_id, sent.listing_id is not null as in_flight, doubtful.listing_id is not null as doubtful,
      (case when reopened.group_of is not null then coalesce(filled.yes, 0)
        when c.inverse then coalesce(held.no, 0) else coalesce(held.yes, 0) end)::bigint as yes,
      (case when reopened.group_of is not null then coalesce(filled.no, 0)
        when c.inverse then coalesce(held.yes, 0) else coalesce(held.no, 0) end)::bigint as no
    from listings l join contracts c using (contract_id) left join held on held.group_of = coalesce(c.group_key, c.contract_id)
      left join reopened on reopened.group_of = coalesce(c.group_key, c.contract_id)
      left join filled using (listing_id) left join sent using (listing_id) left join doubtful using (listing_id)
    where l.venue = ${venue} and ${withoutResult(sql)}
      and (held.group_of is not null or filled.listing_id is not null or l.listing_id = any (${held.map(({ listingId }) => listingId)}::text[]))`;
  const settle = (sides: BothSides) => (keepsBothSides ? sides : netted(sides));
  const theirs = new Map(
    [...Map.groupBy(held, ({ listingId }) => listingId)].map(([listingId, some]) => [
      listingId,
      settle({ yes: quantityOf(some, 'YES'), no: quantityOf(some, 'NO') }),
    ]),
  );
  const known = rows.map(({ listingId, contractId, yes, no, inFlight, doubtful }) => {
    return {
      listingId,
      contractId,
      theirs: theirs.get(listingId) ?? NOTHING,
      ours: settle({ yes, no }),
      inFlight,
      doubtful,
    };
  });
  const resolved = await sql<{ listingId: string }[]>`
    select l.listing_id from listings l join contracts c using (contract_id)
    where l.venue = ${venue} and not ${withoutResult(sql)} and l.listing_id = any (${[...theirs.keys()]}::text[])`;
  const found = new Set([...known, ...resolved].map(({ listingId }) => listingId));
  const foreign = [...theirs].filter(([listingId]) => !found.has(listingId));
  return [
    ...known.filter((one) => isHeld(one.theirs) || isHeld(one.ours)),
    ...foreign.map(([listingId, sides]) => {
      return { listingId, contractId: null, theirs: sides, ours: NOTHING, inFlight: false, doubtful: false };
    }),
  ];
}

const NOTHING: BothSides = { yes: 0n, no: 0n };
const isHeld = ({ yes, no }: BothSides): boolean => yes !== 0n || no !== 0n;

/** The same position where a pair of both sides becomes a dollar immediately. */
function netted(sides: BothSides): BothSides {
  const net = netOf(sides);
  return net > 0n ? { yes: net, no: 0n } : { yes: 0n, no: -net };
}

const quantityOf = (held: readonly VenuePosition[], side: Side): bigint =>
  held.reduce((sum, one) => (one.side === side ? sum + one.quantityMicros : sum), 0n);

/** A condition over `contracts c`: neither the contract nor one of its group has a result. */
const withoutResult = (sql: Sql) => sql`(coalesce(c.resolution, c.venue_resolution) is null
  and not exists (select 1 from contracts ended
    where ended.group_key = c.group_key and coalesce(ended.resolution, ended.venue_resolution) is not null))`;

/** A market that closed at the venue a day ago, in which positions are open although no result is known. */
export interface OverdueResult {
  readonly listingId: string;
  readonly contractId: string;
  readonly closesAt: Date;
  /** Contracts of both sides that customers hold there, in micro-contracts. */
  readonly quantityMicros: bigint;
}

/** A market that closed before its time was last changed when it closed. */
export function listOverdueResults(sql: Sql, venue: string): Promise<OverdueResult[]> {
  return sql<OverdueResult[]>`
    with kept as materialized (
      select o.contract_id, sum(h.quantity_micros) as quantity_micros
      from positions o join position_holdings h using (operator_id, position_id)
      where o.status = 'open' and not o.simulated and h.venue = ${venue} and h.quantity_micros > 0
      group by 1
    ), held as materialized (
      select coalesce(c.group_key, c.contract_id) as group_of, sum(kept.quantity_micros)::bigint as quantity_micros
      from kept join contracts c using (contract_id)
      group by 1
    )
    select l.listing_id, l.contract_id, c.closes_at, held.quantity_micros
    from held join contracts c on coalesce(c.group_key, c.contract_id) = held.group_of
      join listings l on l.contract_id = c.contract_id and l.venue = ${venue}
    where c.trading_closed and least(c.closes_at, c.updated_at) < now() - interval '1 day' and ${withoutResult(sql)}
    order by l.listing_id`;
}

export interface ComparedCash {
  /** Cash at the venue, in micro-dollars. */
  readonly theirs: bigint;
  /** The cash that the books expect at least and at most. The two differ while an order is under way or a payout may still come. */
  readonly least: bigint;
  readonly most: bigint;
  /** 0 if they agree. Below 0 the micro-dollars that are missing at the venue, above 0 those that it has more than the books explain. */
  readonly difference: bigint;
  /** The unexplained surplus at the venue. It is expected to stay until a transfer explains it. */
  readonly unexplained: bigint;
  /** The sum of the transfers above 0. */
  readonly received: bigint;
}

/** Venues keep their cash in whole cents. */
const CENT_MICROS = 10_000n;

interface Booked {
  readonly least: bigint;
  readonly most: bigint;
  readonly opening: bigint | null;
  /** Number of fills with a fee. */
  readonly fees: bigint;
  readonly received: bigint;
  /** As of the last comparison of the cash. */
  readonly unexplained: bigint;
  readonly receivedThen: bigint;
}

/**
 * The cash of our account at a venue beside the cash that the books expect: the opening balance, changed by fills, fees, payouts and
 * transfers. Records the opening balance once.
 * @param transfers payments in or out that the venue lists; pending ones may be in the balance or not
 * @returns null while no cash can be expected, because the opening balance is not known
 * @throws VenueUnknown
 */
export async function compareCash(
  sql: Sql,
  venue: string,
  account: VenueAccount,
  transfers: readonly VenueTransfer[] = [],
): Promise<ComparedCash | null> {
  // The books are read before and after the venue's response, because trading goes on meanwhile.
  const before = await readBooked(sql, venue, account);
  const theirs = await account.balanceMicros();
  const redeemable = (await account.redeemableMicros?.()) ?? 0n;
  const after = await readBooked(sql, venue, account);
  const pending = transfers.filter((one) => one.pending).map(({ amountMicros }) => amountMicros);
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
  const least =
    (before.least < after.least ? before.least : after.least) + sum(pending.filter((amount) => amount < 0n));
  const most = (before.most > after.most ? before.most : after.most) + sum(pending.filter((amount) => amount > 0n));
  const opening = after.opening ?? (least === most ? await recordOpening(sql, venue, theirs - least) : null);
  if (opening === null) {
    return null;
  }
  const tolerance = CENT_MICROS + after.fees * (account.feeErrorMicros ?? 0n);
  const explained = after.received - after.receivedThen;
  const stays = after.unexplained > explained ? after.unexplained - explained : 0n;
  const more = theirs - (opening + most);
  // Positions that can be redeemed may already be paid in our books.
  const missing = opening + least + stays - (theirs + redeemable);
  const difference = missing > tolerance ? -missing : more > tolerance ? more : 0n;
  return {
    theirs,
    least: opening + least,
    most: opening + most,
    difference,
    unexplained: difference > stays ? difference : stays,
    received: after.received,
  };
}

async function readBooked(sql: Sql, venue: string, { keepsBothSides = false }: VenueAccount): Promise<Booked> {
  const [row] = await sql<[Booked]>`
    select c.least_micros::bigint as least, c.most_micros::bigint as most, c.fees, c.received_micros::bigint as received,
      a.opening_micros as opening, coalesce(a.unexplained_micros, 0) as unexplained, coalesce(a.received_micros, 0) as received_then
    from venue_cash(${venue}, ${keepsBothSides}) c left join venue_accounts a on a.venue = ${venue}`;
  return row;
}

/** @returns the recorded opening balance, which may be that of another process */
async function recordOpening(sql: Sql, venue: string, openingMicros: bigint): Promise<bigint> {
  const [row] = await sql<[{ opening: bigint }]>`
    insert into venue_accounts as a (venue, opening_micros, opening_at) values (${venue}, ${openingMicros}, clock_timestamp())
    on conflict (venue) do update set opening_micros = coalesce(a.opening_micros, excluded.opening_micros),
      opening_at = coalesce(a.opening_at, excluded.opening_at)
    returning opening_micros as opening`;
  return row.opening;
}
