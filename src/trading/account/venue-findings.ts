/** What venues report of our account and our books do not know: stored unchanged until it is no longer found. */
import type { Sql } from '../../db/client.ts';

export interface Difference {
  readonly kind: string;
  /** What it is about there: our id of an order, a fill, a listing. */
  readonly subject: string;
  /** Null where it belongs to no order of ours. */
  readonly operatorId: string | null;
  readonly orderId: string | null;
  readonly raw: unknown;
}

export interface VenueFinding {
  readonly venue: string;
  readonly kind: string;
  readonly subject: string;
  readonly orderId: string | null;
  readonly foundAt: Date;
}

/**
 * Keeps what is new.
 * @returns the new ones.
 */
export async function recordDifferences(
  sql: Sql,
  venue: string,
  differences: readonly Difference[],
): Promise<Difference[]> {
  if (differences.length === 0) {
    return [];
  }
  const rows = JSON.stringify(
    differences.map(({ raw, ...one }) => ({ ...one, raw })),
    (_, value) => (typeof value === 'bigint' ? value.toString() : value),
  );
  const fresh = await sql<{ kind: string; subject: string }[]>`
    insert into venue_findings as v (venue, kind, subject, operator_id, order_id, raw)
    select ${venue}, d.kind, d.subject, d."operatorId", d."orderId", d.raw
    from json_to_recordset(${rows}::text::json) as d(kind text, subject text, "operatorId" text, "orderId" text, raw json)
    on conflict (venue, kind, subject) do update set cleared_at = null, raw = excluded.raw, found_at = now() where v.cleared_at is not null
    returning kind, subject`;
  return differences.filter((one) => fresh.some(({ kind, subject }) => kind === one.kind && subject === one.subject));
}

/** Findings that are open, oldest first. */
export function listFindings(sql: Sql): Promise<VenueFinding[]> {
  return sql<VenueFinding[]>`
    select venue, kind, subject, order_id, found_at from venue_findings where cleared_at is null order by finding_id`;
}

/**
 * Clears findings that no longer apply: fills that a person or a look-up has booked since, and findings about orders that the
 * venue reported again.
 * @param differences what was found now. @param ourIds the orders that the venue reported. @param whole kinds that it reports completely.
 */
export async function clearGone(
  sql: Sql,
  venue: string,
  differences: readonly Difference[],
  ourIds: readonly string[],
  whole: readonly string[],
): Promise<void> {
  const now = differences.map(({ kind, subject }) => `${kind} ${subject}`);
  await sql`
    update venue_findings v set cleared_at = now()
    where v.venue = ${venue} and v.cleared_at is null and (
      ((v.subject = any (${[...ourIds]}::text[]) or v.kind = any (${[...whole]}::text[])) and v.kind || ' ' || v.subject <> all (${now}::text[]))
      or (v.kind = 'late_fill' and exists (
        select 1 from fills f where f.operator_id = v.operator_id and f.order_id = v.order_id and f.venue_fill_id = v.subject)))`;
}
