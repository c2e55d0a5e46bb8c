#!/usr/bin/env node
/**
 * `npm test`: types, lint and all tests. The last line is `N passed, N failed`, where a failed check of types or lint counts as one.
 * With arguments (`npm test -- test/db`) only those tests run.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from './bundled-node.js';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(script));

if (isTooOld()) {
  await relaunch(script);
}

const require = createRequire(import.meta.url);
const chosen = process.argv.slice(2);
let failedChecks = 0;

// The built command line is what the tests of the command line run.
await check('build', [join(root, 'bin', 'build.js'), '--if-stale']);
if (chosen.length === 0) {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  await check('types', [tsc, '--noEmit', '-p', join(root, 'tsconfig.json')]);
  await check('types of the tests', [tsc, '--noEmit', '-p', join(root, 'tsconfig.test.json')]);
  const frame = join(root, 'src', 'frame', 'tsconfig.json');
  if (existsSync(frame)) {
    await check('types of the frame', [tsc, '--noEmit', '-p', frame]);
  }
  await check('lint', [require.resolve('@biomejs/biome/bin/biome'), 'check', '.']);
}

const folder = mkdtempSync(join(tmpdir(), 'inlay-report-'));
const report = join(folder, 'report.json');
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
const code = await run([
  vitest,
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...chosen,
]);
const { passed, failed } = readReport();
rmSync(folder, { recursive: true, force: true });

// A run that ends badly without a failed test (a crash, an unhandled rejection) is a failure all the same.
const unexplained = code !== 0 && failed === 0 ? 1 : 0;
const failures = failed + failedChecks + unexplained;
process.stdout.write(`\n${passed} passed, ${failures} failed\n`);
process.exit(failures === 0 ? 0 : 1);

async function check(name, args) {
  const started = performance.now();
  const result = await run(args);
  if (result !== 0) {
    failedChecks += 1;
  }
  process.stdout.write(`${result === 0 ? 'ok' : 'FAILED'}  ${name} (${Math.round(performance.now() - started)} ms)\n`);
}

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.once(signal, () => child.kill(signal));
    }
    child.on('error', () => resolve(1));
    child.on('exit', (status) => resolve(status ?? 1));
  });
}

function readReport() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    // a file that does not load has no tests to fail
    const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    return { passed: numPassedTests, failed: numFailedTests + broken };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
