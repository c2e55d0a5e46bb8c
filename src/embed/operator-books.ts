/** Store of operator books: named lists of events to which a session can be bound (contract 30.9). */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';

export interface OperatorBook {
  readonly operatorBookId: string;
  readonly operatorId: string;
  readonly name: string;
  readonly eventIds: readonly string[];
  readonly createdAt: Date;
}

const LONGEST_NAME = 200;

/**
 * @param eventIds ids of existing events; whether they are offered is checked when a session reads them
 * @throws invalid_request
 */
export async function insertBook(
  sql: Sql,
  operatorId: string,
  name: string,
  eventIds: readonly string[],
): Promise<OperatorBook> {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > LONGEST_NAME) {
    throw refuse('invalid_request', `The name of a book is 1 to ${LONGEST_NAME} characters.`);
  }
  if (eventIds.length === 0) {
    throw refuse('invalid_request', 'A book contains at least one event.');
  }
  const [row] = await sql<OperatorBook[]>`
    insert into operator_books (operator_id, operator_book_id, name, event_ids)
    values (${operatorId}, ${newId('bk')}, ${trimmed}, ${[...new Set(eventIds)]})
    returning ${columns(sql)}`;
  if (row === undefined) {
    throw new Error('the insert of an operator book returned no row');
  }
  return row;
}

/** @param operatorId null lists the books of all operators */
export async function listBooks(sql: Sql, operatorId: string | null): Promise<OperatorBook[]> {
  return await sql<OperatorBook[]>`
    select ${columns(sql)} from operator_books
    where ${operatorId}::text is null or operator_id = ${operatorId}
    order by operator_id, operator_book_id`;
}

/**
 * Whether a session of the operator can be bound to the book: the book is the operator's, and the operator may have
 * books.
 */
export async function isBindableBook(sql: Sql, operatorId: string, operatorBookId: string): Promise<boolean> {
  const rows = await sql`
    select from operator_books b join operators o using (operator_id)
    where b.operator_id = ${operatorId} and b.operator_book_id = ${operatorBookId} and o.operator_book_enabled`;
  return rows.length > 0;
}

function columns(sql: Sql) {
  return sql`operator_book_id as "operatorBookId", operator_id as "operatorId", name, event_ids as "eventIds",
    created_at as "createdAt"`;
}
