/** The items of feeds and the entries of ledgers, rendered from the journal as the service renders them. */
import type { Sql } from '../../src/db/client.ts';
import { readJournal } from '../../src/ledger/journal.ts';
import type { JournalRow } from '../../src/ledger/journal-row.ts';
import { type PlacedItem, type PostedEntry, placedItems, postedEntry } from '../../src/ledger/render/items.ts';
import type { AnyJson } from './any-json.ts';

/** An item, with its operator and, so that a test can read any field, its money and its detail as JSON. */
export interface ReadItem extends Omit<PlacedItem, 'money' | 'detail'> {
  readonly operatorId: string;
  readonly money: AnyJson;
  readonly detail: AnyJson;
}

const ALL_ROWS = 1_000_000;

/** Items in the order of the feed. @param operatorId left out, those of all operators, one after the other */
export async function readItems(sql: Sql, operatorId?: string): Promise<ReadItem[]> {
  return inJournals(sql, operatorId, (row, operator) =>
    placedItems(row).map((item) => ({ ...item, operatorId: operator }) as ReadItem),
  );
}

/** Entries in the order of the feed. @param operatorId left out, those of all operators, one after the other */
export async function readEntries(sql: Sql, operatorId?: string): Promise<PostedEntry[]> {
  return inJournals(sql, operatorId, (row) => {
    const entry = postedEntry(row);
    return entry === null ? [] : [entry];
  });
}

async function inJournals<T>(
  sql: Sql,
  operatorId: string | undefined,
  render: (row: JournalRow, operatorId: string) => readonly T[],
): Promise<T[]> {
  const operators = await sql<{ operatorId: string }[]>`
    select operator_id from operators where ${operatorId ?? null}::text is null or operator_id = ${operatorId ?? null} order by 1`;
  const rendered: T[] = [];
  for (const operator of operators) {
    for (const row of await readJournal(sql, operator.operatorId, 0n, ALL_ROWS)) {
      rendered.push(...render(row, operator.operatorId));
    }
  }
  return rendered;
}
