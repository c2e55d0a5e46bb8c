/** Ctrl-C and its like, sent to the launcher alone, to the command, or to both. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { startProgram } from '../support/process.ts';
import { timePasses } from '../support/until.ts';

const beside = (name: string) => join(import.meta.dirname, name);
const launch = (...args: string[]) => startProgram(process.execPath, [beside('launch.js'), ...args]);
const pause = (ms: number) => timePasses(ms);

test('SIGINT to the launcher alone ends a command that runs under the bundled Node', async () => {
  const program = launch(join(projectRoot, 'bin', 'run.js'), 'webhooks', 'listen', '--port', '0', '--json');
  await program.prints(/"url"/);
  program.child.kill('SIGINT');
  expect((await program.ended).code).toBe(130);
}, 60_000);

test('SIGINT to the launcher alone is passed on, each time it is sent', async () => {
  const program = startProgram(process.execPath, [beside('launch.js'), beside('interrupted-process.ts')]);
  await program.prints(/ready/);
  program.child.kill('SIGINT');
  await program.prints(/interrupted/);
  await pause(1_200);
  program.child.kill('SIGINT');
  expect(await program.ended).toMatchObject({ code: 130, stdout: 'ready\ninterrupted\nagain\n' });
}, 30_000);

test('two within a moment are one request; one a second later is another', async () => {
  const program = startProgram(process.execPath, [beside('interrupted-process.ts')]);
  await program.prints(/ready/);
  program.child.kill('SIGINT');
  await program.prints(/interrupted/);
  program.child.kill('SIGINT');
  await pause(1_200);
  expect(program.output().stdout).toBe('ready\ninterrupted\n');
  program.child.kill('SIGINT');
  expect(await program.ended).toMatchObject({ code: 130, stdout: 'ready\ninterrupted\nagain\n' });
}, 30_000);
