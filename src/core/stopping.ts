/** When a long-running process is asked to stop: by a signal, or by the end of the process that started it. Cleans up nothing itself. */

export type StopReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Longer than any part needs to drain; what hangs then is left to the operating system. */
const GRACE_MS = 25_000;
const INTERRUPTED = 130;
const NOTICE_MS = 2_000;
/** Ctrl-C under npm or `timeout` arrives twice: from the terminal and from the one in between. That is one request. */
const SAME_REQUEST_MS = 1_000;

/**
 * How long a server goes on taking requests while its health says that it stops, so that a load balancer sends them
 * elsewhere: a person at a terminal does not wait for that.
 */
export function noticeMs(reason: StopReason): number {
  return reason === 'SIGTERM' ? NOTICE_MS : 0;
}

/**
 * Calls back at a Ctrl-C, and again where it is repeated after a second. Under npm, \`timeout\` or the launcher of \`bin/\` one
 * request arrives twice.
 * @param interrupted told whether this is a repetition: then nothing is waited for any more.
 */
export function onInterrupt(interrupted: (again: boolean) => void): void {
  let askedAt: number | undefined;
  process.on('SIGINT', () => {
    const again = askedAt !== undefined;
    if (again && performance.now() - (askedAt ?? 0) <= SAME_REQUEST_MS) {
      return;
    }
    askedAt ??= performance.now();
    interrupted(again);
  });
}

/**
 * Resolves once, at the first request to stop. From then on a second signal, or the end of the grace, ends the process at once.
 * A child started with a channel (`keepRunning`) stops when that closes, which a `kill -9` of its parent does too.
 */
export function untilAskedToStop(): Promise<StopReason> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const ask = (reason: StopReason) => {
      if (askedAt !== undefined) {
        if (reason !== 'parent' && Date.now() - askedAt > SAME_REQUEST_MS) {
          process.exit(INTERRUPTED);
        }
        return;
      }
      askedAt = Date.now();
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
