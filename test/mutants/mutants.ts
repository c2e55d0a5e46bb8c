/**
 * `npm run mutants`: breaks one rule at a time in a copy of the tree and runs what has to find it. Every mutant must be found,
 * every text must still be in its file, and what finds them must pass on the unbroken copy.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Finder, Mutant } from './mutant.ts';
import { MUTANTS } from './table.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const COPIED = [
  'patches',
  'src',
  'sql',
  'test',
  'bin',
  'tools/scripts',
  'fixtures',
  'docs',
  'package.json',
  'tsconfig.json',
  'tsconfig.test.json',
  'vitest.config.ts',
];
/** The unbroken copy runs fewer seeds: npm test runs them anyway. */
const SOUND_SEEDS = 20;

interface Outcome {
  readonly passed: boolean;
  readonly seconds: number;
  /** The last lines that it printed. */
  readonly tail: string;
}

const { values } = parseArgs({
  options: {
    /** Those whose name has this text. */
    only: { type: 'string' },
    /** Those whose finder has this text: `seeds`, `test/money`. */
    by: { type: 'string' },
    processes: { type: 'string', default: '2' },
    /** Does not run the finders on the unbroken copy. */
    unchecked: { type: 'boolean', default: false },
  },
});

process.exitCode = await breakRules();

/** @returns the exit code: 0 where every mutant was found. */
async function breakRules(): Promise<number> {
  const { only = '', by = '' } = values;
  const chosen = MUTANTS.filter(({ name, foundBy }) => name.includes(only) && nameOf(foundBy).includes(by));
  const stale = chosen.filter((mutant) => occurrences(mutant) !== 1);
  for (const { name, file, find } of stale) {
    process.stdout.write(`STALE  ${name}: ${file} does not hold this text once: ${find}\n`);
  }
  const copy = mkdtempSync(join(tmpdir(), 'inlay-mutants-'));
  try {
    for (const name of COPIED) {
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    symlinkSync(join(ROOT, 'dist'), join(copy, 'dist'));
    const unfit = values.unchecked ? [] : await findUnfit(copy, chosen);
    const missed: string[] = [];
    for (const mutant of chosen.filter((one) => !stale.includes(one) && !unfit.includes(nameOf(one.foundBy)))) {
      const { passed, seconds } = await runBroken(copy, mutant);
      process.stdout.write(
        `${passed ? 'MISSED' : 'found '} ${String(Math.round(seconds)).padStart(4)} s  ${mutant.name}  (${nameOf(mutant.foundBy)})\n`,
      );
      if (passed) {
        missed.push(mutant.name);
      }
    }
    const untried = chosen.filter((one) => !stale.includes(one) && unfit.includes(nameOf(one.foundBy))).length;
    const found = chosen.length - stale.length - untried - missed.length;
    process.stdout.write(
      `\n${chosen.length} mutants: ${found} found, ${missed.length} missed, ${stale.length} stale, ${untried} not tried; ${unfit.length} finders fail unbroken\n`,
    );
    return missed.length + stale.length + unfit.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function occurrences({ file, find }: Mutant): number {
  return readFileSync(join(ROOT, file), 'utf8').split(find).length - 1;
}

/** A finder that fails by itself finds nothing. */
async function findUnfit(copy: string, chosen: readonly Mutant[]): Promise<string[]> {
  const unfit: string[] = [];
  for (const [name, finder] of new Map(chosen.map(({ foundBy }) => [nameOf(foundBy), foundBy]))) {
    const { passed, tail } = await runFinder(copy, 'seeds' in finder ? { seeds: SOUND_SEEDS } : finder);
    if (!passed) {
      unfit.push(name);
      process.stdout.write(`UNFIT  ${name} fails on the unbroken tree\n${tail}\n`);
    }
  }
  return unfit;
}

async function runBroken(copy: string, { file, find, replace, foundBy }: Mutant): Promise<Outcome> {
  const path = join(copy, file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(find, () => replace),
  );
  try {
    return await runFinder(copy, foundBy);
  } finally {
    writeFileSync(path, sound);
  }
}

function nameOf(finder: Finder): string {
  if ('seeds' in finder) {
    return `${finder.seeds} seeds`;
  }
  return 'pure' in finder ? finder.pure : [finder.test, finder.title].filter((part) => part !== undefined).join(' ');
}

function argumentsOf(finder: Finder): string[] {
  const vitest = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--bail=1'];
  if ('seeds' in finder) {
    return [join('test', 'simulation', 'simulate.ts'), '--seeds', `${finder.seeds}`, '--processes', values.processes];
  }
  if ('pure' in finder) {
    return [...vitest, '--config', join('test', 'mutants', 'pure.config.ts'), finder.pure];
  }
  return [...vitest, finder.test, ...(finder.title === undefined ? [] : ['-t', finder.title])];
}

function runFinder(copy: string, finder: Finder): Promise<Outcome> {
  const args = argumentsOf(finder);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
    let tail = '';
    const keep = (chunk: Buffer) => {
      tail = (tail + String(chunk)).slice(-3_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('exit', (code) => resolve({ passed: code === 0, seconds: (performance.now() - started) / 1_000, tail }));
  });
}
