/**
 * Slots for running exports: each holds a connection for as long as its reader takes. One for each operator and few in all;
 * an export whose reader takes nothing for a while, or that runs too long, is ended.
 */
import type { Readable } from 'node:stream';
import { refuse } from '../../core/errors.ts';
import { createRecentDuration } from '../recent-duration.ts';

export interface ExportLimits {
  readonly running: number;
  /** How long a reader may leave ready bytes where they are. */
  readonly stallMs: number;
  readonly totalMs: number;
}

export interface ExportSlot {
  /**
   * Ends with the stream, and ends the stream at its deadlines.
   * @param takenBytes how many bytes the reader has taken so far.
   */
  hold(body: Readable, takenBytes: () => number): void;
  /** For an export that did not begin. */
  free(): void;
}

const LIMITS: ExportLimits = { running: 4, stallMs: 30_000, totalMs: 30 * 60_000 };
const LOOKS_A_STALL = 6;

/** @returns a function that takes a slot for an operator with its children. @throws service_unavailable if it has one, or all are taken. */
export function createExportSlots(limits: ExportLimits = LIMITS): (holderId: string) => ExportSlot {
  const taken = new Set<string>();
  const durations = createRecentDuration();
  const tooMany = (message: string) =>
    refuse('service_unavailable', message, { retryAfterSeconds: durations.secondsFor(1) });

  return (holderId) => {
    if (taken.has(holderId)) {
      throw tooMany('An export of this operator is running; try again when it has ended.');
    }
    if (taken.size >= limits.running) {
      throw tooMany('Enough exports are running; try again shortly.');
    }
    taken.add(holderId);
    const free = () => {
      taken.delete(holderId);
    };
    return {
      free,
      hold: (body, takenBytes) => {
        const stop = watch(body, takenBytes, limits);
        const began = performance.now();
        body.once('close', () => {
          stop();
          durations.record(performance.now() - began);
          free();
        });
      },
    };
  };
}

/** Destroys the stream at its deadlines. A source that is slow is not a reader that stalls: then no bytes are ready. */
function watch(body: Readable, takenBytes: () => number, { stallMs, totalMs }: ExportLimits): () => void {
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
  return () => clearInterval(timer);
}
