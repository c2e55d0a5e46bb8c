/**
 * The venue's record of orders and of our account in the database, a copy of the file, so that another process that
 * takes over the venue knows every order. It is written after the file and before a response is sent, waiting at most a
 * second: without a database the venue continues, and the lines are written later.
 */
import type { Sql } from '../../db/client.ts';

export type RecordKind = 'order' | 'account';

interface Line {
  readonly kind: RecordKind;
  readonly key: string;
  readonly revision: number;
  readonly line: object;
}

export interface RecordStore {
  readonly orders: readonly unknown[];
  readonly account: readonly unknown[];
  /** The newest line of a key is kept, according to its revision. */
  keep(line: Line): void;
  /** Resolves once everything is written, or after a second. */
  saved(): Promise<void>;
}

const SAVED_TIMEOUT_MS = 1_000;
const RETRY_MS = 500;

export async function loadRecordStore(sql: Sql, venue: string): Promise<RecordStore> {
  const rows = await sql<{ kind: RecordKind; line: unknown }[]>`
    select kind, line from paper_records where venue = ${venue} order by written_at, key`;
  const waiting = new Map<string, Line>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const lines = [...waiting];
      try {
        await sql`
          insert into paper_records as p (venue, kind, key, revision, line)
          select ${venue}, x.kind, x.key, x.revision, x.line
          from json_to_recordset(${JSON.stringify(lines.map(([, line]) => line))}::text::json) as x(kind text, key text, revision integer, line json)
          on conflict (venue, kind, key) do update set revision = excluded.revision, line = excluded.line, written_at = now()
          where p.revision <= excluded.revision`;
        for (const [key, line] of lines) {
          if (waiting.get(key) === line) {
            waiting.delete(key);
          }
        }
      } catch {
        // The database is not available: the file has the lines, and they are retried.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  }

  function start(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  return {
    orders: rows.filter(({ kind }) => kind === 'order').map(({ line }) => line),
    account: rows.filter(({ kind }) => kind === 'account').map(({ line }) => line),
    keep(line) {
      waiting.set(`${line.kind} ${line.key}`, line);
      start().catch(() => {});
    },
    async saved() {
      if (waiting.size === 0) {
        return;
      }
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, SAVED_TIMEOUT_MS);
      });
      await Promise.race([start(), timeout]);
      clearTimeout(timer);
    },
  };
}
