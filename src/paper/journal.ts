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
  appendOrder(line: object): void;
  appendAccount(line: object): void;
  /** Replaces the snapshot and empties the journal. */
  compact(snapshot: object): void;
  close(): void;
}

export function openJournal(folder: string, name: string): Journal {
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
  const orders = readLines(paths.orders);
  const account = readLines(paths.account);
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
    appendOrder(line) {
      writeSync(orderFile, `${JSON.stringify(line)}\n`);
    },
    appendAccount(line) {
      writeSync(accountFile, `${JSON.stringify(line)}\n`);
    },
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

/** A journal that keeps nothing, for runs that are thrown away. */
export function forgetfulJournal(): Journal {
  const nothing = { snapshot: undefined, lines: [], orders: [], account: [] };
  return { ...nothing, append() {}, appendOrder() {}, appendAccount() {}, compact() {}, close() {} };
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
