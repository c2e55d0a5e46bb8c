/** Processes of the cluster: started in sessions of their own, found through /proc, killed and frozen by their ids. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Account } from '../../src/db/embedded/cluster-paths.ts';

export interface Daemon {
  readonly pid: number;
  readonly process: ChildProcess;
  readonly exited: Promise<void>;
}

export interface Launch {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly account: Account | null;
  /** A file that gets what it prints. */
  readonly log: string;
}

export function startDaemon({ command, environment, account, log }: Launch): Daemon {
  const [program = '', ...args] = command;
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    ...account,
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return { pid: child.pid ?? 0, process: child, exited };
}

/** The process and all below it, parents first. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) {
      const parent = parentOf(Number(name));
      parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
    }
  }
  const all = [pid];
  for (const one of all) {
    all.push(...(parents.get(one) ?? []));
  }
  return all;
}

function parentOf(pid: number): number {
  try {
    // the name, in parentheses, may hold blanks
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // it ended meanwhile
    }
  }
}
