/** `npm run package`: the tarball of a release, installed by the documented script, has what the lock file names, and runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { runProgram } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAM = join(projectRoot, 'tools', 'scripts', 'package.js');

test('installs exactly what package-lock.json names, without a script of any package, and starts', async () => {
  const folder = temporaryFolder('tarball');
  const made = await runProgram(process.execPath, [PROGRAM, folder], { cwd: folder });
  expect([made.code, made.stdout], made.stderr).toEqual([
    0,
    expect.stringContaining('installs what the lock file names'),
  ]);
  const tarball = join(folder, 'inlay-0.1.0.tgz');
  expect(existsSync(tarball)).toBe(true);
  const listed = (await runProgram('tar', ['-tzf', tarball])).stdout;
  expect(listed).toMatch(/^package\/package-lock\.json$/m);
  expect(listed).not.toMatch(/^package\/(src|test|bench|tools|\.inlay)\//m);
}, 600_000);
