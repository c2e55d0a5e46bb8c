/** Runs many seeds side by side, each in one of several processes, over copies of one migrated database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Reached } from './reached.ts';
import { createTemplate, dropTemplate } from './simulated-database.ts';

export interface SeedResult {
  readonly seed: number;
  readonly ms: number;
  /** Of the order of all events; the same whenever the seed runs. */
  readonly digest: string;
  readonly reached: Reached;
  /** Null where everything ended well. */
  readonly error: string | null;
}

export interface SeedRun {
  /** Owner and service role on a server where databases can be created. */
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  readonly seeds: Iterable<number>;
  readonly processes: number;
  /** Writes the trace of every seed to standard error. */
  readonly trace?: boolean;
  /** @returns true to begin no more seeds. */
  readonly onResult: (result: SeedResult) => boolean;
}

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
/** Seeds that wait in a process, so that it never waits for one. */
const AHEAD = 2;

/** @throws where a process ends before its seeds. */
export async function runSeeds(run: SeedRun): Promise<void> {
  const template = await createTemplate(run.ownerUrl);
  try {
    const seeds = run.seeds[Symbol.iterator]();
    let stopped = false;
    const next = () => {
      const { value, done } = stopped ? { value: 0, done: true } : seeds.next();
      return done === true ? undefined : value;
    };
    const stop = () => {
      stopped = true;
    };
    await Promise.all(Array.from({ length: run.processes }, () => runProcess(run, template, next, stop)));
  } finally {
    await dropTemplate(run.ownerUrl, template);
  }
}

async function runProcess(
  { ownerUrl, serviceUrl, trace, onResult }: SeedRun,
  template: string,
  next: () => number | undefined,
  stop: () => void,
): Promise<void> {
  const args = [MAIN, ownerUrl, serviceUrl, template, ...(trace ? ['--trace'] : [])];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = endOf(child);
  let waiting = 0;
  const feed = () => {
    while (waiting < AHEAD) {
      const seed = next();
      if (seed === undefined) {
        break;
      }
      waiting += 1;
      child.stdin.write(`${seed}\n`);
    }
    if (waiting === 0) {
      child.stdin.end();
    }
  };
  feed();
  for await (const line of createInterface({ input: child.stdout })) {
    waiting -= 1;
    if (onResult(JSON.parse(line) as SeedResult)) {
      stop();
    }
    feed();
  }
  const code = await ended;
  if (code !== 0 || waiting > 0) {
    throw new Error(`a process of the simulation ended with ${code} and ${waiting} seeds unfinished`);
  }
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
}
