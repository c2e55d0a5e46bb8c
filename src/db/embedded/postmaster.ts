/**
 * The embedded PostgreSQL server of one cluster: starts it, finds the one that runs by its pid file, waits until it is ready, and stops it.
 * A server ends with the process that started it: on Linux the kernel signals it to stop; elsewhere a killed process leaves it to the next
 * start.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRAM_ENVIRONMENT } from './cluster.ts';
import type { ClusterPaths } from './cluster-paths.ts';

interface Running {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

export interface Postmaster extends Running {
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Only tests turn it off. */
  readonly durable: boolean;
  readonly maxConnections: number;
  readonly onSpawned?: (() => void) | undefined;
}

const PORT_ATTEMPTS = 5;
/** A program of util-linux, on every Debian: makes the kernel send a signal to a process when its parent ends. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * Starts the server and waits until it is ready.
 * @param wanted port; by default a free one
 * @returns undefined if another process has started the server of this cluster meanwhile
 */
export async function startPostmaster(
  paths: ClusterPaths,
  native: string,
  options: ServerOptions,
  wanted?: number,
): Promise<Postmaster | undefined> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const port = attempt === 0 && wanted !== undefined ? wanted : await freePort();
    const settings = serverSettings(options).flatMap((setting) => ['-c', setting]);
    const server = [join(native, 'bin', 'postgres'), '-D', paths.clusterDir, '-p', String(port), ...settings];
    const [program = '', ...args] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'INT', ...server] : server;
    const log = openSync(paths.log, 'w', 0o600);
    // A separate session: Ctrl-C in the terminal must reach only us, so that we finish first and stop the server last.
    const child = spawn(program, args, {
      ...paths.account,
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.unref();
    let gone = false;
    const exited = new Promise<void>((resolve) => {
      const end = () => {
        gone = true;
        resolve();
      };
      child.once('error', end);
      child.once('exit', end);
    });
    options.onSpawned?.();
    const ready = await Promise.race([untilReady(paths, child.pid ?? 0), exited]);
    if (ready !== undefined) {
      return {
        ...ready,
        exited,
        stop: async () => {
          if (!gone) {
            child.ref();
            await stop(ready.pid);
            await exited;
          }
        },
      };
    }
    const tail = logTail(paths);
    if (tail.includes('lock file "postmaster.pid" already exists')) {
      return undefined;
    }
    if (!/Address already in use|could not bind/.test(tail)) {
      throw new Error(`PostgreSQL does not start:\n${tail}`);
    }
  }
  throw new Error(`PostgreSQL finds no free port:\n${logTail(paths)}`);
}

/** Sized for a development machine, with the default durability of PostgreSQL. As `name=value`. */
export function serverSettings(options: ServerOptions): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `max_connections=${options.maxConnections}`,
    'shared_buffers=256MB',
    'effective_cache_size=1GB',
    'wal_buffers=16MB',
    'max_wal_size=2GB',
    'min_wal_size=256MB',
    'wal_compression=on',
    'checkpoint_timeout=15min',
    'random_page_cost=1.1',
    // analysing the feed's wide rows would take a core away from orders; all reads here find their rows by key
    'default_statistics_target=25',
    // a report has its own connections; workers beside them would take the cores of orders
    'max_parallel_workers_per_gather=0',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
    'log_min_messages=warning',
    'log_min_error_statement=panic',
    ...(options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function logTail(paths: ClusterPaths): string {
  try {
    return readFileSync(paths.log, 'utf8').trim().split('\n').slice(-12).join('\n');
  } catch {
    return '(no log)';
  }
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

/**
 * @param waitMs milliseconds
 * @returns undefined if the server stops instead, or is not ready in time
 */
export async function untilReady(
  paths: ClusterPaths,
  pid: number,
  waitMs = READY_DEADLINE_MS,
): Promise<Running | undefined> {
  const deadline = Date.now() + waitMs;
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
