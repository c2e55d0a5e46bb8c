#!/usr/bin/env node
/** `npm run dev`: the whole service, built and started again when a source changes. Arguments are passed to `up`. */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(dirname(script)));
const WATCHED = ['src', 'sql', 'fixtures'];
const SETTLE_MS = 200;

if (isTooOld()) {
  await relaunch(script);
}

let running;
let stopping = false;
let settling;
let turn = Promise.resolve();

const built = (args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'bin', 'build.js'), ...args], { stdio: 'inherit' });
    child.on('exit', (code) => resolve(code === 0));
  });

const stopped = (child) =>
  new Promise((resolve) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

async function restart(why) {
  process.stderr.write(`${why}\n`);
  // The old one keeps serving while the new one is built, and stays when it cannot be.
  if (!(await built(['--if-stale'])) || stopping) {
    return;
  }
  await stopped(running);
  if (!stopping) {
    running = spawn(process.execPath, [join(root, 'bin', 'run.js'), 'up', ...process.argv.slice(2)], {
      // a channel, so that the service ends with this process however that ends
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
  }
}

for (const folder of WATCHED) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      turn = turn.then(() => restart(`Changed: ${folder}/${name}`));
    }, SETTLE_MS);
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, async () => {
    stopping = true;
    await stopped(running);
    process.exit(signal === 'SIGINT' ? 130 : 0);
  });
}

turn = restart('Starting...');
