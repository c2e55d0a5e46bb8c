/** `npm start` as a script runs it: without a terminal, and stopped by a signal to npm alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { findClusterPaths } from '../../src/db/embedded/cluster-paths.ts';
import { startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';

test('a signal to npm alone stops the whole service', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-npm-'));
  const dataDir = join(folder, 'data');
  const npm = startProgram('npm', ['start'], {
    cwd: projectRoot,
    env: { INLAY_DATA_DIR: dataDir, PORT: '0', XDG_CONFIG_HOME: folder },
  });
  await npm.prints(/Ctrl-C stops everything/);
  const url = /API +(http:\S+)/.exec(npm.output().stdout)?.[1] ?? '';
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
  npm.child.kill('SIGTERM');
  await npm.ended;
  await until(
    async () =>
      expect(
        await fetch(`${url}/api/health`).then(
          () => 'up',
          () => 'down',
        ),
      ).toBe('down'),
    60_000,
  );
  rmSync(findClusterPaths(dataDir).location, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});
