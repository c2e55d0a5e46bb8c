/**
 * The store of findings about our accounts at venues, and of the stops of trading that they cause. A venue that has more than the books, or
 * that owes a result, is a warning and stops nothing. While trading at a venue is stopped, no order is sent there and live operators get no
 * quote from it; look-ups and comparisons go on. Only a support person resumes trading.
 */
import { operatorOf, readByOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';

export interface Difference {
  readonly kind: string;
  /** The order (by our id), fill or listing that it is about. */
  readonly subject: string;
  /** Null if it belongs to no order of ours. */
  readonly operatorId: string | null;
  readonly orderId: string | null;
  /**
   * Micro-contracts of a position or cents of the cash: above 0 the venue has more than the books, or owes a result for so much; below 0
   * that much is missing there. Undefined if there is no amount to compare.
   */
  readonly size?: bigint;
  readonly raw: unknown;
}

export interface VenueFinding {
  readonly venue: string;
  readonly kind: string;
  readonly subject: string;
  readonly orderId: string | null;
  readonly foundAt: Date;
  readonly warning: boolean;
}

interface Recorded {
  /** The differences that are new or have grown. */
  readonly fresh: readonly Difference[];
  /** Why this call stopped trading; null if trading goes on, or had stopped already. */
  readonly stopped: string | null;
}

/** The name of a finding. A venue has at most one finding of each name. */
export const nameOf = ({ kind, subject }: Pick<Difference, 'kind' | 'subject'>): string => `${kind} ${subject}`;

/** Whether nothing is missing at the venue, so that trading goes on. */
export const isWarning = ({ size = 0n }: Pick<Difference, 'size'>): boolean => size > 0n;

/** A market in which positions are open closed at the venue a day ago, and no result is known. */
export const RESULT_OVERDUE = 'result_overdue';

/** The text of a warning about its subject. */
export const describeWarning = (kind: string): string =>
  kind === RESULT_OVERDUE ? 'closed a day ago, and is held without a result' : 'is more than the books explain';

/** How many of its findings a stop names. */
const NAMED = 3;

/**
 * Records differences that are new or have grown, and stops trading at the venue because of those that are not warnings, unless it has
 * stopped already. Findings that are open and have not grown do not stop it again, because a support person resumed trading in spite of
 * them. Both are one statement: a process that ended in between would leave a finding that is no longer new, and trading would go on.
 */
export async function recordDifferences(
  sql: Sql,
  venue: string,
  differences: readonly Difference[],
): Promise<Recorded> {
  if (differences.length === 0) {
    return { fresh: [], stopped: null };
  }
  const rows = JSON.stringify(
    differences.map((one, place) => ({ ...one, place })),
    (_, value) => (typeof value === 'bigint' ? value.toString() : value),
  );
  const [row] = await sql<[{ places: number[]; stopped: string | null }]>`
    with given as (
      select * from json_to_recordset(${rows}::text::json)
        as d(place int, kind text, subject text, "operatorId" text, "orderId" text, size bigint, raw json)
    ), recorded as (
      insert into venue_findings as v (venue, kind, subject, operator_id, order_id, size, raw)
      select ${venue}, kind, subject, "operatorId", "orderId", coalesce(size, 0), raw from given order by place
      on conflict (venue, kind, subject) do update set cleared_at = null, size = excluded.size, raw = excluded.raw, found_at = now()
        where v.cleared_at is not null or abs(excluded.size) > abs(v.size) or sign(excluded.size) * sign(v.size) < 0
      returning kind, subject
    ), fresh as (
      select given.place, replace(kind, '_', ' ') || ' ' || subject as name, coalesce(given.size, 0) > 0 as warning,
        row_number() over (partition by coalesce(given.size, 0) > 0 order by given.place) as number
      from given join recorded using (kind, subject)
    ), stop as (
      insert into venue_stops (venue, because)
      select ${venue}, string_agg(name, ', ' order by place) filter (where number <= ${NAMED})
        || case when count(*) > ${NAMED} then ' and ' || count(*) - ${NAMED} || ' more' else '' end
      from fresh where not warning having count(*) > 0
      on conflict (venue) where resumed_at is null do nothing
      returning because
    )
    select array(select place from fresh) as places, (select because from stop) as stopped`;
  return { fresh: differences.filter((_, place) => row.places.includes(place)), stopped: row.stopped };
}

/** The open findings, oldest first. */
export function listFindings(sql: Sql): Promise<VenueFinding[]> {
  return sql<VenueFinding[]>`
    select venue, kind, subject, order_id, found_at, size > 0 as warning
    from venue_findings where cleared_at is null order by finding_id`;
}

/**
 * Clears findings that no longer apply: fills that a support person or a look-up has booked since, and findings about orders that the venue
 * reported again.
 * @param still names of the findings that were found now, or could not be decided
 * @param ourIds our ids of the orders that the venue reported
 * @param whole kinds that the venue reports completely
 */
export async function clearGone(
  sql: Sql,
  venue: string,
  still: readonly string[],
  ourIds: readonly string[],
  whole: readonly string[],
): Promise<void> {
  const late = await sql<{ operatorId: string; orderId: string; subject: string }[]>`
    select operator_id, order_id, subject from venue_findings
    where venue = ${venue} and cleared_at is null and kind = 'late_fill' and operator_id is not null`;
  const booked = await readByOperator(
    sql,
    late,
    (operatorId, some) => sql<{ subject: string }[]>`
      select x.subject from unnest(${some.map((one) => one.operatorId)}::text[], ${some.map(({ orderId }) => orderId)}::text[],
          ${some.map(({ subject }) => subject)}::text[]) as x(operator_id, order_id, subject)
        join order_fills f on f.operator_id = ${operatorOf(sql, operatorId)} and f.order_id = x.order_id and f.venue_fill_id = x.subject`,
  );
  await sql`
    update venue_findings v set cleared_at = now()
    where v.venue = ${venue} and v.cleared_at is null and (
      ((v.subject = any (${[...ourIds]}::text[]) or v.kind = any (${[...whole]}::text[])) and v.kind || ' ' || v.subject <> all (${[...still]}::text[]))
      or (v.kind = 'late_fill' and v.subject = any (${booked.map(({ subject }) => subject)}::text[])))`;
}

export interface TradingStop {
  readonly venue: string;
  readonly stoppedAt: Date;
  readonly because: string;
}

/**
 * Stops trading at a venue by decision of a support person.
 * @returns the stop; undefined if trading had stopped already
 */
export async function stopTradingBecause(sql: Sql, venue: string, because: string): Promise<TradingStop | undefined> {
  const [stop] = await sql<TradingStop[]>`
    insert into venue_stops (venue, because) values (${venue}, ${because})
    on conflict (venue) where resumed_at is null do nothing
    returning venue, stopped_at as "stoppedAt", because`;
  return stop;
}

export function listStops(sql: Sql): Promise<TradingStop[]> {
  return sql<TradingStop[]>`
    select venue, stopped_at as "stoppedAt", because from venue_stops where resumed_at is null order by venue`;
}

/**
 * Resumes trading at a venue. Findings that are open now do not stop it again; new ones do.
 * @returns the stop that ended; undefined if trading was not stopped
 */
export async function resumeTrading(sql: Sql, venue: string): Promise<TradingStop | undefined> {
  const [stop] = await sql<TradingStop[]>`
    update venue_stops set resumed_at = clock_timestamp(), resumed_by = session_user where venue = ${venue} and resumed_at is null
    returning venue, stopped_at as "stoppedAt", because`;
  return stop;
}
