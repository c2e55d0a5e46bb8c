/**
 * Writes a file completely or not at all: everything goes to FILE.part, which is renamed when it is complete. A note beside an
 * interrupted file records how it was started, so that it can be continued. The file has customers and amounts, so only its owner may
 * read it, and a link that waits in its place is replaced, not followed.
 */
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Failure } from '../failure.ts';
import type { RowMeter } from './rows.ts';

const OWNER_ONLY = 0o600;

export class WholeFile {
  readonly path: string;
  readonly part: string;
  readonly #note: string;
  #handle: FileHandle | undefined;

  constructor(path: string) {
    this.path = path;
    this.part = `${path}.part`;
    this.#note = `${path}.part.json`;
  }

  /** @returns how the existing part was started; undefined if there is nothing to continue */
  async readNote(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(this.#note, 'utf8'));
    } catch {
      return undefined;
    }
  }

  /** Starts from the beginning. @param note how the file is started, as JSON. @throws Failure if the path cannot be written. */
  async begin(note: unknown): Promise<void> {
    await this.#try(async () => {
      await writeAnew(this.#note, JSON.stringify(note));
      await rm(this.part, { force: true });
      this.#handle = await open(this.part, 'wx', OWNER_ONLY);
    });
  }

  /** Continues after the last whole row; an incomplete row after it is removed. @returns the measure of the rows that are kept */
  async resume(measure: () => RowMeter): Promise<RowMeter> {
    return this.#try(async () => {
      const handle = await open(this.part, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW);
      const whole = measure();
      for await (const chunk of createReadStream(this.part)) {
        whole.add(chunk as Buffer);
      }
      await handle.truncate(whole.wholeBytes);
      const meter = measure();
      for await (const chunk of createReadStream(this.part)) {
        meter.add(chunk as Buffer);
      }
      this.#handle = handle;
      return meter;
    });
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#try(async () => {
      let written = 0;
      while (written < chunk.length) {
        const { bytesWritten } = (await this.#handle?.write(chunk, written)) ?? { bytesWritten: 0 };
        if (bytesWritten === 0) {
          throw new Error('nothing was written');
        }
        written += bytesWritten;
      }
    });
  }

  /** Flushes the file to disk, renames it, and writes FILE.sum, which `sha256sum -c` reads. */
  async complete(sha256: string, facts: Readonly<Record<string, string | number>>): Promise<void> {
    await this.#try(async () => {
      await this.#handle?.sync();
      await this.close();
      const comments = Object.entries(facts).map(([name, value]) => `# ${name}: ${String(value)}\n`);
      await writeAnew(`${this.path}.sum.part`, `${comments.join('')}${sha256}  ${basename(this.path)}\n`);
      await rename(this.part, this.path);
      await rename(`${this.path}.sum.part`, `${this.path}.sum`);
      await rm(this.#note, { force: true });
    });
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** Removes the part and its note. */
  async discard(): Promise<void> {
    await this.close().catch(() => {});
    await rm(this.part, { force: true }).catch(() => {});
    await rm(this.#note, { force: true }).catch(() => {});
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure) {
        throw error;
      }
      const reason = error instanceof Error ? error.message : String(error);
      throw new Failure('write_failed', `${this.path} cannot be written: ${reason}.`, {
        next: 'Free some space or choose another path with --out.',
      });
    }
  }
}

async function writeAnew(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { flag: 'wx', mode: OWNER_ONLY });
}
