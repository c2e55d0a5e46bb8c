/** One machine of the cluster: its Patroni, its PostgreSQL, and the watchdog that resets both. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, familyOf, signalAll } from './node-processes.ts';
import type { Node } from './topology.ts';
import { openWatchdog, type Watchdog } from './watchdog.ts';

export interface Machine {
  readonly watchdog: Watchdog;
  /** Process ids of PostgreSQL, parents first; empty while it does not run. */
  postgres(): readonly number[];
  patroni(): readonly number[];
  /** Does nothing if Patroni runs. */
  startPatroni(): void;
  /** Kills both; the machine stays down. */
  close(): Promise<void>;
}

/** A machine that was reset starts its Patroni again after this time. */
const BOOT_MS = 10_000;

/** @param onReset is told of each reset by the watchdog */
export function openMachine(node: Node, launchPatroni: (node: Node) => Daemon, onReset: () => void): Machine {
  let daemon: Daemon | undefined;
  let boot: NodeJS.Timeout | undefined;

  const postgres = (): readonly number[] => {
    try {
      const pid = Number(readFileSync(join(node.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return existsSync(`/proc/${pid}`) ? familyOf(pid) : [];
    } catch {
      return [];
    }
  };
  const isRunning = () =>
    daemon !== undefined && daemon.process.exitCode === null && daemon.process.signalCode === null;
  const patroni = (): readonly number[] => {
    const servers = postgres();
    return daemon === undefined || !isRunning() ? [] : familyOf(daemon.pid).filter((pid) => !servers.includes(pid));
  };
  const startPatroni = () => {
    clearTimeout(boot);
    if (!isRunning()) {
      daemon = launchPatroni(node);
    }
  };
  const watchdog = openWatchdog(node.watchdog, () => {
    signalAll([...patroni(), ...postgres()], 'SIGKILL');
    boot = setTimeout(startPatroni, BOOT_MS);
    onReset();
  });
  return {
    watchdog,
    postgres,
    patroni,
    startPatroni,
    close: async () => {
      watchdog.close();
      clearTimeout(boot);
      signalAll([...(daemon === undefined ? [] : familyOf(daemon.pid)), ...postgres()], 'SIGKILL');
      await daemon?.exited;
    },
  };
}
