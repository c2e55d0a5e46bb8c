/** Row `cli-start`: the command line as it is called, saying its version, against Node that does nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { interleave, type Measure, type Run } from './measure.ts';
import type { World } from './world.ts';

const runJs = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const TIMES = 10;

async function milliseconds(...args: string[]): Promise<number> {
  const start = performance.now();
  for (let time = 0; time < TIMES; time += 1) {
    const [code] = await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
    if (code !== 0) {
      throw new Error(`node ${args.join(' ')} ended with ${code}`);
    }
  }
  return (performance.now() - start) / TIMES;
}

export async function cliStart(_world: World, { rounds }: Run): Promise<Measure> {
  const rates = await interleave(
    rounds,
    () => milliseconds(runJs, '--version'),
    () => milliseconds('-e', '0'),
  );
  return { ...rates, unit: 'ms' };
}
