/**
 * COPY passed through from PostgreSQL, on a connection of its own: constant memory, and a reader that goes away takes the
 * connection with it. Queries before the COPY see the same snapshot as it does.
 */
import { finished, type Readable } from 'node:stream';
import { to as copyTo } from 'pg-copy-streams';
import { HostedClient } from './pg-client.ts';

/** Of the statements before the COPY; the COPY itself takes as long as its reader, who is watched by the caller. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** If the server does not answer at all, the session ends this long after its start, unless its COPY has begun. */
const ANSWER_MS = 120_000;

export interface CopySession {
  /** Rows of a query of the session's snapshot; all values are text. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, string | null>[]>;
  /** Streams `copy (query) to stdout (options)`; the session ends with the stream. */
  copy(query: string, options: string): Readable;
  literal(value: string): string;
  /** For a session that is given up before it copied. */
  close(): Promise<void>;
}

/** @param before statements run one by one before the snapshot is taken. */
export async function openCopySession(
  url: string,
  before: readonly { readonly text: string; readonly values: readonly unknown[] }[] = [],
): Promise<CopySession> {
  const client = new HostedClient({
    connectionString: url,
    application_name: 'inlay-export',
    types: { getTypeParser: () => (text: string | Buffer) => text },
  });
  // A server that goes away is told by the query or the stream that meets it.
  client.on('error', () => {});
  await client.connect();
  const guard = setTimeout(() => client.destroy(), ANSWER_MS);
  try {
    await client.query(`set TimeZone = 'UTC'; set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    for (const { text, values } of before) {
      await client.query(text, [...values]);
    }
    await client.query('begin isolation level repeatable read read only');
    // rows are wanted in the order of their index, the first one at once
    await client.query(
      'set local enable_sort = off; set local enable_hashjoin = off; set local enable_bitmapscan = off; set local enable_seqscan = off',
    );
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
    copy: (query, options) => {
      clearTimeout(guard);
      // a failure of this fails the COPY as well
      client.query('set local statement_timeout = 0').catch(() => {});
      const stream = client.query(copyTo(`copy (${query}) to stdout (${options})`));
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
    close: () => {
      clearTimeout(guard);
      return client.close();
    },
  };
}
