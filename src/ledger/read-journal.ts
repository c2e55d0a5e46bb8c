/** Reads rows of the journal. Only append_to_journal writes them. */
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';
import type { JournalRow } from '../wire/journal.ts';

/** A row as the driver returns it. */
type StoredRow = Omit<JournalRow, 'priceWeight'> & { readonly priceWeight: string | null };

export function toJournalRow(stored: StoredRow): JournalRow {
  const { digits, priceWeight } = stored;
  return {
    ...stored,
    digits: digits?.replaceAll('-', '') ?? null,
    priceWeight: priceWeight === null ? null : BigInt(priceWeight),
  };
}

/** Rows that have items after a position of the operator's feed, in order, at most `limit`. The first may begin before the position. */
export async function readJournal(sql: Sql, operatorId: string, after: bigint, limit: number): Promise<JournalRow[]> {
  const rows = await asOperator<StoredRow[]>(
    sql,
    operatorId,
    sql`
      select * from journal
      where operator_id = ${operatorId} and sequence >= coalesce((
        select max(head.sequence) from journal head
        where head.operator_id = ${operatorId} and head.sequence <= ${after} and head.sequence + head.items > ${after} + 1), ${after} + 1)
      order by sequence limit ${limit}`,
  );
  return rows.map(toJournalRow);
}
