/** The tarball that `npm pack` makes holds all that runs, and nothing of the workshop. `npm run package` installs it from the registry. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { createTestDatabase } from '../support/database.ts';
import { runProgram } from '../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-tarball-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('inlay runs from its tarball beside its dependencies, in a folder that has nothing else', async () => {
  const packed = await runProgram('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: projectRoot,
  });
  expect(packed.code, packed.stderr).toBe(0);
  const installed = join(folder, 'node_modules', 'inlay');
  mkdirSync(installed, { recursive: true });
  const tar = ['-xzf', join(folder, 'inlay-0.1.0.tgz'), '-C', installed, '--strip-components=1'];
  expect((await runProgram('tar', tar)).code).toBe(0);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'optionalDependencies',
    Record<string, string>
  >;
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules', name), link);
  }
  const listed = (await runProgram('tar', ['-tzf', join(folder, 'inlay-0.1.0.tgz')])).stdout;
  expect(listed).not.toMatch(/^package\/(src|test|bench|tools|\.inlay)\//m);

  const database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    INLAY_DATA_DIR: join(folder, 'data'),
    PORT: '0',
    NO_COLOR: '1',
  };
  const inlay = (...args: string[]) =>
    runProgram(process.execPath, [join(installed, 'bin', 'run.js'), ...args], { cwd: folder, env });
  expect((await inlay('--version')).stdout).toMatch(/^inlay\/0\.1\.0 /);
  const made = await inlay('operators', 'create', 'packed', '--mode', 'sandbox', '--json');
  expect(made.code, made.stderr).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({ slug: 'packed', mode: 'sandbox' });
  await database.close();
}, 60_000);
