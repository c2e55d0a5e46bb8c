/** The results of a run: one for each step, one for each file. */
import type { Mismatch } from './match.ts';

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly skipped: boolean;
  readonly durationMs: number;
  /** HTTP status of the last answer; null if there was none. */
  readonly status: number | null;
  readonly problems: readonly Mismatch[];
}

export interface FileResult {
  readonly file: string;
  readonly name: string;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
}
