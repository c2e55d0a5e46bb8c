/**
 * Starts, joins and stops the embedded PostgreSQL server of one place.
 *
 * Whoever uses the server holds the writing end of a pipe. A watcher beside the server reads it: when the last holder is gone,
 * however it ended (a `kill -9` closes files too), it reads the end of the file and stops the server. So nobody owns the server,
 * no count can go stale, and no process is left behind.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRAM_ENVIRONMENT } from './cluster.ts';
import type { Place } from './cluster-paths.ts';
import { isAlive, isServer, pidFile, type Running, readPidFile, readRunning, stop } from './pid-file.ts';
import { type ServerOptions, serverSettings } from './server-settings.ts';
import { joinPipe, openPipe, stillWatched } from './watch-pipe.ts';

export interface Held {
  readonly pid: number;
  readonly port: number;
  /** Lets go; resolves when the server has stopped, or at once when others still hold it. */
  release(): Promise<void>;
}

export interface StartOptions extends ServerOptions {
  /** Tried first, so that a server that died comes back where its clients look for it. */
  readonly port?: number;
  /** Called as soon as a server is on its way, so that the caller can do other work meanwhile. */
  readonly onSpawned?: () => void;
}

const POLL_MS = 10;
const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 30_000;
const PORT_ATTEMPTS = 5;
const WATCHER_END_MS = 500;

// Waits for the last holder, then for the pid file: a holder killed in the first moments leaves nothing behind either.
// The file must still name this server, since numbers of processes are used again. One process, which reads by itself: a child
// that read for it would outlive it for a moment, and whoever joined in that moment would join a server that nobody stops.
const WATCHER = `while read -r _; do :; done
n=0
while kill -0 "$1" 2>/dev/null && [ $n -lt 100 ]; do
  pid=; { read -r pid < "$2"; } 2>/dev/null
  if [ "$pid" = "$1" ]; then kill -INT "$1"; exit 0; fi
  n=$((n + 1)); sleep 0.1
done`;

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

async function start(
  place: Place,
  native: string,
  options: StartOptions & { port: number },
  deadline: number,
): Promise<Held | undefined> {
  const { reading, writing } = openPipe(place);
  const log = openSync(place.log, 'w', 0o600);
  // Sessions of their own: Ctrl-C in the terminal is for us, who drain first and let go of the server last.
  const common = { ...place.account, cwd: '/', env: PROGRAM_ENVIRONMENT, detached: true };
  const server = spawn(
    join(native, 'bin', 'postgres'),
    [
      '-D',
      place.clusterDir,
      '-p',
      String(options.port),
      ...serverSettings(options).flatMap((setting) => ['-c', setting]),
    ],
    { ...common, stdio: ['ignore', log, log] },
  );
  const pid = server.pid ?? 0;
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'sh', String(pid), pidFile(place)], {
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
  const ready = await Promise.race([untilReady(place, pid, deadline), failed]);
  if (ready === undefined) {
    closeSync(writing);
    const tail = logTail(place);
    const lostTheRace = readRunning(place) !== undefined || tail.includes('lock file "postmaster.pid" already exists');
    if (lostTheRace || /Address already in use|could not bind/.test(tail)) {
      return undefined;
    }
    throw new Error(`PostgreSQL does not start:\n${tail}`);
  }
  return held(place, ready, writing, watched);
}

/** @param watched when this process started the watcher too: its end, so that no child is left unreaped. */
function held(place: Place, running: Running, descriptor: number, watched: Promise<void> = Promise.resolve()): Held {
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
      await Promise.race([watched, sleep(WATCHER_END_MS)]);
    },
  };
}

async function untilReady(place: Place, pid: number, deadline: number): Promise<Running | undefined> {
  while (Date.now() < deadline) {
    const running = readPidFile(place);
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

function logTail(place: Place): string {
  try {
    return readFileSync(place.log, 'utf8').trim().split('\n').slice(-12).join('\n');
  } catch {
    return '(no log)';
  }
}
