/** The watchdog of `npm run ha`, at a real named pipe with a writer that is really frozen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { timePasses, until } from '../support/until.ts';
import { openWatchdog, type Watchdog } from './watchdog.ts';

const KEEP_ALIVE_MS = 200;

let folder: string;
let device: string;
let watchdog: Watchdog;
let writer: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-watchdog-'));
  device = join(folder, 'watchdog');
  watchdog = openWatchdog(device, () => writer?.kill('SIGKILL'));
});
afterEach(() => {
  writer?.kill('SIGKILL');
  watchdog.close();
  rmSync(folder, { recursive: true });
});

/** Writes as Patroni's driver does: the seconds, then a keep-alive again and again, and `V` at the end of its input. */
function startWriter(): ChildProcess {
  const script = `
    const { openSync, writeSync } = require('node:fs');
    const device = openSync(${JSON.stringify(device)}, 'r+');
    writeSync(device, 'Ctimeout=1\\n');
    setInterval(() => writeSync(device, '1'), ${KEEP_ALIVE_MS});
    process.stdin.on('end', () => { writeSync(device, 'V'); process.exit(); }).resume();
    process.stdout.write('armed');`;
  return spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
}
const isArmed = (child: ChildProcess) => new Promise((resolve) => child.stdout?.once('data', resolve));
const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));

test('a machine is reset when its writer is frozen for longer than it asked for, and not before', async () => {
  writer = startWriter();
  await isArmed(writer);
  await timePasses(2_500);
  expect(watchdog.resets).toEqual([]);
  const frozen = performance.now();
  writer.kill('SIGSTOP');
  expect(await ended(writer)).toBe('SIGKILL');
  expect(watchdog.resets).toHaveLength(1);
  expect((watchdog.resets[0] ?? 0) - frozen).toBeGreaterThan(1_000 - KEEP_ALIVE_MS - 100);
});

test('a machine is reset after its writer was killed, because it was not disarmed', async () => {
  writer = startWriter();
  await isArmed(writer);
  writer.kill('SIGKILL');
  await until(
    async () => watchdog.resets.length,
    (resets) => resets === 1,
    10_000,
  );
});

test('a writer that ends well disarms it', async () => {
  writer = startWriter();
  await isArmed(writer);
  writer.stdin?.end();
  await ended(writer);
  await timePasses(2_000);
  expect(watchdog.resets).toEqual([]);
});

test('a machine that is frozen as a whole does not count, and counts on when it runs again', async () => {
  writer = startWriter();
  await isArmed(writer);
  watchdog.freeze();
  writer.kill('SIGSTOP');
  await timePasses(2_000);
  expect(watchdog.resets).toEqual([]);
  watchdog.thaw();
  await ended(writer);
  expect(watchdog.resets).toHaveLength(1);
});
