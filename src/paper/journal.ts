/**
 * Keeps the venue's state across restarts: a snapshot, a journal of later changes, and append-only records of orders
 * and of our account, of which the database has a second copy. A line is passed to the operating system before the
 * response that depends on it is sent, so a killed process loses nothing that it has confirmed. If the machine is lost,
 * the last lines are lost.
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../db/client.ts';

/** A line that is replaced by one with the same key and a later revision. */
interface RecordLine {
  readonly key: string;
  readonly revision: number;
  readonly line: object;
}

export interface Journal {
  /** The snapshot of the last run, or undefined. */
  readonly snapshot: unknown;
  /** Lines since the snapshot, oldest first. */
  readonly lines: readonly unknown[];
  /** All order lines, oldest first; a later line about the same order replaces an earlier one. */
  readonly orders: readonly unknown[];
  /** All lines of our account, oldest first; a later line about the same fill replaces an earlier one. */
  readonly account: readonly unknown[];
  append(line: object): void;
  appendOrder(line: RecordLine): void;
  appendAccount(line: RecordLine): void;
  /** Resolves once another process could read the appended lines in the database, or after a second. */
  saved(): Promise<void>;
  /** Replaces the snapshot and empties the journal. */
  compact(snapshot: object): void;
  close(): void;
}

/**
 * @param name of the venue; its files in the folder begin with it
 * @param store the second copy of the records, if there is a database
 */
export function openJournal(folder: string, name: string, store?: RecordStore): Journal {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const paths = {
    snapshot: join(folder, `${name}.json`),
    journal: join(folder, `${name}.jsonl`),
    orders: join(folder, `${name}-orders.jsonl`),
    account: join(folder, `${name}-account.jsonl`),
  };
  const stored = readSnapshot(paths.snapshot);
  let count = stored?.count ?? 0;
  const lines = readLines(paths.journal).filter((line) => numberOf(line) > count);
  count = lines.reduce<number>((most, line) => Math.max(most, numberOf(line)), count);
  const orders = [...readLines(paths.orders), ...(store?.orders ?? [])];
  const account = [...readLines(paths.account), ...(store?.account ?? [])];
  const journal = openSync(paths.journal, 'a', 0o600);
  const orderFile = openSync(paths.orders, 'a', 0o600);
  const accountFile = openSync(paths.account, 'a', 0o600);
  return {
    snapshot: stored?.state,
    lines,
    orders,
    account,
    append(line) {
      count += 1;
      writeSync(journal, `${JSON.stringify({ n: count, ...line })}\n`);
    },
    appendOrder(record) {
      writeSync(orderFile, `${JSON.stringify(record.line)}\n`);
      store?.keep({ kind: 'order', ...record });
    },
    appendAccount(record) {
      writeSync(accountFile, `${JSON.stringify(record.line)}\n`);
      store?.keep({ kind: 'account', ...record });
    },
    saved: async () => store?.saved(),
    compact(snapshot) {
      writeFileSync(`${paths.snapshot}.new`, JSON.stringify({ count, state: snapshot }), { mode: 0o600 });
      renameSync(`${paths.snapshot}.new`, paths.snapshot);
      // If the process stops before the journal is emptied, the next start skips its lines up to `count`.
      ftruncateSync(journal, 0);
    },
    close() {
      closeSync(journal);
      closeSync(orderFile);
      closeSync(accountFile);
    },
  };
}

function readSnapshot(path: string): { count: number; state: unknown } | undefined {
  if (!existsSync(path)) {
    return undefined;
  }
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof value !== 'object' || value === null || !('count' in value) || !('state' in value)) {
    return undefined;
  }
  return { count: Number(value.count), state: value.state };
}

/** Ignores a last line that is incomplete because the process was killed. */
function readLines(path: string): unknown[] {
  if (!existsSync(path)) {
    return [];
  }
  const lines: unknown[] = [];
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text === '') {
      continue;
    }
    try {
      lines.push(JSON.parse(text));
    } catch {
      break;
    }
  }
  return lines;
}

function numberOf(line: unknown): number {
  return typeof line === 'object' && line !== null && 'n' in line ? Number(line.n) : 0;
}

type RecordKind = 'order' | 'account';

interface StoredLine extends RecordLine {
  readonly kind: RecordKind;
}

interface RecordStore {
  readonly orders: readonly unknown[];
  readonly account: readonly unknown[];
  /** Writes a line, unless the record has a later revision of it. */
  keep(line: StoredLine): void;
  /** Resolves once everything is written, or after a second. */
  saved(): Promise<void>;
}

const SAVED_TIMEOUT_MS = 1_000;
const RETRY_MS = 500;

/**
 * Opens the copy of the records in the database, from which a process on another machine that takes over the venue reads every order. A
 * response waits at most a second until its lines are written. Without a database the venue continues, and the lines are written later.
 */
export async function loadRecordStore(sql: Sql, venue: string): Promise<RecordStore> {
  const rows = await sql<{ kind: RecordKind; line: unknown }[]>`
    select kind, line from paper_records where venue = ${venue} order by written_at, key`;
  const waiting = new Map<string, StoredLine>();
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
        // The database is not available. The file has the lines, and they are retried.
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
