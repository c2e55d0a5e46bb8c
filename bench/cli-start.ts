/** Row `cli-start`: the command line as a user calls it, printing its version or listing events, against Node that does nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { loadCatalogue } from './catalogue.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import type { World } from './world.ts';

const runJs = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const TIMES = 10;
/** How many times as long as bare Node a list may take, request included. */
const LIST_TIMES = 12;

async function milliseconds(args: readonly string[], environment: Record<string, string> = {}): Promise<number> {
  const env = { ...process.env, ...environment };
  const start = performance.now();
  for (let time = 0; time < TIMES; time += 1) {
    const [code] = await once(spawn(process.execPath, args, { stdio: 'ignore', env }), 'exit');
    if (code !== 0) {
      throw new Error(`node ${args.join(' ')} ended with ${code}`);
    }
  }
  return (performance.now() - start) / TIMES;
}

export async function cliStart(world: World, run: Run): Promise<Measure> {
  const bare = () => milliseconds(['-e', '0']);
  const rates = await interleave(run, () => milliseconds([runJs, '--version']), bare);
  const [operator] = await world.createOperators('listed', 1, 1);
  await (await loadCatalogue(world)).close();
  const api = await world.startApi();
  const service = { INLAY_API_URL: api.url, INLAY_API_KEY: operator?.keys[0] ?? '' };
  const listed = await interleave(run, () => milliseconds([runJs, 'events', 'list'], service), bare);
  await api.close();
  return {
    ...rates,
    unit: 'ms',
    bounds: [{ what: '`events list`', value: listed.measured / listed.baseline, unit: 'times', atMost: LIST_TIMES }],
  };
}
