/** Measures a CSV or JSON-lines text as it passes: rows, bytes, the end of the last whole row, and the SHA-256. */
import { createHash, type Hash } from 'node:crypto';

const NEWLINE = 0x0a;
const QUOTE = 0x22;

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
