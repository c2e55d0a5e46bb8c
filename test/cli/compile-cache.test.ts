/** Compiled code is kept in the package's own folder: whoever can put code there can change the package itself. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { runProgram } from '../support/process.ts';

let folder: string;
let kept: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-cache-'));
  kept = join(folder, 'package', 'node_modules', '.cache');
  for (const path of ['home', 'tmp', join('package', 'bin')]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  const bin = join(folder, 'package', 'bin');
  copyFileSync(join(projectRoot, 'bin', 'compile-cache.js'), join(bin, 'compile-cache.js'));
  writeFileSync(join(folder, 'package', 'package.json'), '{ "type": "module" }');
  writeFileSync(join(bin, 'code.js'), 'export const loaded = true;');
  writeFileSync(
    join(bin, 'run.js'),
    `import module from 'node:module';
import { keepCompiledCode } from './compile-cache.js';
keepCompiledCode();
// as the compiler of TypeScript does
module.enableCompileCache();
await import('./code.js');`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = async () => {
  const home = join(folder, 'home');
  const env = { HOME: home, XDG_CACHE_HOME: home, TMPDIR: join(folder, 'tmp') };
  const script = join(folder, 'package', 'bin', 'run.js');
  expect(await runProgram(process.execPath, [script], { env })).toMatchObject({ code: 0, stderr: '' });
};
const filesIn = (path: string) => (existsSync(path) ? readdirSync(path, { recursive: true }) : []);

test('compiled code is kept in the package, and nothing in a home or the temporary folder', async () => {
  await run();
  expect(statSync(join(kept, 'inlay')).mode & 0o777).toBe(0o700);
  expect(filesIn(kept).length).toBeGreaterThan(2);
  expect([filesIn(join(folder, 'home')), filesIn(join(folder, 'tmp'))]).toEqual([[], []]);
});

test('where the package cannot be written, no compiled code is kept at all', async () => {
  mkdirSync(join(folder, 'package', 'node_modules'));
  // no rights keep root from writing, but this does
  writeFileSync(kept, '');
  await run();
  expect([filesIn(join(folder, 'home')), filesIn(join(folder, 'tmp'))]).toEqual([[], []]);
});
