/**
 * Notices lost commits: each worker and API process increments a counter in the database once a second, and keeps the
 * acknowledged value in a file outside the database. If the database returns with a smaller value, after a restore or a
 * fail-over to a server that lagged, `witness_books` in SQL raises the epoch of the books. This file decides nothing.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../core/log.ts';
import type { Sql } from './client.ts';
import { logFailures } from './failure-log.ts';

/** The last acknowledged value. The file contains it as JSON. */
interface Seen {
  readonly witness: string;
  readonly epoch: number;
  readonly beat: string;
  readonly systemIdentifier: string;
  readonly timeline: string;
  readonly lsn: string;
}

export interface Beat {
  readonly epoch: number;
  /** Identifies the server, its timeline and the epoch. When it changes, the venues must be compared. */
  readonly books: string;
  /** Acknowledged commits are lost, and the epoch was raised for this reason. */
  readonly lost: boolean;
  /** The time on the database's clock. */
  readonly at: Date;
}

export interface Witness {
  /** @throws if the database does not respond */
  beat(): Promise<Beat>;
}

/** Witnesses of this process so far. */
let opened = 0;

/** @param folder a folder of this machine only; the same one after a restart */
export function createWitness(sql: Sql, folder: string): Witness {
  opened += 1;
  const number = opened;
  let file: string | undefined;
  let seen: Seen | undefined;
  let witness: string | undefined;

  async function open(): Promise<string> {
    const [books] = await sql<{ booksId: string }[]>`select books_id::text as books_id from books`;
    file = join(folder, `books-${books?.booksId}.json`);
    seen = await readSeen(file);
    witness = seen?.witness ?? randomUUID();
    return witness;
  }

  return {
    async beat() {
      const name = witness ?? (await open());
      const [row] = await sql<
        {
          epoch: number;
          beat: bigint;
          systemIdentifier: bigint;
          timeline: bigint;
          lsn: string;
          at: Date;
          lost: boolean;
        }[]
      >`select * from witness_books(${name}, ${seen === undefined ? null : JSON.stringify(seen)}::text::json)`;
      if (row === undefined) {
        throw new Error('the table of books is empty');
      }
      const { epoch, lost, at } = row;
      seen = {
        witness: name,
        epoch,
        beat: `${row.beat}`,
        systemIdentifier: `${row.systemIdentifier}`,
        timeline: `${row.timeline}`,
        lsn: row.lsn,
      };
      await writeSeen(folder, file ?? '', number, seen);
      return { epoch, lost, at, books: `${epoch}/${row.systemIdentifier}/${row.timeline}` };
    },
  };
}

async function readSeen(file: string): Promise<Seen | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Seen;
  } catch {
    // The file does not exist yet, or is incomplete because the machine died before the rename: no count is known.
    return undefined;
  }
}

/** @param number of the witness in its process, so that two of one process do not write the same temporary file */
async function writeSeen(folder: string, file: string, number: number, seen: Seen): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.${number}`;
  const handle = await open(fresh, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(seen));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}

const EVERY_MS = 1_000;
const SHORT_MS = 15_000;

export interface BooksWatch {
  /** The database takes no writes: the last check failed, or it lacked room for a statement in the last 15 seconds. */
  readonly failing: boolean;
  /** Called when a statement failed because the disk is full. A check changes one row in place, which may need no room. */
  noteShortage(): void;
  close(): Promise<void>;
}

/**
 * Checks the books once a second with one small statement, never two at once, so that an API process in front of a restored database
 * notices it without a worker.
 * @returns after the first check, so that no request is served before it. It does not wait for a database that is away.
 */
export async function watchBooks(witness: Witness, log: Logger): Promise<BooksWatch> {
  const trouble = logFailures(log, 'books', 'the database cannot be checked for lost commits');
  let failing = false;
  let shortUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      const { lost, epoch } = await witness.beat();
      if (lost) {
        log.fatal({ epoch }, 'the database lost commits that it had acknowledged; the database epoch rises');
      }
      trouble.over();
      failing = false;
    } catch (error) {
      trouble.failed(error);
      failing = true;
    }
  }

  await look();
  const timer = setInterval(() => {
    running ??= look().finally(() => {
      running = undefined;
    });
  }, EVERY_MS);
  timer.unref();
  return {
    get failing() {
      return failing || performance.now() < shortUntil;
    },
    noteShortage: () => {
      shortUntil = performance.now() + SHORT_MS;
    },
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
