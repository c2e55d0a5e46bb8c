/**
 * Reads the journal into the auditor's books: either from the last row read, in batches, or from the beginning into books that then replace
 * the old ones. Each batch writes the rows that it changed.
 */
import { randomUUID } from 'node:crypto';
import { among, readOfAll } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { RowType } from '../db/row-type.ts';
import type { JournalRow, Tell } from '../ledger/journal-row.ts';
import {
  ACCOUNTS,
  type AuditedQuote,
  type AuditedRow,
  type BookOf,
  type Books,
  DEPOSITS,
  FILLS,
  FINDINGS,
  HOLDINGS,
  HOUSE_ACCOUNTS,
  MOVEMENTS,
  ORDERS,
  POSITIONS,
  PROGRESS,
  QUOTED,
  SETTLEMENTS,
} from './books.ts';
import { fold } from './fold.ts';

const BATCH = 1_000;

/**
 * Reads the rows of an operator's journal that the books do not have yet. Rows that are recorded meanwhile wait for the next run, because a
 * batch costs much the same whether it has ten rows or a hundred. Several processes may read at once: the later one starts again from the
 * place of the first.
 * @param tell renders a row, so that the items shown to an operator are audited as well
 * @returns how many rows were read
 */
export function readOn(
  sql: Sql,
  operatorId: string,
  tell: Tell,
  keepGoing: () => boolean = () => true,
): Promise<number> {
  return readInto(operatorId, sql, operatorId, tell, keepGoing);
}

/**
 * Reads the whole journal of an operator in batches into books that grow beside the old ones, and then replaces the old ones together with
 * their findings. Other processes may read on meanwhile, or rebuild as well: each builds its own books.
 */
export async function readAnew(sql: Sql, operatorId: string, tell: Tell): Promise<void> {
  const built = `${operatorId}/${randomUUID()}`;
  for (let replaced = false; !replaced; ) {
    const read = await readInto(built, sql, operatorId, tell, () => true);
    // old books that are ahead of the end of the journal are replaced too
    const [row] = await sql<{ replaced: boolean }[]>`
      select replace_books(${operatorId}, ${built}, ${read > 0}) as replaced`;
    replaced = row?.replaced === true;
  }
}

/** @param booksId the name under which the books are written */
async function readInto(
  booksId: string,
  sql: Sql,
  operatorId: string,
  tell: Tell,
  keepGoing: () => boolean,
): Promise<number> {
  let read = 0;
  let place = await readPlace(sql, operatorId, booksId);
  while (keepGoing()) {
    const { rows, areLast } = await readRows(sql, operatorId, tell, place.progress.sequence, BATCH);
    if (rows.length === 0) {
      return read;
    }
    const books = await readBooks(sql, place, rows);
    fold(books, rows);
    if (await writeBooks(sql, books, rows)) {
      books.progress.writes += 1n;
      read += rows.length;
      if (areLast) {
        return read;
      }
    } else {
      place = await readPlace(sql, operatorId, booksId);
    }
  }
  return read;
}

/** Operators whose journal has rows that the books do not have. */
export async function listUnread(sql: Sql): Promise<string[]> {
  const rows = await readOfAll(
    sql,
    (operators) => sql<{ operatorId: string }[]>`
      select ledger.operator_id from operator_ledgers ledger left join audit.progress progress on progress.operator_id = ledger.operator_id
      where ledger.sequence > coalesce(progress.sequence, 0) ${among(sql, sql`ledger.operator_id`, operators)} order by ledger.operator_id`,
  );
  return rows.map(({ operatorId }) => operatorId);
}

/** The columns for a select. Types that JavaScript cannot hold are read as text. */
const listOf = <T>({ columns }: RowType<T>) =>
  columns
    .map(({ name, type }) => (type === 'text' || type === 'numeric' ? `${name}::text as ${name}` : name))
    .join(', ');

/** Copies of rows as they were read, so that only changed rows are written. */
const asRead = new WeakMap<object, object>();

async function readBook<T extends object>(
  sql: Sql,
  operatorId: string,
  { table, type, empty }: BookOf<T>,
  by: string,
  ids: readonly string[],
): Promise<T[]> {
  if (ids.length === 0) {
    return [];
  }
  const rows = await sql.unsafe<T[]>(
    `select ${listOf(type)} from ${table} where operator_id = $1 and ${by} = any ($2)`,
    [operatorId, [...ids]],
    { prepare: true },
  );
  const amounts = (Object.keys(empty) as (keyof T)[]).filter((field) => typeof empty[field] === 'bigint');
  return rows.map((row) => {
    for (const field of amounts) {
      row[field] = BigInt(row[field] as string) as T[keyof T];
    }
    asRead.set(row, { ...row });
    return row;
  });
}

const distinct = (ids: readonly (string | null | undefined)[]) =>
  [...new Set(ids.filter((id) => id != null))] as string[];

const keyed = <T>(rows: readonly T[], id: (row: T) => string) => new Map(rows.map((row) => [id(row), row]));

/** The place that the books have reached. */
export type Place = Pick<Books, 'operatorId' | 'mode' | 'progress'>;

export async function readPlace(sql: Sql, operatorId: string, booksId: string = operatorId): Promise<Place> {
  const [[operator], [progress]] = await Promise.all([
    sql<{ mode: string }[]>`select mode from operators where operator_id = ${operatorId}`,
    readBook(sql, booksId, PROGRESS, 'operator_id', [booksId]),
  ]);
  const none = { ...PROGRESS.empty, operatorId: booksId };
  return { operatorId: booksId, mode: operator?.mode ?? '', progress: progress ?? none };
}

/** Rows of the journal, and whether they are the last ones. */
export interface RowsRead {
  readonly rows: AuditedRow[];
  readonly areLast: boolean;
}

/** At most `limit` rows after a position, in their order. The rows of the last statement are read all or not at all. */
export async function readRows(
  sql: Sql,
  operatorId: string,
  tell: Tell,
  after: bigint,
  limit: number,
): Promise<RowsRead> {
  type Read = JournalRow & {
    readonly recordedText: string;
    readonly decidedText: string;
    readonly effectiveText: string | null;
    readonly digest: bigint;
  };
  const stored = await sql<Read[]>`
    select *, recorded_at::text as recorded_text, decided_at::text as decided_text, effective_at::text as effective_text,
      row_digest(journal::text) as digest
    from journal where operator_id = ${operatorId} and sequence > ${after} order by sequence limit ${limit}`;
  const rows = stored.map((read) => {
    const digits = read.digits?.replaceAll('-', '') ?? null;
    const priceWeight = read.priceWeight == null ? null : BigInt(read.priceWeight);
    // the row itself is changed: a copy of its eighty columns would add a third to the time of reading
    const row = Object.assign(read, { digits, priceWeight });
    return Object.assign(row, {
      told: toldBy(tell, row),
      recordedAt: row.recordedText,
      decidedAt: row.decidedText,
      effectiveAt: row.effectiveText,
    });
  });
  if (rows.length < limit) {
    return { rows, areLast: true };
  }
  const last = rows.at(-1)?.recordedAt;
  const whole = rows.filter((row) => row.recordedAt !== last);
  return whole.length > 0 ? { rows: whole, areLast: false } : readRows(sql, operatorId, tell, after, limit * 2);
}

/** A row that cannot be rendered becomes a finding, and the auditor reads on. */
function toldBy(tell: Tell, row: JournalRow): AuditedRow['told'] {
  try {
    return tell(row);
  } catch (error) {
    return String(error);
  }
}

/** The rows of the books that the batch may change. */
export async function readBooks(sql: Sql, place: Place, rows: readonly AuditedRow[]): Promise<Books> {
  const { operatorId } = place;
  // books that are rebuilt have a temporary name
  const ofJournal = rows[0]?.operatorId ?? operatorId;
  const read = <T extends object>(book: BookOf<T>, by: string, ids: readonly string[]) =>
    readBook(sql, operatorId, book, by, ids);
  const orders = await read(ORDERS, 'order_id', distinct(rows.map((row) => row.orderId)));
  const sent = orders.filter((order) => order.intent === 'record_intent').map((order) => order.orderId);
  const positionIds = distinct([...rows, ...orders].map((row) => row.positionId));
  const positions = await read(POSITIONS, 'position_id', positionIds);
  const live = positions.filter((position) => !position.simulated).map((position) => position.positionId);
  const users = distinct(rows.map((row) => row.externalUserId)).flatMap((user) => [`wallet:${user}`, `hold:${user}`]);
  const depositIds = distinct(rows.map((row) => (row.kind === 'wallet_funded' ? row.reference : null)));
  const began = rows.filter((row) => row.kind === 'order_executed' || row.kind === 'order_recorded');
  const answered = rows.filter((row) => row.kind === 'order_answered');
  return {
    ...place,
    quotes: await readQuotes(sql, ofJournal, distinct(began.map((row) => row.quoteId))),
    attested: await readAttested(sql, ofJournal, distinct(answered.map((row) => row.orderId))),
    orders: keyed(orders, (order) => order.orderId),
    fills: Map.groupBy(
      (await read(FILLS, 'order_id', sent)).sort((one, other) => one.fillNo - other.fillNo),
      (fill) => fill.orderId,
    ),
    positions: keyed(positions, (position) => position.positionId),
    holdings: Map.groupBy(await read(HOLDINGS, 'position_id', live), (holding) => holding.positionId),
    accounts: keyed(
      await read(ACCOUNTS, 'account_id', [...HOUSE_ACCOUNTS.map(([account]) => account), ...users]),
      (account) => account.accountId,
    ),
    settlements: [],
    movements: [],
    deposits: keyed(await read(DEPOSITS, 'deposit_id', depositIds), (deposit) => deposit.depositId),
    findings: [],
  };
}

async function readQuotes(sql: Sql, operatorId: string, ids: readonly string[]): Promise<Books['quotes']> {
  const terms = Object.entries(QUOTED).map(([field, column]) => `${column}::text as "${field}"`);
  const rows =
    ids.length === 0
      ? []
      : await sql.unsafe<AuditedQuote[]>(
          `select quote_id as "quoteId", expires_at::text as "expiresAt", ${terms.join(', ')}
           from quotes where operator_id = $1 and quote_id = any ($2)`,
          [operatorId, [...ids]],
          { prepare: true },
        );
  return keyed(rows, ({ quoteId }) => quoteId);
}

async function readAttested(sql: Sql, operatorId: string, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows =
    orderIds.length === 0
      ? []
      : await sql<{ orderId: string }[]>`
          select distinct order_id from venue_evidence
          where operator_id = ${operatorId} and order_id = any (${[...orderIds]}::text[]) and kind = 'person'`;
  return new Set(rows.map(({ orderId }) => orderId));
}

/** @returns false, and writes nothing, if another process has written since the books were read */
export async function writeBooks(sql: Sql, books: Books, read: readonly AuditedRow[]): Promise<boolean> {
  const { accounts, deposits, fills, findings, holdings, movements, orders, positions, progress, settlements } = books;
  const sent = [...fills].filter(([orderId]) => orders.get(orderId)?.intent !== 'simulate').flatMap(([, own]) => own);
  const written = [
    rowsOf(ORDERS, changed(orders.values())),
    rowsOf(FILLS, changed(sent)),
    rowsOf(POSITIONS, changed(positions.values())),
    rowsOf(HOLDINGS, changed([...holdings.values()].flat())),
    rowsOf(ACCOUNTS, changed(accounts.values())),
    rowsOf(SETTLEMENTS, settlements),
    rowsOf(MOVEMENTS, movements),
    rowsOf(DEPOSITS, changed(deposits.values())),
  ].flat();
  const [row] = await sql<{ written: boolean }[]>`
    select write_books(${books.operatorId}, ${progress.writes}, ${PROGRESS.type.toArray([progress])}::text::audit.progress[],
      ${written.map(({ table }) => table)}::text[], ${written.map(({ rows }) => rows)}::text[],
      ${FINDINGS.type.toArray(findings)}::text::audit.findings[],
      ${read.map(({ sequence }) => String(sequence))}::bigint[], ${read.map(({ digest }) => String(digest))}::bigint[]) as written`;
  return row?.written === true;
}

/** The rows of a book as an array for SQL; empty if there are none. */
const rowsOf = <T extends object>({ table, type }: BookOf<T>, rows: readonly T[]) =>
  rows.length === 0 ? [] : [{ table, rows: type.toArray(rows) }];

/** The rows that differ from what was read. */
function changed<T extends object>(rows: Iterable<T>): T[] {
  return [...rows].filter((row) => {
    const before = asRead.get(row) as T | undefined;
    return before === undefined || (Object.keys(row) as (keyof T)[]).some((field) => row[field] !== before[field]);
  });
}
