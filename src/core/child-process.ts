/**
 * Child processes: one that is kept running, restarted when it exits and stopped with this process, and one that runs
 * once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from './log.ts';
import { isAskedToStop } from './stopping.ts';

export interface KeptProcess {
  /** Asks the child to stop and waits; kills it if it does not. */
  stop(): Promise<void>;
}

export interface KeptProcessOptions {
  /** The name that log lines show. */
  readonly name: string;
  /** The file that Node runs. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Added to the environment of this process; a variable that is undefined here is removed. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** A child that has said that it runs and then says nothing for this long is killed, and so replaced. */
  readonly silentMs?: number;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** A child that ran for this long started well, so the next restart delay is short again. */
const STEADY_MS = 30_000;
const STOP_MS = 8_000;
/** Longer than any pause of a child that goes on by itself. */
const SILENT_MS = 60_000;

export function keepRunning({
  name,
  script,
  args = [],
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
    /** The child exited or failed to start: both are followed by a restart. */
    const over = (facts: Readonly<Record<string, unknown>>) => {
      child = undefined;
      if (stopping || isAskedToStop()) {
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
      // The child says on the channel that it runs. When it closes, the child knows that this process is gone.
      started = spawn(process.execPath, [script, ...args], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: { ...process.env, ...environment },
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
        // this process was stopped itself, so it has not heard what was said meanwhile
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
