/** Where the seals of records are kept. Sole owner of `record_seals`. */
import { asOperator } from '../../db/as-operator.ts';
import type { Sql } from '../../db/client.ts';

export interface SealedThrough {
  readonly operatorId: string;
  /** Items of the newest checkpoint, and its note. */
  readonly size: number;
  readonly checkpoint: string;
  /** Newest ledger seal; 0 if there is none. */
  readonly ledgerSeal: number;
  /** Of the newest seal of records; 0 and empty if there is none. */
  readonly number: number;
  readonly through: number;
  readonly ledgerSeals: number;
  /** Hexadecimal. */
  readonly seal: string;
}

/** @returns operators whose records are behind their newest checkpoint or their ledger seals. */
export async function listUnsealedRecords(sql: Sql): Promise<SealedThrough[]> {
  return sql<SealedThrough[]>`
    select head.operator_id as "operatorId", head.size::float8 as size, head.note as checkpoint,
      coalesce(link.number, 0)::float8 as "ledgerSeal", coalesce(last.number, 0)::float8 as number,
      coalesce(last.through_position, 0)::float8 as through, coalesce(last.ledger_seals, 0)::float8 as "ledgerSeals",
      coalesce(encode(last.seal, 'hex'), '') as seal
    from feed_log_heads head
      left join lateral (select number from ledger_seals
        where operator_id = head.operator_id order by number desc limit 1) link on true
      left join lateral (select number, through_position, ledger_seals, seal from record_seals
        where operator_id = head.operator_id order by number desc limit 1) last on true
    where (head.size > coalesce(last.through_position, 0) or coalesce(link.number, 0) > coalesce(last.ledger_seals, 0))
    order by head.operator_id`;
}

/** The texts of the records of a range, in their order. */
export async function listRecords(
  sql: Sql,
  operatorId: string,
  range: {
    readonly after: number;
    readonly through: number;
    readonly sealsAfter: number;
    readonly ledgerSeals: number;
  },
): Promise<string[]> {
  const rows = await sql<{ content: string }[]>`
    select content from book_records(${operatorId}, ${range.after}, ${range.through}, ${range.sealsAfter}, ${range.ledgerSeals})`;
  return rows.map(({ content }) => content);
}

export interface RecordSeal {
  readonly operatorId: string;
  readonly number: number;
  readonly after: number;
  readonly through: number;
  readonly ledgerSeals: number;
  readonly marks: string;
  readonly seal: string;
  readonly note: string;
  readonly sealedAt: string;
}

/** @returns false if another worker sealed first; nothing is written then. */
export async function addRecordSeal(sql: Sql, one: RecordSeal): Promise<boolean> {
  const rows = await sql`
    insert into record_seals (operator_id, number, after_position, through_position, ledger_seals, marks, seal, note, sealed_at)
    values (${one.operatorId}, ${one.number}, ${one.after}, ${one.through}, ${one.ledgerSeals}, decode(${one.marks}, 'hex'),
      decode(${one.seal}, 'hex'), ${one.note}, ${one.sealedAt}::timestamptz)
    on conflict do nothing returning 1`;
  return rows.length === 1;
}

/** The signed note over the newest seal; undefined if nothing is sealed yet. */
export async function findSealedRecords(sql: Sql, operatorId: string): Promise<string | undefined> {
  const [row] = await asOperator<{ note: string }[]>(
    sql,
    operatorId,
    sql`select note from record_seals where operator_id = ${operatorId} order by number desc limit 1`,
  );
  return row?.note;
}
