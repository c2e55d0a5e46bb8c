/**
 * Writes a file whole or not at all: everything goes to FILE.part, which takes the name when it is complete. What broke off
 * keeps a note beside it of how it was begun, so that it can be gone on with.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Failure } from '../failure.ts';
import type { RowMeter } from './row-meter.ts';

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

  /** How the part that is there was begun; undefined where there is nothing to go on with. */
  async readNote(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(this.#note, 'utf8'));
    } catch {
      return undefined;
    }
  }

  /** Begins anew. @throws Failure where the path cannot be written. */
  async begin(note: unknown): Promise<void> {
    await this.#try(async () => {
      await writeFile(this.#note, JSON.stringify(note));
      this.#handle = await open(this.part, 'w');
    });
  }

  /** Goes on: what is there passes the meter, and a row that broke off is cut away. */
  async resume(measure: () => RowMeter): Promise<RowMeter> {
    return this.#try(async () => {
      const whole = measure();
      for await (const chunk of createReadStream(this.part)) {
        whole.add(chunk as Buffer);
      }
      await truncate(this.part, whole.wholeBytes);
      const meter = measure();
      for await (const chunk of createReadStream(this.part)) {
        meter.add(chunk as Buffer);
      }
      this.#handle = await open(this.part, 'a');
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

  /** Flushes it to the disk, gives it its name, and writes FILE.sum, which `sha256sum -c` reads. */
  async complete(sha256: string, facts: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#try(async () => {
      await this.#handle?.sync();
      await this.close();
      const comments = Object.entries(facts).map(([name, value]) => `# ${name}: ${String(value)}\n`);
      await writeFile(`${this.path}.sum.part`, `${comments.join('')}${sha256}  ${basename(this.path)}\n`);
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

  /** Leaves nothing behind. */
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
        next: 'Make room or choose another place with --out.',
      });
    }
  }
}
