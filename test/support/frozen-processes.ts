/** Processes that stand still, such as backends of a database whose host hangs, until they are thawed. */

export interface FrozenProcesses {
  /** Those that stand still now. */
  readonly pids: ReadonlySet<number>;
  freeze(pid: number): void;
  /** All of them go on. */
  thaw(): void;
}

/** The caller thaws them at the end of a test: a process that stands still cannot be stopped. */
export function createFrozenProcesses(): FrozenProcesses {
  const pids = new Set<number>();
  return {
    pids,
    freeze: (pid) => {
      process.kill(pid, 'SIGSTOP');
      pids.add(pid);
    },
    thaw: () => {
      for (const pid of pids) {
        process.kill(pid, 'SIGCONT');
      }
      pids.clear();
    },
  };
}
