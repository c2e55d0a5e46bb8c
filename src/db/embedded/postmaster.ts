/**
 * Starts, joins and stops the embedded PostgreSQL server of one cluster.
 *
 * Each process that uses the server keeps the writing end of a pipe open. A watcher beside the server reads the pipe.
 * When the last user is gone, however it ended (a `kill -9` closes files too), the watcher reads the end of the file
 * and stops the server. So no process owns the server, no count can become stale, and no process is left behind.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRAM_ENVIRONMENT } from './cluster.ts';
import type { ClusterPaths } from './cluster-paths.ts';
import { isAlive, isServer, pidFile, type Running, readPidFile, readRunning, stop } from './pid-file.ts';
import { type ServerOptions, serverSettings } from './server-settings.ts';
import { joinPipe, openPipe, stillWatched } from './watch-pipe.ts';

export interface Held {
  readonly pid: number;
  readonly port: number;
  /** Releases the server; resolves when it has stopped, or at once if others still use it. */
  release(): Promise<void>;
}

export interface StartOptions extends ServerOptions {
  /** Tried first, so that a server that died returns where its clients expect it. */
  readonly port?: number;
  /** Called as soon as a server is being started, so that the caller can do other work meanwhile. */
  readonly onSpawned?: () => void;
}

const POLL_MS = 10;
const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 30_000;
const PORT_ATTEMPTS = 5;
const WATCHER_END_MS = 500;

// Waits for the last user, then for the pid file, so that a user killed in the first moments leaves nothing behind
// either. The file must still name this server, since process numbers are reused. It is one process that reads by
// itself: a child that read for it would outlive it for a moment, and a process that joined in that moment would join a
// server that nothing stops.
const WATCHER = `while read -r _; do :; done
n=0
while kill -0 "$1" 2>/dev/null && [ $n -lt 100 ]; do
  pid=; { read -r pid < "$2"; } 2>/dev/null
  if [ "$pid" = "$1" ]; then kill -INT "$1"; exit 0; fi
  n=$((n + 1)); sleep 0.1
done`;

/** Joins the server of this cluster, or starts it. */
export async function hold(paths: ClusterPaths, native: string, options: StartOptions): Promise<Held> {
  const deadline = Date.now() + START_DEADLINE_MS;
  let attempts = 0;
  while (Date.now() < deadline) {
    const running = readRunning(paths);
    if (running === undefined) {
      const port = attempts === 0 && options.port !== undefined ? options.port : await freePort();
      attempts += 1;
      const started = await start(paths, native, { ...options, port }, deadline);
      if (started !== undefined) {
        return started;
      }
      if (attempts > PORT_ATTEMPTS) {
        throw new Error(`PostgreSQL does not start:\n${logTail(paths)}`);
      }
      continue;
    }
    const descriptor = joinPipe(paths);
    if (descriptor === undefined) {
      // No watcher reads the pipe: the server is stopping, or its watcher was killed. Either way it must stop first.
      await stop(running.pid);
      continue;
    }
    const ready = await untilReady(paths, running.pid, deadline);
    if (ready !== undefined && stillWatched(descriptor)) {
      return held(paths, ready, descriptor);
    }
    closeSync(descriptor);
  }
  throw new Error(`PostgreSQL did not become ready in time:\n${logTail(paths)}`);
}

async function start(
  paths: ClusterPaths,
  native: string,
  options: StartOptions & { port: number },
  deadline: number,
): Promise<Held | undefined> {
  const { reading, writing } = openPipe(paths);
  const log = openSync(paths.log, 'w', 0o600);
  // Sessions of their own: Ctrl-C in the terminal must reach only us, so that we finish first and release the server
  // last.
  const common = { ...paths.account, cwd: '/', env: PROGRAM_ENVIRONMENT, detached: true };
  const server = spawn(
    join(native, 'bin', 'postgres'),
    [
      '-D',
      paths.clusterDir,
      '-p',
      String(options.port),
      ...serverSettings(options).flatMap((setting) => ['-c', setting]),
    ],
    { ...common, stdio: ['ignore', log, log] },
  );
  const pid = server.pid ?? 0;
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'sh', String(pid), pidFile(paths)], {
    ...common,
    stdio: [reading, 'ignore', 'ignore'],
  });
  const watched = new Promise<void>((resolve) => {
    watcher.once('error', () => resolve());
    watcher.once('exit', () => resolve());
  });
  const failed = new Promise<undefined>((resolve) => {
    server.once('error', () => resolve(undefined));
    server.once('exit', () => resolve(undefined));
  });
  server.unref();
  watcher.unref();
  options.onSpawned?.();
  closeSync(reading);
  closeSync(log);
  const ready = await Promise.race([untilReady(paths, pid, deadline), failed]);
  if (ready === undefined) {
    closeSync(writing);
    const tail = logTail(paths);
    const lostTheRace = readRunning(paths) !== undefined || tail.includes('lock file "postmaster.pid" already exists');
    if (lostTheRace || /Address already in use|could not bind/.test(tail)) {
      return undefined;
    }
    throw new Error(`PostgreSQL does not start:\n${tail}`);
  }
  return held(paths, ready, writing, watched);
}

/** @param watched the end of the watcher, if this process started it too, so that no child is left unreaped */
function held(
  paths: ClusterPaths,
  running: Running,
  descriptor: number,
  watched: Promise<void> = Promise.resolve(),
): Held {
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
      for (let looks = 0; Date.now() < deadline && isServer(running.pid, paths.clusterDir); looks += 1) {
        // A watcher that still reads after several checks has other users to wait for.
        if (looks >= 5) {
          const peek = joinPipe(paths);
          if (peek !== undefined) {
            closeSync(peek);
            return;
          }
        }
        await sleep(POLL_MS);
      }
      await Promise.race([watched, sleep(WATCHER_END_MS)]);
    },
  };
}

async function untilReady(paths: ClusterPaths, pid: number, deadline: number): Promise<Running | undefined> {
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
