/**
 * A witness of the books in each worker and API process, outside the database. Once a second it increments a counter in the database, and keeps the
 * acknowledged value in a file and in memory. If the database returns with a smaller value, after a restore or a
 * fail-over to a server that lagged, the epoch of the books rises (`witness_books` in SQL). It sends and compares
 * nothing.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from './client.ts';

/** What was last acknowledged. The file contains it as JSON. */
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
  /** Acknowledged commits are lost, and the epoch was raised because of it. */
  readonly lost: boolean;
  /** The time on the database's clock. */
  readonly at: Date;
}

export interface Witness {
  /** @throws if the database does not answer */
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
    // The file does not exist yet, or is incomplete because the machine died before the rename: nothing is known.
    return undefined;
  }
}

/** @param number of the witness in its process: two of one process write files of their own before they rename them. */
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
