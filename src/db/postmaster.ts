/**
 * Starts, joins and stops the embedded PostgreSQL server of one place.
 *
 * Whoever uses the server holds the writing end of a pipe. A watcher beside the server reads it: when the last holder is gone,
 * however it ended (a `kill -9` closes files too), it reads the end of the file and stops the server. So nobody owns the server,
 * no count can go stale, and no process is left behind.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, closeSync, constants, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRAM_ENVIRONMENT } from './cluster.ts';
import type { Place } from './place.ts';

export interface Running {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

export interface Held {
  readonly pid: number;
  readonly port: number;
  /** Lets go; resolves when the server has stopped, or at once when others still hold it. */
  release(): Promise<void>;
}

export interface StartOptions {
  /** Only tests turn it off. */
  readonly durable: boolean;
  readonly maxConnections: number;
  /** Tried first, so that a server that died comes back where its clients look for it. */
  readonly port?: number;
}

const POLL_MS = 10;
const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 30_000;
const PORT_ATTEMPTS = 5;

// exec keeps the pid: the shell becomes the server. The watcher is a grandchild, since the server takes an unknown child that
// ends badly for a crash of its own. It waits for the pid file, so that a holder killed in the first moments leaves nothing behind.
const SCRIPT = `exec 3<&0 </dev/null
pidfile=$1; shift
( ( cat <&3 >/dev/null 2>&1
    n=0
    while kill -0 $$ 2>/dev/null && [ $n -lt 100 ]; do
      pid=; { read -r pid < "$pidfile"; } 2>/dev/null
      if [ "$pid" = "$$" ]; then kill -INT $$; exit 0; fi
      n=$((n + 1)); sleep 0.1
    done ) & )
exec 3<&-
exec "$@"`;

/** Joins the server of this place, or starts it. */
export async function hold(place: Place, native: string, options: StartOptions): Promise<Held> {
  const deadline = Date.now() + START_DEADLINE_MS;
  let attempts = 0;
  while (Date.now() < deadline) {
    const running = readRunning(place);
    if (running === undefined) {
      const port = attempts === 0 && options.port !== undefined ? options.port : await freePort();
      attempts += 1;
      const started = await start(place, native, { ...options, port }, deadline);
      if (started !== undefined) {
        return started;
      }
      if (attempts > PORT_ATTEMPTS) {
        throw new Error(`PostgreSQL does not start:\n${logTail(place)}`);
      }
      continue;
    }
    const descriptor = joinPipe(place);
    if (descriptor === undefined) {
      // Nobody watches it: it is stopping, or its watcher was killed with its holders. Either way it has to go first.
      await stop(running.pid);
      continue;
    }
    const ready = await untilReady(place, running.pid, deadline);
    if (ready !== undefined && stillWatched(descriptor)) {
      return held(place, ready, descriptor);
    }
    closeSync(descriptor);
  }
  throw new Error(`PostgreSQL did not become ready in time:\n${logTail(place)}`);
}

/** The live server of this place by its pid file. Clears away a pid file whose process is gone or is another program by now. */
export function readRunning(place: Place): Running | undefined {
  const path = join(place.clusterDir, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isServer(pid, place.clusterDir)) {
    rmSync(path, { force: true });
    return undefined;
  }
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
}

async function start(
  place: Place,
  native: string,
  options: StartOptions & { port: number },
  deadline: number,
): Promise<Held | undefined> {
  makePipe(place);
  // Open for both ways it never blocks, and makes the two ends open at once; it is closed before anybody depends on it.
  const both = openSync(place.pipe, constants.O_RDWR);
  const reading = openSync(place.pipe, constants.O_RDONLY);
  const writing = openSync(place.pipe, constants.O_WRONLY);
  closeSync(both);
  const log = openSync(place.log, 'w', 0o600);
  const child = spawn(
    '/bin/sh',
    [
      ...['-c', SCRIPT, 'sh', join(place.clusterDir, 'postmaster.pid')],
      ...[join(native, 'bin', 'postgres'), '-D', place.clusterDir, '-p', String(options.port)],
      ...settings(options).flatMap((setting) => ['-c', setting]),
    ],
    {
      ...place.account,
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      stdio: [reading, log, log],
      // A session of its own: Ctrl-C in the terminal is for us, who drain first and let go of the server last.
      detached: true,
    },
  );
  child.unref();
  const failed = new Promise<undefined>((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', () => resolve(undefined));
  });
  closeSync(reading);
  closeSync(log);
  const ready = await Promise.race([untilReady(place, child.pid ?? 0, deadline, true), failed]);
  if (ready === undefined) {
    closeSync(writing);
    const tail = logTail(place);
    const lostTheRace = readRunning(place) !== undefined || tail.includes('lock file "postmaster.pid" already exists');
    if (lostTheRace || /Address already in use|could not bind/.test(tail)) {
      return undefined;
    }
    throw new Error(`PostgreSQL does not start:\n${tail}`);
  }
  return held(place, ready, writing);
}

function settings(options: StartOptions): string[] {
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
    'autovacuum_naptime=15s',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
    'log_min_messages=warning',
    'log_min_error_statement=panic',
    ...(options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
}

function held(place: Place, running: Running, descriptor: number): Held {
  let open = true;
  return {
    pid: running.pid,
    port: running.port,
    release: async () => {
      if (!open) {
        return;
      }
      open = false;
      closeSync(descriptor);
      const deadline = Date.now() + STOP_DEADLINE_MS;
      for (let looks = 0; Date.now() < deadline && isServer(running.pid, place.clusterDir); looks += 1) {
        // A watcher that still reads after several looks has other holders to wait for.
        if (looks >= 5) {
          const peek = joinPipe(place);
          if (peek !== undefined) {
            closeSync(peek);
            return;
          }
        }
        await sleep(POLL_MS);
      }
    },
  };
}

async function untilReady(
  place: Place,
  pid: number,
  deadline: number,
  justSpawned = false,
): Promise<Running | undefined> {
  while (Date.now() < deadline) {
    const running = justSpawned && !isAlive(pid) ? undefined : readQuietly(place);
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

function readQuietly(place: Place): Running | undefined {
  try {
    const lines = readFileSync(join(place.clusterDir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

/** Stops a server that nobody watches: a fast shutdown, and an immediate one (which the next start repairs) when that takes too long. */
async function stop(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + STOP_DEADLINE_MS / 2;
    while (Date.now() < deadline) {
      if (!isAlive(pid)) {
        return;
      }
      await sleep(POLL_MS);
    }
  }
}

function makePipe(place: Place): void {
  if (existsSync(place.pipe)) {
    return;
  }
  const made = spawnSync('mkfifo', ['-m', '600', place.pipe], { encoding: 'utf8' });
  if (made.status !== 0 && !existsSync(place.pipe)) {
    throw new Error(`Cannot make ${place.pipe}: ${made.stderr}`);
  }
  if (place.account !== null) {
    chownSync(place.pipe, place.account.uid, place.account.gid);
  }
}

/** The writing end, or undefined when nobody reads. */
function joinPipe(place: Place): number | undefined {
  try {
    return openSync(place.pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function stillWatched(descriptor: number): boolean {
  try {
    writeSync(descriptor, '.');
    return true;
  } catch {
    return false;
  }
}

/** A process of that number that is a PostgreSQL of this cluster; numbers are used again after a reboot. A zombie is none. */
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

/** Alive and not a zombie, as one becomes in a container whose first process reaps nobody. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) {
      return false;
    }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return !existsSync('/proc/self/stat') || existsSync(`/proc/${pid}`);
  }
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

function logTail(place: Place): string {
  try {
    return readFileSync(place.log, 'utf8').trim().split('\n').slice(-12).join('\n');
  } catch {
    return '(no log)';
  }
}
