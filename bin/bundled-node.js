/**
 * Finds the Node that this project brings, and starts a script again under it when the machine's own is too old.
 * Plain JavaScript for any Node from 16 on: nothing newer may be used in this file.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const OLDEST = [22, 18];

export function isTooOld(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** Path of the bundled Node, or undefined when its package is not installed. */
export function findBundledNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`);
    const program = join(dirname(manifest), 'bin', 'node');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs `script` under the bundled Node and ends this process as that one ends. Never returns. The channel between the two signals the child
 * when this process is killed, so that no process is left behind.
 */
export function relaunch(script) {
  const program = findBundledNode();
  if (program === undefined) {
    process.stderr.write(
      `Inlay needs Node ${OLDEST.join('.')} or later; this is ${process.version}, and the Node that comes with Inlay is not installed.\n` +
        'Run "npm ci" without --omit=optional, or install Node 26.\n',
    );
    process.exit(1);
  }
  const child = spawn(program, [script, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, INLAY_LAUNCHED: '1' },
  });
  // All are passed on, since they may have been sent to this process alone. Ctrl-C reaches the child from the terminal too,
  // so a command takes two within a moment as one (core/processes.ts).
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`${program} does not start: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
  return new Promise(() => {});
}

/** In a relaunched child: stop in good order when the launcher is gone. */
export function followLauncher() {
  if (process.env.INLAY_LAUNCHED !== '1') {
    return;
  }
  delete process.env.INLAY_LAUNCHED;
  if (process.channel === undefined || process.channel === null) {
    return;
  }
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
