/** When a long-running process is asked to stop: by a signal, or by the end of the process that started it. Cleans up nothing itself. */

export type StopReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Longer than any part needs to drain; what hangs then is left to the operating system. */
const GRACE_MS = 15_000;
const INTERRUPTED = 130;

/**
 * Resolves once, at the first request to stop. From then on a second signal, or the end of the grace, ends the process at once.
 * A child started with a channel (`keepRunning`) stops when that closes, which a `kill -9` of its parent does too.
 */
export function untilAskedToStop(): Promise<StopReason> {
  return new Promise((resolve) => {
    let asked = false;
    const ask = (reason: StopReason) => {
      if (asked) {
        if (reason !== 'parent') {
          process.exit(INTERRUPTED);
        }
        return;
      }
      asked = true;
      setTimeout(() => process.exit(1), GRACE_MS).unref();
      resolve(reason);
    };
    for (const signal of SIGNALS) {
      process.on(signal, () => ask(signal));
    }
    if (process.channel !== undefined && process.channel !== null) {
      process.once('disconnect', () => ask('parent'));
      process.channel.unref();
    }
  });
}
