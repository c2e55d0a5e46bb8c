/**
 * Statements of banks and venues beside our books. What does not match by reference, amount and date is a break, which a person
 * closes with a reason. Owns `outside_statements`, `outside_rows` and `outside_breaks`.
 */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';

export type OutsideKind = 'bank' | 'venue';

/** One row of a statement. */
export interface OutsideRow {
  /** Line of the file. */
  readonly line: number;
  readonly reference: string;
  /** Cents; above 0 was paid to us. */
  readonly amountMinor: bigint;
  /** The day, as YYYY-MM-DD. */
  readonly bookedOn: string;
}

export interface OutsideBreak {
  readonly breakId: string;
  readonly kind: OutsideKind;
  /** The slug of the operator, or the name of the venue. */
  readonly account: string;
  readonly problem: 'missing_in_books' | 'missing_outside' | 'amount_differs' | 'date_differs' | 'repeated_outside';
  readonly reference: string;
  /** Cents in the statement and in our books; null if one of them has no such movement. */
  readonly outsideMinor: bigint | null;
  readonly booksMinor: bigint | null;
  readonly outsideOn: string | null;
  readonly booksOn: string | null;
  readonly line: number | null;
  readonly fileSha256: string;
  readonly openedAt: Date;
  readonly closedBy: string | null;
  readonly closedAt: Date | null;
  readonly reason: string | null;
}

/** Days between the date of a statement and ours that are not worth a break. */
const DAYS = 3;

/**
 * @param account the operator's id, or the name of the venue.
 * @param rows at least one.
 * @returns false if this file was imported before; nothing is changed then.
 */
export async function importStatement(
  sql: Sql,
  { kind, account, fileSha256 }: { readonly kind: OutsideKind; readonly account: string; readonly fileSha256: string },
  rows: readonly OutsideRow[],
  actor: string,
): Promise<boolean> {
  const packed = rows.map((row) => [row.line, row.reference, row.amountMinor.toString(), row.bookedOn]);
  const [answer] = await sql<{ imported: boolean }[]>`
    select import_outside_statement(${kind}, ${account}, ${fileSha256}, ${actor}, ${JSON.stringify(packed)}::text::json,
      ${DAYS}) as imported`;
  return answer?.imported ?? false;
}

export interface BreakFilter {
  /** The operator's id, or the name of a venue; left out, all accounts. */
  readonly account?: string | undefined;
  readonly fileSha256?: string | undefined;
  readonly breakId?: string | undefined;
  /** Also those that were closed. */
  readonly all?: boolean;
}

/** @returns oldest first. */
export async function listBreaks(sql: Sql, filter: BreakFilter): Promise<OutsideBreak[]> {
  const { account = null, fileSha256 = null, breakId = null, all = false } = filter;
  return sql<OutsideBreak[]>`
    select b.break_id as "breakId", b.kind, coalesce(o.slug, b.account) as account, b.problem, b.reference,
      b.outside_minor as "outsideMinor", b.books_minor as "booksMinor", b.outside_on::text as "outsideOn",
      b.books_on::text as "booksOn", b.line, b.file_sha256 as "fileSha256", b.opened_at as "openedAt",
      b.closed_by as "closedBy", b.closed_at as "closedAt", b.reason
    from outside_breaks b left join operators o on b.kind = 'bank' and o.operator_id = b.account
    where (${account}::text is null or b.account = ${account}) and (${fileSha256}::text is null or b.file_sha256 = ${fileSha256})
      and (${breakId}::text is null or b.break_id = ${breakId}) and (${all} or b.closed_at is null)
    order by b.opened_at, b.break_id`;
}

/** @throws unknown_break; break_closed if somebody closed it before. */
export async function closeBreak(sql: Sql, breakId: string, actor: string, reason: string): Promise<OutsideBreak> {
  const [closed] = await sql`
    update outside_breaks set closed_by = ${actor}, closed_at = clock_timestamp(), reason = ${reason}
    where break_id = ${breakId} and closed_at is null returning 1`;
  const [found] = await listBreaks(sql, { breakId, all: true });
  if (found === undefined) {
    throw refuse('unknown_break');
  }
  if (closed === undefined) {
    throw refuse('break_closed', `${found.closedBy} closed it: ${found.reason}`);
  }
  return found;
}
