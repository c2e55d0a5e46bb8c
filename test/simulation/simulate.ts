/** `npm run simulate`: any number of seeds on all cores, with progress, and how to replay a seed that fails. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { openServer } from './open-server.ts';
import { addReached, type Reached } from './reached.ts';
import { runSeeds, type SeedResult } from './run-seeds.ts';

const USAGE = `npm run simulate -- [--seeds N] [--from N] [--seed N] [--processes N] [--keep-going] [--trace]

  --seeds N      how many seeds, 1000 by default
  --from N       the first of them, 1 by default
  --seed N       this seed alone, with its trace
  --processes N  processes side by side, one and a half a core by default
  --keep-going   runs the other seeds too after one has failed
  --trace        prints the trace of every seed`;
const REPORT_MS = 10_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    processes: { type: 'string', default: `${Math.ceil(availableParallelism() * 1.5)}` },
    'keep-going': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

process.exitCode = values.help ? usage() : await simulate();

function usage(): number {
  process.stdout.write(`${USAGE}\n`);
  return 0;
}

async function simulate(): Promise<number> {
  const count = values.seed === undefined ? wholeNumber('--seeds', values.seeds) : 1;
  const from = wholeNumber('--from', values.seed ?? values.from);
  const server = await openServer();
  const started = performance.now();
  const failed: SeedResult[] = [];
  let done = 0;
  let reached: Reached = {};
  const report = () => {
    const seconds = (performance.now() - started) / 1000;
    process.stderr.write(
      `${done} of ${count} seeds, ${failed.length} failed, ${(done / seconds).toFixed(1)} a second, ${Math.round(seconds)} s\n`,
    );
  };
  const timer = setInterval(report, REPORT_MS);
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // the server is closed and its files, which may be in memory, are removed
    process.once(signal, () => {
      stopped = true;
    });
  }
  try {
    await runSeeds({
      ownerUrl: server.ownerUrl,
      serviceUrl: server.serviceUrl,
      seeds: Array.from({ length: count }, (_, index) => from + index),
      processes: Math.min(count, wholeNumber('--processes', values.processes)),
      trace: values.trace || values.seed !== undefined,
      onResult: (result) => {
        done += 1;
        reached = addReached(reached, result.reached);
        if (result.error !== null) {
          failed.push(result);
          process.stdout.write(
            `seed ${result.seed} failed: ${result.error}\nreplay: npm run simulate -- --seed ${result.seed}\n`,
          );
        }
        return stopped || (failed.length > 0 && !values['keep-going']);
      },
    });
  } finally {
    clearInterval(timer);
    await server.close();
  }
  report();
  for (const [what, times] of Object.entries(reached)) {
    process.stdout.write(`${String(times).padStart(9)}  ${what}\n`);
  }
  process.stdout.write(
    `${done} seeds from ${from}: ${failed.length === 0 ? 'all ended well' : `${failed.length} failed`}\n`,
  );
  return failed.length === 0 ? 0 : 1;
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) {
    process.stderr.write(`${flag} takes a whole number above 0, not ${text}\n\n${USAGE}\n`);
    process.exit(2);
  }
  return number;
}
