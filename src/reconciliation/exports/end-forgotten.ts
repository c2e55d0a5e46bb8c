/** Ends an export that keeps its connection for nobody. */
import type { Readable } from 'node:stream';

export interface ReaderLimits {
  /** How long a reader may leave ready bytes where they are. */
  readonly stallMs: number;
  readonly totalMs: number;
}

const LIMITS: ReaderLimits = { stallMs: 30_000, totalMs: 30 * 60_000 };
const LOOKS_A_STALL = 6;

/**
 * Destroys the stream when its reader takes nothing for too long, or when it runs for too long. A source that is slow is not a reader
 * that stalls: then no bytes are ready.
 * @param takenBytes how many bytes the reader has taken so far
 * @param limits only tests pass them
 */
export function endForgotten(body: Readable, takenBytes: () => number, { stallMs, totalMs } = LIMITS): void {
  const started = performance.now();
  let movedAt = started;
  let seen = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    if (takenBytes() !== seen || body.readableLength === 0) {
      seen = takenBytes();
      movedAt = now;
    }
    if (now - movedAt >= stallMs) {
      body.destroy(new Error('the reader of the export took nothing for too long'));
    } else if (now - started >= totalMs) {
      body.destroy(new Error('the export ran for too long'));
    }
  }, stallMs / LOOKS_A_STALL);
  body.once('close', () => clearInterval(timer));
}
