/** What our books know of the orders that a venue reports, and up to when the venue's account was compared. */
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import { orderIdOf } from '../execution/venue-order-id.ts';

export interface KnownOrder {
  readonly ourId: string;
  readonly operatorId: string;
  readonly orderId: string;
  readonly mode: Mode;
  /** State of the attempt; null if none was begun. */
  readonly attempt: string | null;
  /** Recorded fills, by the venue's ids. */
  readonly fills: readonly string[];
  /** Whether a person recorded what the venue did: then our fill ids differ from the venue's. */
  readonly byPerson: boolean;
}

/** @returns from when on the account is to be read, up to when it is then compared, and whether the cash is due as well. */
export async function readCompared(
  sql: Sql,
  venue: string,
  overlapMs: number,
  cashEveryMs: number,
): Promise<{ readonly since: Date; readonly until: Date; readonly cashDue: boolean }> {
  // before the first comparison ever nothing there is ours, unless something was sent or the books lost what they knew
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

/** @returns by our id at the venue; what is not ours is missing. */
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
 * The venue pushed news of these orders: they are looked up soon, unless the answer to the send comes first.
 * @param ids ours, or those that the venue gave
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
