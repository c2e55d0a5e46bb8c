/** The patch of the driver: applied to the release that it was made for, once, by any number of processes; nothing runs without it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { runProgram } from '../support/process.ts';

const FILES = ['connection', 'index', 'queue'].map((name) => `node_modules/postgres/src/${name}.js`);
const patch = readFileSync(join(projectRoot, 'patches/postgres+3.4.9.patch'), 'utf8');

const { patchDriver } = await import(join(projectRoot, 'bin/patch-driver.js'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-driver-'));
  cpSync(join(projectRoot, 'node_modules/postgres'), join(folder, 'node_modules/postgres'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = (root: string) => FILES.map((name) => readFileSync(join(root, name), 'utf8'));

/** The driver as its authors released it. */
async function unpatch(): Promise<void> {
  const { code, stdout } = await runProgram('patch', ['-R', '-p1', '-s', '-f'], { cwd: folder, input: patch });
  expect([code, stdout]).toEqual([0, '']);
}

test('is what the patch program would make of it, however often and by how many it is applied', async () => {
  await unpatch();
  expect(installed(folder).join('')).not.toContain('// inlay:');
  const script = `import { patchDriver } from ${JSON.stringify(join(projectRoot, 'bin/patch-driver.js'))}; patchDriver(${JSON.stringify(folder)});`;
  const apply = () => runProgram(process.execPath, ['--input-type=module', '-e', script]);
  const ran = await Promise.all([apply(), apply(), apply()]);
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(installed(folder)).toEqual(installed(projectRoot));
  patchDriver(folder);
  expect(installed(folder)).toEqual(installed(projectRoot));
});

test('refuses another release', async () => {
  await unpatch();
  const path = join(folder, FILES[0] ?? '');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('socket.removeAllListeners()', ''));
  expect(() => patchDriver(folder)).toThrow('does not fit the installed postgres. Run "npm ci".');
});

test('no process runs with a driver that is not patched', async () => {
  const bare = 'export default Object.assign(() => {}, { toCamel() {} })';
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) =>
      name === 'postgres' ? { url: ${JSON.stringify(`data:text/javascript,${bare}`)}, shortCircuit: true } : next(name, context) });
    await import(${JSON.stringify(join(projectRoot, 'src/db/client.ts'))});`;
  const { code, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', hook]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    'The installed postgres driver is not patched (patches/postgres+3.4.9.patch). Run "node bin/build.js".',
  );
});

test('each change names an issue or says that there is none, and a test that exists', () => {
  const reasons = [...patch.matchAll(/^\+ +\/\/ inlay: (.*(?:\n\+ +\/\/ .*)?)/gm)].map(([, text = '']) => text);
  const changes = reasons.filter((text) => !/^src\/db|^ends the connection/.test(text));
  expect(changes.length).toBeGreaterThan(15);
  for (const reason of changes) {
    expect(reason).toMatch(/#\d+|Not reported/);
    const [named = ''] = /test\/db\/[\w-]+\.test\.ts/.exec(reason) ?? [];
    expect(readFileSync(join(projectRoot, named), 'utf8')).toContain('test(');
  }
});
