/** Which PostgreSQL server runs in a cluster folder, by its pid file: waits until it is ready, and stops it. It starts none. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterPaths } from './cluster-paths.ts';

export interface Running {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

const POLL_MS = 10;
const READY_DEADLINE_MS = 60_000;
/** For each of the three ways to stop it. */
const STOP_DEADLINE_MS = 15_000;

/** The live server of this cluster, according to its pid file. */
export function readRunning(paths: ClusterPaths): Running | undefined {
  const running = readPidFile(paths);
  if (running === undefined || !isServer(running.pid, paths.clusterDir)) {
    forgetStrangersPid(paths, running?.pid);
    return undefined;
  }
  return running;
}

/**
 * PostgreSQL replaces the file of a dead process by itself, but not if another program, or a zombie, has the number by
 * now. Only then is the file removed: otherwise a starting server may be writing it.
 */
function forgetStrangersPid(paths: ClusterPaths, pid: number | undefined): void {
  if (pid !== undefined && pid > 1 && isTaken(pid) && readPidFile(paths)?.pid === pid) {
    rmSync(pidFile(paths), { force: true });
  }
}

/** The content of the file, whichever process it names. */
function readPidFile(paths: ClusterPaths): Running | undefined {
  try {
    const lines = readFileSync(pidFile(paths), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

function pidFile(paths: ClusterPaths): string {
  return join(paths.clusterDir, 'postmaster.pid');
}

/** @returns undefined if the server stops instead, or is not ready in time */
export async function untilReady(paths: ClusterPaths, pid: number): Promise<Running | undefined> {
  const deadline = Date.now() + READY_DEADLINE_MS;
  while (Date.now() < deadline) {
    const running = readPidFile(paths);
    if (running?.pid === pid && running.status === 'ready') {
      return running;
    }
    if (!isAlive(pid) || running?.status === 'stopping') {
      return undefined;
    }
    await sleep(POLL_MS);
  }
  return undefined;
}

/** A fast shutdown, then an immediate one (which the next start repairs) if that takes too long. */
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

/**
 * Whether the process with this number is a PostgreSQL of this cluster, and not a zombie. Numbers are reused after a
 * reboot.
 */
function isServer(pid: number, clusterDir: string): boolean {
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

/**
 * Whether the process is alive and not a zombie. Zombies remain in a container whose first process does not reap
 * children.
 */
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
