/** Which PostgreSQL server runs in a place, by the file that it keeps there; and the end of one that nobody wants. Starts none. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './cluster-paths.ts';

export interface Running {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

const POLL_MS = 10;
/** For each of the three ways to ask. */
const STOP_DEADLINE_MS = 15_000;

/** The live server of this place by its pid file. */
export function readRunning(place: Place): Running | undefined {
  const running = readPidFile(place);
  if (running === undefined || !isServer(running.pid, place.clusterDir)) {
    forgetStrangersPid(place, running?.pid);
    return undefined;
  }
  return running;
}

/**
 * PostgreSQL replaces the file of a dead process by itself, but not when another program, or a zombie, has the number by now.
 * Nothing else is removed: the file may be in the middle of being written by a server that starts.
 */
function forgetStrangersPid(place: Place, pid: number | undefined): void {
  if (pid !== undefined && pid > 1 && isTaken(pid) && readPidFile(place)?.pid === pid) {
    rmSync(pidFile(place), { force: true });
  }
}

/** What the file says, of whatever process. */
export function readPidFile(place: Place): Running | undefined {
  try {
    const lines = readFileSync(pidFile(place), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

export function pidFile(place: Place): string {
  return join(place.clusterDir, 'postmaster.pid');
}

/** Stops a server that nobody watches: a fast shutdown, and an immediate one (which the next start repairs) when that takes too long. */
export async function stop(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + STOP_DEADLINE_MS;
    while (Date.now() < deadline) {
      if (!isAlive(pid)) {
        return;
      }
      await sleep(POLL_MS);
    }
  }
}

/** A process of that number that is a PostgreSQL of this cluster; numbers are used again after a reboot. A zombie is none. */
export function isServer(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) {
    return false;
  }
  return commandLine(pid).includes(clusterDir);
}

function commandLine(pid: number): string {
  if (existsSync('/proc/self/cmdline')) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

/** Alive and not a zombie, as one becomes in a container whose first process reaps nobody. */
export function isAlive(pid: number): boolean {
  if (!isTaken(pid)) {
    return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return !existsSync('/proc/self/stat') || existsSync(`/proc/${pid}`);
  }
}

/** Whether any process has this number, zombies included. */
function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
