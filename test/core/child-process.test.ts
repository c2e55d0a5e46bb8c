/** A child that is kept running: started again after it ended, and after it could not be started. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { keepRunning } from '../../src/core/processes.ts';
import { timePasses, until } from '../support/until.ts';

const log = createLog('silent');
const { execPath } = process;
let folder: string;
let script: string;
let mark: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-child-'));
  script = join(folder, 'child.js');
  mark = join(folder, 'started');
  writeFileSync(script, `require('node:fs').writeFileSync(process.argv[2], ''); setInterval(() => {}, 1000);`);
});
afterEach(() => {
  process.execPath = execPath;
  delete process.env['INLAY_TEST_BALLAST'];
  rmSync(folder, { recursive: true, force: true });
});

const started = () => until(async () => existsSync(mark), Boolean, 10_000);
const pause = (ms: number) => timePasses(ms);

test('a child whose program cannot be started for a moment is started once it can', async () => {
  process.execPath = join(folder, 'no-such-program');
  const kept = keepRunning({ name: 'child', script, args: [mark], log });
  await pause(100);
  process.execPath = execPath;
  await started();
  await kept.stop();
});

test('a start that throws at once is tried again too', async () => {
  // larger than the system takes in one entry of an environment
  process.env['INLAY_TEST_BALLAST'] = 'x'.repeat(4 * 1024 * 1024);
  const kept = keepRunning({ name: 'child', script, args: [mark], log });
  await pause(100);
  expect(existsSync(mark)).toBe(false);
  delete process.env['INLAY_TEST_BALLAST'];
  await started();
  await kept.stop();
});

test('a child that never started does not hold up the stop', async () => {
  process.execPath = join(folder, 'no-such-program');
  const kept = keepRunning({ name: 'child', script, args: [mark], log });
  await kept.stop();
  process.execPath = execPath;
  await pause(700);
  expect(existsSync(mark)).toBe(false);
});

test('a child that is stopped, or busy without end, is replaced', { tags: 'proof' }, async () => {
  const beats = "const { writeFileSync } = require('node:fs'); setInterval(() => process.send('running'), 50);";
  const pids: number[] = [];
  const pid = () =>
    until(
      async () => (existsSync(mark) ? Number(readFileSync(mark, 'utf8')) : 0),
      (now) => now > 0 && !pids.includes(now),
      10_000,
    );
  writeFileSync(script, `${beats} writeFileSync(process.argv[2], String(process.pid));`);
  const kept = keepRunning({ name: 'child', script, args: [mark], log, silentMs: 3_000 });
  pids.push(await pid());
  await pause(4_500);
  expect(Number(readFileSync(mark, 'utf8')), 'one that runs is left alone').toBe(pids[0]);
  process.kill(pids[0] ?? 0, 'SIGSTOP');
  // the next one spins as soon as it has said that it runs
  writeFileSync(
    script,
    `${beats} writeFileSync(process.argv[2], String(process.pid)); setTimeout(() => { for (;;); }, 200);`,
  );
  pids.push(await pid());
  writeFileSync(script, `${beats} writeFileSync(process.argv[2], String(process.pid));`);
  pids.push(await pid());
  await kept.stop();
});
