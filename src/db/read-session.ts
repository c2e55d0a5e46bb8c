/**
 * Rows of one operator, read over a separate connection: memory use is constant, and the connection closes if the reader goes away. The
 * rows of a cursor are of the same snapshot as the queries before it, and hold it until the last row. Pages that are read one by one hold
 * none while their reader takes them.
 */
import { finished, Readable } from 'node:stream';
import type pg from 'pg';
import { actAsOperator } from './by-operator.ts';
import { HostedClient } from './pg-client.ts';

/** Applies to each statement; a page of a cursor is one. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** If the server does not respond at all, the session ends this long after its start, unless its stream has begun. */
const ANSWER_MS = 120_000;

const BOOL = 16;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const JSON_TYPE = 114;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;
const JSONB = 3802;

const VALUES = {
  getTypeParser: (type: number) => PARSERS[type] ?? String,
} as pg.CustomTypesConfig;

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => text === 't',
  [INT8]: BigInt,
  [INT2]: Number,
  [INT4]: Number,
  [JSON_TYPE]: JSON.parse,
  [TIMESTAMPTZ]: (text) => new Date(text),
  [NUMERIC]: BigInt,
  [JSONB]: JSON.parse,
};

export interface ReadSession {
  /** Rows of a query within the session's snapshot; all values are text. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, string | null>[]>;
  /** Ends the snapshot. Later reads have separate transactions. */
  endSnapshot(): Promise<void>;
  /**
   * Rows of a query in a separate transaction, with their values: integers of 64 bits and numerics as bigint, times as dates, JSON parsed.
   */
  read<Row>(text: string): Promise<Row[]>;
  /**
   * Opens a cursor within the session's snapshot.
   * @returns a function that reads the next rows of the query, at most so many, with their values; none after the last one
   */
  openCursor<Row>(text: string, rows: number): Promise<() => Promise<Row[]>>;
  /** Streams the rendering of such rows; the session ends with the stream. */
  stream(chunks: AsyncIterable<Buffer>): Readable;
  literal(value: string): string;
  /** The first row of each statement that ran before the snapshot. */
  readonly before: readonly Readonly<Record<string, string | null>>[];
  /** Ends a session that is abandoned before it streams. */
  close(): Promise<void>;
}

/**
 * @param operatorId the operator whose rows the session sees, and no others (row-level security)
 * @param before statements that run one by one, under the service's own role, before the snapshot is taken
 */
export async function openReadSession(
  url: string,
  operatorId: string,
  before: readonly { readonly text: string; readonly values: readonly unknown[] }[] = [],
): Promise<ReadSession> {
  const client = new HostedClient({
    connectionString: url,
    application_name: 'inlay-export',
    types: { getTypeParser: () => (text: string | Buffer) => text },
  });
  // If the server goes away, the query or the stream in progress reports it.
  client.on('error', () => {});
  await client.connect();
  const operator = client.escapeLiteral(operatorId);
  // The operator is set by a separate statement as well, because that reaches the other servers if operators are spread. Rows are needed in
  // the order of their index, and the first one at once. All of it ends with the transaction, because behind a pooler the next one may be
  // on another session.
  const enter = `${actAsOperator(operator)}; set local inlay.operator = ${operator}; set local enable_sort = off; set local enable_hashjoin = off; set local enable_bitmapscan = off; set local enable_seqscan = off`;
  const firstRows: Record<string, string | null>[] = [];
  const guard = setTimeout(() => client.destroy(), ANSWER_MS);
  try {
    await client.query(`set TimeZone = 'UTC'; set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    for (const { text, values } of before) {
      const { rows } = await client.query<Record<string, string | null>>(text, [...values]);
      firstRows.push(rows[0] ?? {});
    }
    await client.query(`begin isolation level repeatable read read only; ${enter}`);
  } catch (error) {
    clearTimeout(guard);
    await client.close();
    throw error;
  }
  return {
    query: async (text, values = []) => {
      const { rows } = await client.query<Record<string, string | null>>(text, [...values]);
      return rows;
    },
    endSnapshot: async () => {
      await client.query('commit');
    },
    // Two messages, because Citus sends the whole message of a setting to the other servers.
    read: async <Row>(text: string) => {
      await client.query(`begin read only; ${enter}`);
      const results = await client.query({ text: `${text}; commit`, types: VALUES });
      return (results as unknown as readonly pg.QueryResult[])[0]?.rows as Row[];
    },
    openCursor: async <Row>(text: string, rows: number) => {
      // All rows will be read, not only the first ones. The reader may be slower than the server lets a transaction wait. A message each, as
      // above.
      await client.query('set local cursor_tuple_fraction = 1');
      await client.query('set local idle_in_transaction_session_timeout = 0');
      await client.query(`declare exported no scroll cursor for ${text}`);
      return async () => {
        const page = await client.query({ text: `fetch ${rows} from exported`, types: VALUES });
        return page.rows as Row[];
      };
    },
    stream: (chunks) => {
      clearTimeout(guard);
      const stream = Readable.from(chunks, { objectMode: false });
      finished(stream, (error) => {
        if (error === undefined || error === null) {
          client.end().catch(() => {});
        } else {
          client.destroy();
        }
      });
      return stream;
    },
    literal: (value) => client.escapeLiteral(value),
    before: firstRows,
    close: () => {
      clearTimeout(guard);
      return client.close();
    },
  };
}
