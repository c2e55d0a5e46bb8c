/**
 * The journal between TypeScript and SQL: packs rows for the statements that write money, and reads pages of rows, single
 * items and the balances of accounts. Only `append_to_journal` in SQL writes rows.
 */
import { asOperator, operatorOf, readByOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { snakeCase } from '../db/row-type.ts';
import {
  JOURNAL_ENTRY,
  JOURNAL_FIELDS,
  type JournalEntry,
  type JournalKind,
  type JournalRow,
  type SentEntry,
} from './journal-row.ts';
import { itemsOf } from './render/items.ts';

/** Its notifications say that rows may have been recorded, of whatever operator. Not every statement that records one notifies. */
export const JOURNAL_CHANNEL = 'journal';

/** A command with the rows of the journal that are recorded with it, in order. */
export interface JournalCommand {
  readonly operatorId: string;
  readonly journal: readonly JournalEntry[];
}

/** @returns the rows as an array of `journal_row`, and the number of each row's command, from 1 */
export function packJournal(commands: readonly JournalCommand[]): {
  readonly rows: string;
  readonly commands: number[];
} {
  const rows: SentEntry[] = [];
  const numbers: number[] = [];
  for (const [index, { operatorId, journal }] of commands.entries()) {
    for (const entry of journal) {
      rows.push({ ...entry, operatorId });
      numbers.push(index + 1);
    }
  }
  return { rows: JOURNAL_ENTRY.toArray(rows), commands: numbers };
}

/** Selects rows of some kinds, or of a customer, and settlements with one outcome. Without a field all rows match. */
export interface JournalFilter {
  readonly kinds?: readonly JournalKind[] | undefined;
  readonly externalUserId?: string | undefined;
  readonly outcome?: string | undefined;
}

/**
 * The columns of a row under the names of `JournalRow`, for a connection of node-postgres.
 * @param fields the fields that are needed; by default all
 */
export const journalColumns = (fields: readonly string[] = JOURNAL_FIELDS): string =>
  fields
    .map((field) => `${field === 'digits' ? "replace(digits::text, '-', '')" : snakeCase(field)} as "${field}"`)
    .join(', ');

/** A row as the driver returns it. */
type StoredRow = Omit<JournalRow, 'priceWeight'> & { readonly priceWeight: string | null };

/** Changes the row itself: a copy of its eighty columns would cost a third of reading it. */
const toJournalRow = (stored: StoredRow): JournalRow =>
  Object.assign(stored, {
    digits: stored.digits?.replaceAll('-', '') ?? null,
    priceWeight: stored.priceWeight === null ? null : BigInt(stored.priceWeight),
  });

/**
 * Rows that have items after a position of the operator's feed, in order. The first may begin before the position.
 * @param limit the maximum number of rows; without a filter, the number of positions whose rows are read
 */
export function readJournal(
  sql: Sql,
  operatorId: string,
  after: bigint,
  limit: number,
  filter: JournalFilter = {},
): Promise<JournalRow[]> {
  return readPage(sql, operatorId, { position: after, backwards: false, limit }, filter);
}

/**
 * Rows that begin before a position, the newest first.
 * @param before the position; undefined starts at the newest row
 */
export function readJournalBackwards(
  sql: Sql,
  operatorId: string,
  before: bigint | undefined,
  limit: number,
  filter: JournalFilter = {},
): Promise<JournalRow[]> {
  return readPage(sql, operatorId, { position: before ?? AFTER_ALL, backwards: true, limit }, filter);
}

/** A position behind every row. */
const AFTER_ALL = 2n ** 63n - 1n;

async function readPage(
  sql: Sql,
  operatorId: string,
  { position, backwards, limit }: { position: bigint; backwards: boolean; limit: number },
  { kinds, externalUserId, outcome }: JournalFilter,
): Promise<JournalRow[]> {
  const wanted = kinds === undefined ? null : [...kinds];
  const rows = await asOperator<StoredRow[]>(
    sql,
    operatorId,
    sql`
      select * from journal_page(${operatorId}, ${position}, ${backwards}, ${wanted}, ${externalUserId ?? null}, ${outcome ?? null}, ${limit})`,
  );
  return rows.map(toJournalRow);
}

/** The place of a row: its operator, the sequence of its first item, and its time, which is in the month of its partition. */
export interface RowPlace {
  readonly operatorId: string;
  readonly sequence: bigint;
  /** To the millisecond, as the driver reads it. */
  readonly recordedAt: Date;
}

/** @returns the rows that begin at these places, in no order */
export async function readRowsAt(sql: Sql, places: readonly RowPlace[]): Promise<JournalRow[]> {
  const rows = await readByOperator(
    sql,
    places,
    (operatorId, some) => sql<StoredRow[]>`
    select row.* from unnest(${some.map((one) => one.operatorId)}::text[], ${some.map(({ sequence }) => String(sequence))}::bigint[],
        ${some.map(({ recordedAt }) => recordedAt.toISOString())}::timestamptz[]) as x(operator_id, sequence, recorded_at)
      cross join lateral (select * from journal stored
        where stored.operator_id = ${operatorOf(sql, operatorId)} and stored.sequence = x.sequence
          and stored.recorded_at >= x.recorded_at and stored.recorded_at < x.recorded_at + interval '1 ms' limit 1) row`,
  );
  return rows.map(toJournalRow);
}

/** An order, and the contracts that it bought or sold. */
interface OrderPlace {
  readonly operatorId: string;
  readonly orderId: string;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly positionId: string | null;
}

/** The rows of an order, and the row of the settlement of its position if that was settled, in order. */
export async function readRowsOfOrder(
  sql: Sql,
  { operatorId, orderId, externalUserId, contractId, positionId }: OrderPlace,
): Promise<JournalRow[]> {
  const rows = await asOperator<StoredRow[]>(
    sql,
    operatorId,
    sql`
      select * from (select * from journal where operator_id = ${operatorId} and order_id = ${orderId}
        union all
        select * from journal where kind = 'position_settled' and contract_id = ${contractId} and operator_id = ${operatorId}
          and external_user_id = ${externalUserId} and position_id = ${positionId}) row
      order by sequence`,
  );
  return rows.map(toJournalRow);
}

/** A row has at most so many items. */
const MOST_ITEMS = 16n;

/**
 * Rows of an order that may have an item after a position of the feed, in order.
 * @param limit the maximum number of rows
 */
export async function readRowsOfOrderAfter(
  sql: Sql,
  { operatorId, orderId }: Pick<OrderPlace, 'operatorId' | 'orderId'>,
  after: bigint,
  limit: number,
): Promise<JournalRow[]> {
  const rows = await asOperator<StoredRow[]>(
    sql,
    operatorId,
    sql`
      select * from journal where operator_id = ${operatorId} and order_id = ${orderId} and sequence > ${after - MOST_ITEMS}
        and sequence + items > ${after + 1n} order by sequence limit ${limit}`,
  );
  return rows.map(toJournalRow);
}

/** The last position of the feed that was recorded longer ago than an interval; 0 if there is none. */
export async function positionBefore(sql: Sql, operatorId: string, interval: string): Promise<bigint> {
  const [found] = await asOperator<{ position: bigint }[]>(
    sql,
    operatorId,
    sql`select feed_position_at(${operatorId}, now() - ${interval}::interval) as position`,
  );
  return found?.position ?? 0n;
}

/** The position of the last item of a row. */
export const endOf = ({ sequence, items }: JournalRow): bigint => sequence + BigInt(items) - 1n;

const ITEM_ID = /^[a-z]{3}_([0-9a-f]{32})$/;

/** The row that has the item of this id, and the item's place in it; undefined if the operator has none. */
export async function findItem(
  sql: Sql,
  operatorId: string,
  itemId: string,
): Promise<{ readonly row: JournalRow; readonly place: number } | undefined> {
  const digits = ITEM_ID.exec(itemId)?.[1];
  if (digits === undefined) {
    return undefined;
  }
  const before = BigInt.asUintN(128, BigInt(`0x${digits}`) - 1n)
    .toString(16)
    .padStart(32, '0');
  const rows = await asOperator<StoredRow[]>(
    sql,
    operatorId,
    sql`select * from journal_of_digits(${operatorId}, ${digits}, ${before})`,
  );
  for (const row of rows.map(toJournalRow)) {
    const place = itemsOf(row).findIndex(({ id }) => id === itemId);
    if (place >= 0) {
      return { row, place };
    }
  }
  return undefined;
}

export interface AccountBalance {
  readonly accountId: string;
  /** Signed cents, debit positive: an account that holds someone's money is negative. */
  readonly balanceMinor: bigint;
}

/**
 * Balances of the accounts at any moment, from the running balances of the lines.
 * @param at counts the rows that were recorded before this moment; by default all rows
 */
export async function balancesAt(sql: Sql, operatorId: string, at?: Date): Promise<AccountBalance[]> {
  return sql<AccountBalance[]>`
    select account_id as "accountId", balance as "balanceMinor"
    from balances_at(${operatorId}, feed_position_at(${operatorId}, coalesce(${at ?? null}, 'infinity'::timestamptz)))
    order by account_id`;
}
