/** A job that comes round: at once, then every so often, never twice at a time. A round that fails is told and comes again. */

export interface RoundOptions {
  readonly everyMs: number;
  /** Milliseconds until the first round. */
  readonly firstMs?: number;
  /** @param goesOn false once the worker closes; a long round asks between its steps. */
  readonly round: (goesOn: () => boolean) => Promise<unknown>;
  readonly failed: (error: unknown) => void;
  /** A round went well. */
  readonly over?: () => void;
}

export interface Rounds {
  /** Resolves when the round that runs has ended. */
  close(): Promise<void>;
}

export function startRounds({ everyMs, firstMs = 0, round, failed, over }: RoundOptions): Rounds {
  let running: Promise<void> | undefined;
  let closed = false;
  const turn = () => {
    if (closed || running !== undefined) {
      return;
    }
    running = Promise.resolve()
      .then(() => round(() => !closed))
      .then(() => over?.(), failed)
      .finally(() => {
        running = undefined;
      });
  };
  const first = firstMs > 0 ? setTimeout(turn, firstMs) : undefined;
  const timer = setInterval(turn, everyMs);
  if (first === undefined) {
    turn();
  }
  return {
    close: async () => {
      closed = true;
      clearTimeout(first);
      clearInterval(timer);
      await running;
    },
  };
}
