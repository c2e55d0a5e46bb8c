/**
 * The store of attempts at venues: the orders that may be sent, the attempts whose look-up is due, and the evidence about them. Only the
 * transition to `submitted` makes an attempt, and never twice.
 */
import type { Mode, Side } from '../../core/terms.ts';
import { among, callForAll, readOfAll } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import type { SentOrder, UnnamedOrder, Venue } from '../../venues/port.ts';
import { chooseOrder, type UnnamedAttempt } from '../../venues/unnamed-orders.ts';
import type { AttemptState, OrderRow } from '../orders/order.ts';
import type { TransmissionRefusal } from '../orders/orders.ts';
import type { ScenarioPart } from '../orders/simulate-fill.ts';

export interface Attempt {
  readonly operatorId: string;
  readonly orderId: string;
  readonly ourId: string;
  readonly venue: string;
  readonly listingId: string;
  readonly side: Side;
  readonly action: 'BUY' | 'SELL';
  readonly quantityMicros: bigint;
  readonly limitPriceMicros: bigint;
  /** The amount that a buy spends before fees; null if the quantity is the bound. */
  readonly spendMicros: bigint | null;
  /** The order's id at the venue, if it is known: before the order was sent, or since the venue responded. */
  readonly venueRef: string | null;
  /** The venue's terms with which it was prepared. */
  readonly venueTerms: string | null;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly state: AttemptState;
  readonly lookups: number;
  readonly notFound: number;
  /** The proof that the venue does not have the order; null if there is none. */
  readonly notSent: string | null;
}

/** The part of an attempt against which reports are validated. It never changes. */
export type SentAttempt = Pick<
  Attempt,
  'ourId' | 'listingId' | 'side' | 'quantityMicros' | 'limitPriceMicros' | 'spendMicros'
>;

/** The attempt as a look-up at the venue needs it. */
export function sentOrder({ listingId, side, action, venueRef, venueTerms, sentAt }: Attempt): SentOrder {
  return { listingId, side, action, venueRef: venueRef ?? undefined, terms: venueTerms ?? undefined, sentAt };
}

/** An attempt whose look-up is due. The times are compared by the database's clock. */
export interface DueAttempt extends Attempt {
  /** Whether a minute has passed since the send expired, so that "not found" may count. */
  readonly expiredLong: boolean;
  /** Whether ten seconds have passed since the send expired, so that a working order is cancelled. */
  readonly overdue: boolean;
}

/** An order that was not sent yet. `withdraw` is the code with which it must be withdrawn, or null. */
export type WaitingOrder = OrderRow &
  ScenarioPart & { readonly mode: Mode; readonly withdraw: TransmissionRefusal | null };

/**
 * Lists untransmitted orders that may be sent now or must be withdrawn; and simulated orders whose local fill a crash prevented, which
 * end without a fill if `withdraw` is set. Orders behind a closed gate are left out.
 * @param except ids of orders to leave out
 * @param fullVenues venues that can take no more orders now; orders for them are left out, so that they do not use up the limit
 */
export async function listWaiting(
  sql: Sql,
  limit: number,
  except: readonly string[] = [],
  fullVenues: readonly string[] = [],
): Promise<WaitingOrder[]> {
  const waiting = await readOfAll(
    sql,
    (operators) => sql<WaitingOrder[]>`
    with unsent as materialized (
      select r.*, s.fill_fraction, s.fill_amount_minor, o.mode, o.status as operator_status, o.trading_paused,
        o.execution_confirmed_at, k.status as customer_status, ${gatesOpen(sql)} as gates_open
      from orders r join operators o using (operator_id)
        join customers k on k.operator_id = r.operator_id and k.external_user_id = r.external_user_id ${among(sql, sql`k.operator_id`, operators)}
        left join scenarios s on s.operator_id = r.operator_id and s.scenario_id = r.scenario_id ${among(sql, sql`s.operator_id`, operators)}
      where r.status in ('reserve_pending', 'pending_venue_execution', 'submitted') and (r.status <> 'submitted' or r.simulated)
        and r.order_id <> all (${[...except]}::text[]) ${among(sql, sql`r.operator_id`, operators)}
    )
    select r.*, nullif(refused.code, 'waits') as withdraw
    from unsent r left join contracts m on m.contract_id = r.contract_id
      cross join lateral (select sending_refusal(r.operator_status, r.trading_paused, r.gates_open, r.execution_confirmed_at,
        r.customer_status, known_market_of(m), r.status, r.updated_at, now()) as code) refused
    where r.status = 'submitted' or refused.code <> 'waits'
      or (refused.code is null and (r.simulated or r.venue <> all (${[...fullVenues]}::text[])))
    order by r.order_id limit ${limit}`,
  );
  return waiting.sort((one, other) => (one.orderId < other.orderId ? -1 : 1)).slice(0, limit);
}

/** Whether both gates are open: a condition over `operators o` and `orders r`. */
export const gatesOpen = (sql: Sql) => sql`(o.execution_confirmed and r.armed)`;

/** How long after the expiry of a send "not found" may count. */
const EXPIRED_LONG_MS = 60_000;
/** How long after the expiry of a send a working order is cancelled. */
const OVERDUE_MS = 10_000;

/** Longer than a look-up and its record take. The claim of a worker that died ends after this time. */
const CLAIM_SECONDS = 10;

/**
 * Claims the attempts whose look-up is due, so that only one of many workers queries the venue. A late or second look-up would move no
 * money, but a wrong report would be stored as evidence twice.
 * @param room how many more requests each venue can take
 * @param except ids of orders to leave out
 */
export async function claimDue(
  sql: Sql,
  room: ReadonlyMap<string, number>,
  except: readonly string[] = [],
): Promise<DueAttempt[]> {
  const claimed = await callForAll(
    sql,
    (operators) => sql<{ operatorId: string }[]>`
      select distinct operator_id from transmissions
      where state <> 'done' and next_lookup_at <= now() and order_id <> all (${[...except]}::text[])
        ${among(sql, sql`operator_id`, operators)}`,
    (operatorId) => sql<(Attempt & { readonly claimedAt: Date })[]>`
      with due as (
        select t.operator_id, t.order_id, now() as claimed_at from unnest(${[...room.keys()]}::text[], ${[...room.values()]}::int[]) as v(venue, room)
          cross join lateral (
            select d.operator_id, d.order_id from transmissions d
            where d.venue = v.venue and d.state <> 'done' and d.operator_id = coalesce(nullif(${operatorId}, ''), d.operator_id)
              and d.next_lookup_at <= now() and d.order_id <> all (${[...except]}::text[])
            order by d.next_lookup_at limit v.room for update skip locked) t
      )
      update transmissions t set next_lookup_at = now() + make_interval(secs => ${CLAIM_SECONDS})
      from due where t.operator_id = coalesce(nullif(${operatorId}, ''), due.operator_id) and t.order_id = due.order_id
      returning t.*, due.claimed_at`,
  );
  return claimed.map(({ claimedAt, ...attempt }) => {
    const sinceMs = claimedAt.getTime() - attempt.expiresAt.getTime();
    return { ...attempt, expiredLong: sinceMs > EXPIRED_LONG_MS, overdue: sinceMs > OVERDUE_MS };
  });
}

export async function findAttempt(sql: Sql, operatorId: string, orderId: string): Promise<Attempt | undefined> {
  const [row] = await sql<Attempt[]>`
    select * from transmissions where operator_id = ${operatorId} and order_id = ${orderId}`;
  return row;
}

/**
 * Plans the next look-up, by the database's clock (`next_lookup_at` in SQL), after one without news.
 * @param state the new state of the attempt; null to keep it
 */
export async function postpone(
  sql: Sql,
  attempt: Pick<Attempt, 'operatorId' | 'orderId'>,
  state: AttemptState | null = null,
): Promise<void> {
  await sql`
    update transmissions set lookups = lookups + 1, not_found = 0, state = coalesce(${state}, state),
      next_lookup_at = next_lookup_at(now(), expires_at, lookups, false)
    where operator_id = ${attempt.operatorId} and order_id = ${attempt.orderId} and state <> 'done'`;
}

/**
 * Records that the venue does not have the order.
 * @param counts whether that may count by now
 * @returns how often in a row it has counted
 */
export async function noteNotFound(
  sql: Sql,
  attempt: Pick<Attempt, 'operatorId' | 'orderId'>,
  counts: boolean,
): Promise<number> {
  const [row] = await sql<{ notFound: number }[]>`
    update transmissions set lookups = lookups + 1, not_found = case when ${counts} then not_found + 1 else 0 end,
      next_lookup_at = next_lookup_at(now(), expires_at, lookups, ${counts} and not_found < ${NOT_FOUND_TIMES})
    where operator_id = ${attempt.operatorId} and order_id = ${attempt.orderId} and state <> 'done'
    returning not_found`;
  return row?.notFound ?? 0;
}

/** How often in a row "not found" must count before it decides (contract 18.8). */
export const NOT_FOUND_TIMES = 3;

/** Stores the proof that the venue does not have the order. */
export async function noteNotSent(
  sql: Sql,
  attempt: Pick<Attempt, 'operatorId' | 'orderId'>,
  proof: string,
): Promise<void> {
  await sql`
    update transmissions set not_sent = ${proof}
    where operator_id = ${attempt.operatorId} and order_id = ${attempt.orderId} and state <> 'done'`;
}

/**
 * Stores the venue's own id of an order, if the venue may return the order without ours.
 * @returns false if the order is known as that of another attempt, so that it cannot be this one
 */
export async function nameAttempt(
  sql: Sql,
  { name, mayOmitOurId = false }: Pick<Venue, 'name' | 'mayOmitOurId'>,
  { operatorId, orderId }: Pick<Attempt, 'operatorId' | 'orderId'>,
  venueRef: string,
): Promise<boolean> {
  if (!mayOmitOurId) {
    return true;
  }
  const [row] = await sql<[{ named: boolean }]>`
    select name_attempt(${operatorId}, ${orderId}, ${name}, ${venueRef}) as named`;
  return row.named;
}

/** The relation of an attempt to the orders that a venue lists without our id. */
interface Recognised {
  /** The order of the attempt; undefined if none of them is, or it cannot be determined. */
  readonly order: UnnamedOrder | undefined;
  /** The orders that are not attributed to another attempt. */
  readonly open: readonly UnnamedOrder[];
}

/** Compares the orders with this attempt and with the others that sent the same (contract 18.18). */
export async function recogniseOrder(sql: Sql, attempt: Attempt, orders: readonly UnnamedOrder[]): Promise<Recognised> {
  const ids = orders.map(({ venueOrderId }) => venueOrderId);
  // An order that a support person decided stays a rival, because its order there, if it has one, was never identified.
  const others = await sql<(UnnamedAttempt & Pick<Attempt, 'venueRef'>)[]>`
    with same as materialized (
      select t.operator_id, t.order_id from transmissions t where t.state <> 'done' and t.venue = ${attempt.venue}
      union
      select e.operator_id, e.order_id from venue_evidence e where e.kind = 'person' and e.recorded_at >= ${attempt.sentAt}
    )
    select t.* from transmissions t where t.venue_ref = any (${ids}::text[]) and t.venue = ${attempt.venue} and t.our_id <> ${attempt.ourId}
    union
    select t.* from same join transmissions t using (operator_id, order_id)
    where t.venue = ${attempt.venue} and t.listing_id = ${attempt.listingId} and t.side = ${attempt.side} and t.action = ${attempt.action}
      and t.quantity_micros = ${attempt.quantityMicros} and t.limit_price_micros = ${attempt.limitPriceMicros}
      and t.venue_ref is null and t.not_sent is null and t.our_id <> ${attempt.ourId}`;
  const taken = new Set(others.map(({ venueRef }) => venueRef));
  const open = orders.filter(({ venueOrderId }) => !taken.has(venueOrderId));
  const rivals = others.filter(({ venueRef }) => venueRef === null);
  return { order: chooseOrder(attempt, open, rivals), open };
}

/** Stores, unchanged and once, a report of a venue or a support person that needs to be examined. */
export async function recordEvidence(
  sql: Sql,
  evidence: {
    readonly operatorId: string;
    readonly orderId: string;
    readonly kind: string;
    readonly severity: 'critical' | 'warning' | 'info';
    readonly raw: unknown;
  },
): Promise<void> {
  const raw =
    JSON.stringify(evidence.raw, (_, value) => (typeof value === 'bigint' ? value.toString() : value)) ?? 'null';
  await sql`
    insert into venue_evidence (operator_id, order_id, kind, severity, raw)
    select ${evidence.operatorId}, ${evidence.orderId}, ${evidence.kind}, ${evidence.severity}, ${raw}::text::json
    where not exists (select 1 from venue_evidence e where e.operator_id = ${evidence.operatorId}
      and e.order_id = ${evidence.orderId} and e.kind = ${evidence.kind} and e.raw::text = ${raw})`;
}

/**
 * Our id of an order at a venue. It is derived from the order's id, so that an order that is sent again is the same order there, and
 * so that an order found at a venue leads back to ours even if our tables lost it.
 * @param orderId `ord_` and 32 hex digits
 */
export function venueIdOf(orderId: string): string {
  return orderId.replace(/^ord_/, 'att_');
}

const OURS = /^att_([0-9a-f]{32})$/;

/** @returns undefined if the id is not one of ours */
export function orderIdOf(ourId: string): string | undefined {
  const body = OURS.exec(ourId)?.[1];
  return body === undefined ? undefined : `ord_${body}`;
}
