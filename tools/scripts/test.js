#!/usr/bin/env node
/**
 * `npm test`: types, lint, unused code and the tests that a change needs. `npm run proof`: all other tests (vitest.config.ts names
 * them). The last line is `N passed, N failed`, where a failed check counts as one. With arguments (`npm test -- test/db`) only those
 * tests run, of either kind.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';
import { keepCompiledCode } from '../../bin/compile-cache.js';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(dirname(script)));

if (isTooOld()) {
  await relaunch(script);
}
keepCompiledCode();

const require = createRequire(import.meta.url);
const isProof = process.argv.includes('--proof');
const chosen = process.argv.slice(2).filter((argument) => argument !== '--proof');
let failedChecks = 0;
const SECONDS_TO_END = 60;
const SLOWEST = 20;

// The tests of the command line run the built one.
await check('build', [join(root, 'bin', 'build.js'), '--if-stale']);
if (chosen.length === 0 && !isProof) {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  // the tests and, with them, all that they test
  await check('types', [tsc, '--noEmit', '-p', join(root, 'tsconfig.test.json')]);
  const frame = join(root, 'src', 'frame', 'tsconfig.json');
  if (existsSync(frame)) {
    await check('types of the frame', [tsc, '--noEmit', '-p', frame]);
  }
  await check('lint', [require.resolve('@biomejs/biome/bin/biome'), 'check', '.']);
  // Alone, the product must not contain code that only tests use.
  const knip = join(root, 'node_modules', 'knip', 'bin', 'knip.js');
  await check('unused code of the product', [knip, '--production', '--no-config-hints']);
  await check('unused code', [knip, '--no-config-hints']);
  await check('a test for each rule of the contract', [join(root, 'tools', 'scripts', 'coverage.js'), '--quiet']);
}

const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
const { passed, failed } = await runTests(chosen.length === 0 ? ['--project', isProof ? 'proof*' : 'test'] : chosen);
process.stdout.write(`\n${passed} passed, ${failed + failedChecks} failed\n`);
process.exit(failed + failedChecks === 0 ? 0 : 1);

/**
 * Runs the tests with a temporary folder of their own, which is removed. A file that does not load, or whose hooks fail, is one failure; so
 * is a run that ends badly and names none, and one that leaves something in the temporary folder.
 */
async function runTests(filters) {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-tests-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  // servers of the tests run as another account if root starts them
  chmodSync(folder, 0o711);
  chmodSync(temporary, 0o1777);
  process.env.TMPDIR = temporary;
  const target = join(folder, 'results.json');
  const code = await run(
    [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile=${target}`, ...filters],
    () => existsSync(target),
  );
  const results = existsSync(target)
    ? JSON.parse(readFileSync(target, 'utf8'))
    : { numPassedTests: 0, testResults: [] };
  const left = readdirSync(temporary);
  rmSync(folder, { recursive: true, force: true });
  const failures = results.testResults.map(({ status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').length;
    return status === 'failed' ? Math.max(tests, 1) : tests;
  });
  const failed = failures.reduce((total, count) => total + count, 0);
  printSlowest(results.testResults);
  if (left.length > 0) {
    process.stdout.write(`FAILED  tests left in the temporary folder: ${left.join(', ')}\n`);
  }
  return {
    passed: results.numPassedTests,
    failed: (code === 0 ? failed : Math.max(failed, 1)) + (left.length > 0 ? 1 : 0),
  };
}

/** The files that took longest: tests run four files at a time, so their seconds add up to more than the run takes. */
function printSlowest(files) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000;
  const slowest = files.filter(({ endTime }) => endTime > 0).toSorted((a, b) => seconds(b) - seconds(a));
  process.stdout.write('\nThe slowest files, in seconds:\n');
  for (const file of slowest.slice(0, SLOWEST)) {
    process.stdout.write(`${seconds(file).toFixed(1).padStart(8)}  ${relative(root, file.name)}\n`);
  }
}

async function check(name, args) {
  const started = performance.now();
  const result = await run(args);
  if (result !== 0) {
    failedChecks += 1;
  }
  process.stdout.write(`${result === 0 ? 'ok' : 'FAILED'}  ${name} (${Math.round(performance.now() - started)} ms)\n`);
}

/** @param isReported whether the program has printed its last result: one that does not end a minute later is killed, and has failed */
function run(args, isReported = () => false) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    let seconds = 0;
    const watch = setInterval(() => {
      seconds = isReported() ? seconds + 1 : 0;
      if (seconds > SECONDS_TO_END) {
        process.stderr.write('the tests ran, but their process did not end: something of them still runs\n');
        child.kill('SIGKILL');
      }
    }, 1_000);
    watch.unref();
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.once(signal, () => child.kill(signal));
    }
    child.on('error', () => resolve(1));
    child.on('exit', (status) => {
      clearInterval(watch);
      resolve(status ?? 1);
    });
  });
}
