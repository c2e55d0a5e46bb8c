/** The rests of a loop, which end early if work is due. The loops of jobs and the one that readers of the journal wait for share them. */

interface Rest {
  /** Waits so many milliseconds, or until `wake`. Returns at once if it was called since the last rest. */
  rest(ms: number): Promise<void>;
  wake(): void;
}

/** The rests of one loop. */
export function createRest(): Rest {
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    async rest(ms) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        end = resolve;
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
        end = undefined;
      }
      isWoken = false;
    },
    wake() {
      isWoken = true;
      end?.();
    },
  };
}
