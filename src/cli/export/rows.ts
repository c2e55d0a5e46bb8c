/**
 * The rows of an export on their way through the command: read from JSON lines, handed to a writer, measured, and counted on
 * stderr. Gigabytes pass in constant memory.
 */
import { createHash, type Hash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A row of the JSON export; nested fields are objects. */
export type JsonRow = { readonly [field: string]: unknown };

/**
 * Writes a format that the service does not have. It returns bytes when it has some, so that memory stays constant unless the
 * format needs all rows at once.
 */
export interface RowWriter {
  /** @returns the bytes that are ready, or undefined. */
  add(row: JsonRow): Uint8Array | string | undefined;
  /** Called once, after the last row. */
  end(): Promise<Uint8Array | string> | Uint8Array | string;
}

/** @param lines JSON lines as chunks of UTF-8 text, split anywhere. @returns the rows that each chunk ended, and its size in bytes */
export async function* readRows(lines: AsyncIterable<Uint8Array>): AsyncIterable<{ rows: JsonRow[]; bytes: number }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of lines) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n');
    rest = text.slice(end + 1);
    yield { rows: end < 0 ? [] : text.slice(0, end).split('\n').map(readRow), bytes: chunk.length };
  }
  if (rest !== '') {
    yield { rows: [readRow(rest)], bytes: 0 };
  }
}

function readRow(line: string): JsonRow {
  return JSON.parse(line) as JsonRow;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** Measures a CSV or JSON-lines text as it passes: rows, bytes, the end of the last whole row, and the SHA-256. */
export class RowMeter {
  readonly #hash: Hash = createHash('sha256');
  readonly #quoted: boolean;
  #inQuotes = false;
  /** Rows that have ended, a header included. */
  rows = 0;
  bytes = 0;
  /** Bytes up to the end of the last whole row. */
  wholeBytes = 0;

  /** @param quoted whether a line break between quotes belongs to its cell, as in CSV. */
  constructor(quoted: boolean) {
    this.#quoted = quoted;
  }

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === NEWLINE) {
        if (!this.#inQuotes) {
          this.rows += 1;
          this.wholeBytes = this.bytes + index + 1;
        }
      } else if (byte === QUOTE && this.#quoted) {
        // a doubled quote leaves and enters again at once
        this.#inQuotes = !this.#inQuotes;
      }
    }
    this.bytes += chunk.length;
  }

  /** Ends the measuring. */
  sha256(): string {
    return this.#hash.digest('hex');
  }
}

const COLLECT_EVERY_BYTES = 8 * 1024 * 1024;

type Collect = (options: { readonly type: 'minor' }) => void;

/**
 * Keeps memory constant while gigabytes pass. V8 collects buffers only after about 64 MB are dead, because they are not on its
 * heap. A minor collection every few megabytes takes a millisecond and frees them (measured: 134 MiB instead of 174).
 * @returns a function to call with the size of every chunk that has passed
 */
export function freePassingBuffers(): (bytes: number) => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed >= COLLECT_EVERY_BYTES) {
      passed = 0;
      collect({ type: 'minor' });
    }
  };
}

const REDRAW_MS = 100;
const BAR_WIDTH = 28;

interface Progress {
  update(done: number): void;
  /** Removes the bar. */
  end(): void;
}

/** A progress bar, on a terminal only. @param total rows */
export function startProgress(label: string, total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) {
    return { update: () => {}, end: () => {} };
  }
  const started = performance.now();
  let drawn = 0;
  const draw = (done: number) => {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const full = Math.round(share * BAR_WIDTH);
    const seconds = (performance.now() - started) / 1000;
    const rate = seconds === 0 ? 0 : Math.round(done / seconds);
    const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
    const text = `${label} ${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows, ${rate.toLocaleString('en')} a second`;
    stream.write(`\r\u001b[K${text.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };
  return {
    update: (done) => {
      const now = performance.now();
      if (now - drawn >= REDRAW_MS) {
        drawn = now;
        draw(done);
      }
    },
    end: () => {
      stream.write('\r\u001b[K');
    },
  };
}
