/** What every action of a scenario step works with, and what it answers. */
import type { ApiAnswer, ApiClient } from '../../service/api-client.ts';
import type { Deliveries } from './deliveries.ts';

export interface ActionPorts {
  readonly api: ApiClient;
  /** Cursor at the end of the feed when the file began. */
  readonly feedStart: string | undefined;
  readonly deliveries: Deliveries;
  /** Number of deliveries received before the file began. */
  readonly deliveredBefore: number;
  /** Runs another inlay command. */
  readonly inlay: (argv: readonly string[], signal: AbortSignal) => Promise<{ exitCode: number; json: unknown }>;
  readonly signal: AbortSignal;
  /** Longest wait for a feed item or a delivery. */
  readonly eventTimeoutMs: number;
}

export type Answer = ApiAnswer<unknown>;
/** What a step says of its action, or a body: a person wrote it, so every field is checked where it is used. */
export type Fields = Readonly<Record<string, unknown>>;

/** The answer of an action that is not a single request. */
export function answer(status: number, body: Fields): Answer {
  return { status, headers: new Headers(), body };
}
