/** The operator of fixtures/operator-python as a process that a test kills and starts again on the same books. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';
import { freePort } from './free-port.ts';
import { type Program, startProgram } from './process.ts';

export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** As `GET /books` answers; cents and millionths of a contract. */
export interface PythonBooks {
  readonly wallets: readonly { readonly customer: string; readonly available: number; readonly held: number }[];
  readonly holdings: readonly {
    readonly customer: string;
    readonly contract: string;
    readonly side: string;
    readonly quantity: number;
  }[];
  readonly unsettled: readonly { readonly order_id: string }[];
}

export interface PythonOperator {
  readonly url: string;
  /** @returns what came of it; null where the operator was killed meanwhile */
  ask(action: string, body: object): Promise<string | null>;
  books(): Promise<PythonBooks>;
  /** SIGKILL, and a new process on the same file. */
  crash(): Promise<void>;
  /** What all of its processes have written to stderr. */
  complaints(): string;
  close(): Promise<void>;
}

export async function startPythonOperator(env: Record<string, string>, folder: string): Promise<PythonOperator> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(folder, `${port}.sqlite`);
  const past: string[] = [];
  let program: Program | undefined;
  let starting: Promise<void> = Promise.resolve();
  const start = async () => {
    const serve = join(projectRoot, 'fixtures/operator-python/serve.py');
    program = startProgram('python3', ['-B', serve, `${port}`, file], { env });
    await program.prints(/^listening on/m);
  };
  const stop = async () => {
    program?.child.kill('SIGKILL');
    past.push((await program?.ended)?.stderr ?? '');
  };
  await start();
  return {
    url,
    ask: async (action, body) => {
      await starting;
      if (program?.child.exitCode !== null) {
        throw new Error(`the operator in Python has ended: ${program?.output().stderr}`);
      }
      try {
        const response = await fetch(`${url}/${action}`, { method: 'POST', body: JSON.stringify(body) });
        return ((await response.json()) as { result: string }).result ?? 'none';
      } catch {
        return null;
      }
    },
    books: async () => (await fetch(`${url}/books`)).json() as Promise<PythonBooks>,
    crash: () => {
      starting = starting.then(stop).then(start);
      return starting;
    },
    complaints: () => [...past, program?.output().stderr ?? ''].join(''),
    close: stop,
  };
}
