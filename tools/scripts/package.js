#!/usr/bin/env node
/**
 * `npm run package`: makes the tarball, installs it in an empty folder as on a machine that has nothing but Node, and
 * starts the whole service from there. Takes about a minute; the registry must answer.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = mkdtempSync(join(tmpdir(), 'inlay-package-'));
const empty = join(folder, 'empty');
const WITHIN_MS = 60_000;

try {
  mkdirSync(empty);
  run(root, process.execPath, [join(root, 'bin', 'build.js'), '--if-stale']);
  run(root, 'npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  const tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
  run(empty, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball]);
  const inlay = join(empty, 'node_modules', '.bin', 'inlay');
  run(empty, inlay, ['--version']);
  await startService(inlay);
  process.stdout.write(`${tarball.split('/').at(-1)} installs and runs\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(cwd, program, args) {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit', env: bare() });
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed (${status})`);
  }
}

/** Nothing of this project's own tools. */
function bare() {
  const path = process.env.PATH.split(':').filter((part) => !part.startsWith(root));
  return { PATH: path.join(':'), HOME: process.env.HOME };
}

function startService(inlay) {
  return new Promise((resolve, reject) => {
    const child = spawn(inlay, ['up', '--json'], {
      cwd: empty,
      env: { ...bare(), PORT: '0', INLAY_DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), WITHIN_MS);
    let text = '';
    let healthy = false;
    child.stdout.on('data', async (chunk) => {
      text += chunk;
      if (text.includes('\n') && !healthy) {
        const { url } = JSON.parse(text);
        healthy = (await fetch(`${url}/api/health`)).ok;
        child.kill('SIGTERM');
      }
    });
    child.on('exit', () => {
      clearTimeout(timer);
      healthy ? resolve() : reject(new Error('the installed service did not become healthy'));
    });
  });
}
