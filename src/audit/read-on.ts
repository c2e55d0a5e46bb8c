/** The auditor reads on: from where its books stand, in batches, until it has read what is recorded. */
import type { Sql } from '../db/client.ts';
import { fold } from './fold.ts';
import { readBooks, readProgress, readRows, writeBooks } from './keep-books.ts';

const BATCH = 1_000;

/**
 * Reads what an operator's journal has beyond the books. Several may read at once: who comes second reads again from where the
 * first stands.
 * @returns how many rows were read
 */
export async function readOn(sql: Sql, operatorId: string, keepGoing: () => boolean = () => true): Promise<number> {
  let read = 0;
  while (keepGoing()) {
    const progress = await readProgress(sql, operatorId);
    const { sequence } = progress;
    const rows = await readRows(sql, operatorId, sequence, BATCH);
    if (rows.length === 0) {
      return read;
    }
    const books = await readBooks(sql, operatorId, progress, rows);
    fold(books, rows);
    read += (await writeBooks(sql, books, sequence)) ? rows.length : 0;
  }
  return read;
}

/** Operators whose journal goes on beyond the books. */
export async function listUnread(sql: Sql): Promise<string[]> {
  const rows = await sql<{ operatorId: string }[]>`
    select ledger.operator_id from operator_ledgers ledger left join audit.progress progress on progress.operator_id = ledger.operator_id
    where ledger.sequence > coalesce(progress.sequence, 0) order by ledger.operator_id`;
  return rows.map(({ operatorId }) => operatorId);
}
