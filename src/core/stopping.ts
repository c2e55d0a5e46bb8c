/**
 * Detects when a long-running process should stop: at a signal, or when the process that started it ends. It cleans up
 * nothing itself.
 */

export type StopReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent';

let asked = false;

/** Whether this process was asked to stop. A child that shares its terminal was asked at the same time. */
export function isAskedToStop(): boolean {
  return asked;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Longer than any part needs to finish its work. After that, the operating system ends what still runs. */
const GRACE_MS = 25_000;
const INTERRUPTED = 130;
const NOTICE_MS = 2_000;
/**
 * Under npm or `timeout`, one Ctrl-C arrives twice: from the terminal and from the process in between. Both count as
 * one request.
 */
const SAME_REQUEST_MS = 1_000;

/**
 * How long a server still accepts requests while its health check already reports that it is stopping, so that a load
 * balancer sends requests elsewhere. At a terminal there is no such delay.
 */
export function noticeMs(reason: StopReason): number {
  return reason === 'SIGTERM' ? NOTICE_MS : 0;
}

/**
 * Calls back at a Ctrl-C, and again if it is repeated after a second. Under npm, `timeout` or the launcher of `bin/`
 * one request arrives twice.
 * @param interrupted receives whether this is a repetition: the caller then stops waiting for anything
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

/** What a child says on its channel while its event loop turns. */
const BEAT = 'running';
const BEAT_MS = 5_000;

/**
 * Resolves once, at the first request to stop. After that, a second signal or the end of the grace period ends the
 * process at once. A child that was started with a channel (`keepRunning`) stops when the channel closes, which also
 * happens after a `kill -9` of its parent, and says on it every few seconds that it runs.
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
      asked = true;
      setTimeout(() => process.exit(1), GRACE_MS).unref();
      resolve(reason);
    };
    for (const signal of SIGNALS) {
      process.on(signal, () => ask(signal));
    }
    if (process.channel !== undefined && process.channel !== null) {
      process.once('disconnect', () => ask('parent'));
      setInterval(() => process.send?.(BEAT), BEAT_MS).unref();
      process.channel.unref();
    }
  });
}
