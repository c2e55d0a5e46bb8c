/**
 * Long-running processes and their ends: a parent keeps its children running and replaces those that exit or fall silent, and each process
 * learns when it should stop, at a signal or when its parent ends. It cleans nothing up itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from './log.ts';

export interface KeptProcess {
  /** Signals the child to stop, waits for it, and kills it if it does not end in time. */
  stop(): Promise<void>;
}

export interface KeptProcessOptions {
  /** The name that log lines show. */
  readonly name: string;
  /** The file that Node runs. */
  readonly script: string;
  readonly args?: readonly string[];
  /** The variables of this process that the child gets, by their names; all if it is left out. */
  readonly inherits?: RegExp;
  /** Added to them; a variable that is undefined here is removed. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** A child that reported that it runs and then is silent for this long is killed, and so replaced. */
  readonly silentMs?: number;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** A child that ran for this long started well, so the next restart delay is short again. */
const STEADY_MS = 30_000;
const STOP_MS = 8_000;
/** Longer than any pause from which a child recovers by itself. */
const SILENT_MS = 60_000;

/** This process received a signal to stop. A child that shares its terminal received it at the same time. */
let isAskedToStop = false;

/** Starts a child and restarts it whenever it exits, until this process receives a signal to stop. */
export function keepRunning({
  name,
  script,
  args = [],
  inherits = /^/,
  environment = {},
  log,
  silentMs = SILENT_MS,
}: KeptProcessOptions): KeptProcess {
  let child: ChildProcess | undefined;
  let stopping = false;
  let wait = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    const startedAt = performance.now();
    let started: ChildProcess;
    /** Restarts the child after it exited or failed to start. */
    const over = (facts: Readonly<Record<string, unknown>>) => {
      child = undefined;
      if (stopping || isAskedToStop) {
        return;
      }
      wait = performance.now() - startedAt > STEADY_MS ? FIRST_WAIT_MS : Math.min(wait * 2, LONGEST_WAIT_MS);
      log.warn(
        { child: name, ...facts, retryInMs: wait },
        'a child process exited or failed to start; it will be restarted',
      );
      timer = setTimeout(start, wait);
    };
    try {
      // The child reports on the channel that it runs. When the channel closes, the child knows that this process is gone.
      started = spawn(process.execPath, [script, ...args], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: {
          ...Object.fromEntries(Object.entries({ ...process.env }).filter(([variable]) => inherits.test(variable))),
          ...environment,
        },
      });
    } catch (error) {
      // thrown synchronously if memory is short or the environment is too large
      over({ err: error });
      return;
    }
    child = started;
    started.on('error', (error) => {
      if (started.pid === undefined) {
        over({ err: error });
      } else {
        log.error({ err: error, child: name }, 'could not send a signal to a child process');
      }
    });
    let heardAt: number | undefined;
    started.on('message', () => {
      heardAt = performance.now();
    });
    let lookedAt = performance.now();
    const look = setInterval(() => {
      const now = performance.now();
      const wasAwake = now - lookedAt < silentMs / 2;
      lookedAt = now;
      if (!wasAwake) {
        // this process was stopped itself, so it has not received what was sent meanwhile
        heardAt &&= now;
      } else if (heardAt !== undefined && now - heardAt > silentMs) {
        log.error({ child: name, silentMs }, 'a child process is stopped or busy without end; it will be replaced');
        started.kill('SIGKILL');
      }
    }, silentMs / 10);
    look.unref();
    started.once('exit', (code, signal) => {
      clearInterval(look);
      over({ code, signal });
    });
  };
  start();

  return {
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      const running = child;
      if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) {
        return;
      }
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.kill('SIGTERM');
      const impatient = setTimeout(() => running.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(impatient);
    },
  };
}

/**
 * Runs a script once.
 * @param environment added to the environment of this process
 * @returns its exit code and its output on stdout
 */
export function runOnce(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ exitCode: number; stdout: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...environment },
      signal,
    });
    let stdout = '';
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes.toString();
    });
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode: exitCode ?? 1, stdout }));
  });
}

/**
 * The path of one of our scripts beside the caller, as source or compiled.
 * @param from the caller's `import.meta.url`
 */
export function scriptBeside(from: string, path: string): string {
  const extension = from.endsWith('.ts') ? '.ts' : '.js';
  return fileURLToPath(new URL(`${path}${extension}`, from));
}

export type StopReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Longer than any part needs to finish its work. Work that still runs after it is cut off. */
const GRACE_MS = 25_000;
const INTERRUPTED = 130;
const NOTICE_MS = 2_000;
/**
 * Under npm, `timeout` or the launcher of `bin/`, one Ctrl-C arrives twice: from the terminal and from the process in
 * between. Both count as one request.
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
 * Calls back at a Ctrl-C, and again if it is repeated after a second.
 * @param interrupted receives whether this is a repetition, at which the caller stops waiting for anything
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

/** A child sends this on its channel while its event loop turns. */
const BEAT = 'running';
const BEAT_MS = 5_000;

/**
 * Resolves once, at the first request to stop. After that, a second signal or the end of the grace period ends the
 * process at once. A child that was started with a channel (`keepRunning`) stops when the channel closes, which also
 * happens after a `kill -9` of its parent, and reports on it every few seconds that it runs.
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
      isAskedToStop = true;
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
