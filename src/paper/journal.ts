/**
 * Keeps the venue's state over restarts: a snapshot, a journal of what changed since, and append-only records of
 * orders and of our account. A line is handed to the operating system before the answer that depends on it leaves, so a killed process
 * loses nothing it has said. It is no database: a lost machine loses the last lines.
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
import type { RecordStore } from './orders/record-store.ts';

/** A line that a later one of the same key replaces, by its revision. */
export interface RecordLine {
  readonly key: string;
  readonly revision: number;
  readonly line: object;
}

export interface Journal {
  /** What the last run left, or nothing. */
  readonly snapshot: unknown;
  /** Lines since the snapshot, oldest first. */
  readonly lines: readonly unknown[];
  /** Every order line ever, oldest first; a later line about the same order replaces an earlier one. */
  readonly orders: readonly unknown[];
  /** Every line of our account ever, oldest first; likewise for a fill. */
  readonly account: readonly unknown[];
  append(line: object): void;
  appendOrder(line: RecordLine): void;
  appendAccount(line: RecordLine): void;
  /** Resolves once what was appended is where another process would look for it. */
  saved(): Promise<void>;
  /** Replaces the snapshot and empties the journal. */
  compact(snapshot: object): void;
  close(): void;
}

/** @param store the record beside the file, where there is a database. */
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
      // A stop between these two is harmless: lines up to `count` are skipped at the next start.
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

/** A last line that was cut short by a stop is left out. */
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
