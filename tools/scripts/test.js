#!/usr/bin/env node
/**
 * `npm test`: types, lint, unused code and the tests that a change needs. `npm run proof`: all other tests (vitest.config.ts names
 * them). The last line is `N passed, N failed`, where a failed check counts as one. With arguments (`npm test -- test/db`) only those
 * tests run, of either kind.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

// The built command line is what the tests of the command line run.
await check('build', [join(root, 'bin', 'build.js'), '--if-stale']);
if (chosen.length === 0 && !isProof) {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  await check('types', [tsc, '--noEmit', '-p', join(root, 'tsconfig.json')]);
  await check('types of the tests', [tsc, '--noEmit', '-p', join(root, 'tsconfig.test.json')]);
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
let { files, ofNoFile } = await runTests(chosen.length === 0 ? ['--project', isProof ? 'proof' : 'test'] : chosen);
const failing = files.filter(({ failed }) => failed > 0).map(({ file }) => file);
// A build machine shares its cores: a file that fails there runs a second time, whole and in a new process, and the output says so.
if (process.env['CI'] === 'true' && failing.length > 0) {
  process.stdout.write(`\nrunning again: ${failing.join(', ')}\n`);
  const again = await runTests(failing);
  files = [...files.filter(({ file }) => !failing.includes(file)), ...again.files];
  ofNoFile += again.ofNoFile;
}

const passed = sum(files.map((file) => file.passed));
const failures = sum(files.map((file) => file.failed)) + ofNoFile + failedChecks;
process.stdout.write(`\n${passed} passed, ${failures} failed\n`);
process.exit(failures === 0 ? 0 : 1);

/** A run that ends badly and names no file (a crash, an error that was not caught) is a failure all the same. */
async function runTests(filters) {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-tally-'));
  const target = join(folder, 'tally.json');
  const reporter = join(root, 'test', 'support', 'tally.ts');
  const code = await run([vitest, 'run', '--reporter=default', `--reporter=${reporter}`, ...filters], {
    INLAY_TEST_TALLY: target,
  });
  const tally = existsSync(target) ? JSON.parse(readFileSync(target, 'utf8')) : { files: [], ofNoFile: 1 };
  rmSync(folder, { recursive: true, force: true });
  const explained = tally.ofNoFile + sum(tally.files.map((file) => file.failed)) > 0;
  return code !== 0 && !explained ? { ...tally, ofNoFile: 1 } : tally;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

async function check(name, args) {
  const started = performance.now();
  const result = await run(args);
  if (result !== 0) {
    failedChecks += 1;
  }
  process.stdout.write(`${result === 0 ? 'ok' : 'FAILED'}  ${name} (${Math.round(performance.now() - started)} ms)\n`);
}

function run(args, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.once(signal, () => child.kill(signal));
    }
    child.on('error', () => resolve(1));
    child.on('exit', (status) => resolve(status ?? 1));
  });
}
