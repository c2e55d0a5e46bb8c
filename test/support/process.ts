/** Programs of ours as a person runs them: real processes, their output and how they ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has printed so far. */
  output(): { stdout: string; stderr: string };
  /** Resolves when stdout or stderr has matched. */
  prints(pattern: RegExp): Promise<void>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly input?: string;
  readonly uid?: number;
  readonly gid?: number;
}

const runJs = join(projectRoot, 'bin', 'run.js');

/** Starts a program without waiting for it. Nothing of this process's own configuration reaches it. */
export function startProgram(program: string, args: readonly string[], options: RunOptions = {}): Program {
  const { env = {}, cwd, input, uid, gid } = options;
  const child = spawn(program, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    for (const listener of listeners) {
      listener();
    }
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    for (const listener of listeners) {
      listener();
    }
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    output: () => ({ stdout, stderr }),
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (pattern.test(stdout) || pattern.test(stderr)) {
            listeners.delete(look);
            resolve();
          }
        };
        listeners.add(look);
        look();
        ended.then(
          ({ code }) => reject(new Error(`ended (${code}) without printing ${pattern}:\n${stdout}\n${stderr}`)),
          reject,
        );
      }),
  };
}

export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return startProgram(program, args, options).ended;
}

/** The command line of the project, built. */
export function inlay(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return runProgram(process.execPath, [runJs, ...args], options);
}

export function startInlay(args: readonly string[], options: RunOptions = {}): Program {
  return startProgram(process.execPath, [runJs, ...args], options);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // a zombie, where nobody reaps, is gone for all that matters
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Live processes whose arguments hold the text, or whose environment holds it as a whole entry. Linux only. */
export function processesWith(argument: string, environment?: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const named = command.includes(argument);
        const started =
          environment !== undefined &&
          command !== '' &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(environment);
        return named || started ? [`${pid} ${command.replaceAll('\0', ' ')}`] : [];
      } catch {
        return [];
      }
    });
}

export function parentOf(pid: number): number {
  // the name, in parentheses, may hold blanks
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Linux only. */
export function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((one) => {
    try {
      return parentOf(one) === pid;
    } catch {
      return false;
    }
  });
}

/**
 * Stops a process and its children with SIGSTOP, the parent first, because it would replace children that end.
 * @returns lets them go on
 */
export function freezeWithChildren(pid: number): () => void {
  const frozen: number[] = [];
  const send = (one: number, signal: NodeJS.Signals) => {
    try {
      process.kill(one, signal);
    } catch {
      // it ended meanwhile
    }
  };
  const stop = (one: number) => {
    send(one, 'SIGSTOP');
    frozen.push(one);
  };
  stop(pid);
  for (const child of childrenOf(pid)) {
    stop(child);
  }
  return () => {
    for (const one of frozen.splice(0)) {
      send(one, 'SIGCONT');
    }
  };
}
