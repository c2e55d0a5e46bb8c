/** What the emulated exchange is asked and what it answers, for all its paths. */
import type { ReceivedRequest } from './verify.ts';

export interface Asked extends ReceivedRequest {
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly now: Date;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function invalid(error: string): Answer {
  return { status: 400, body: { error } };
}
