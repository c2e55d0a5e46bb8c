/** A data folder that cannot be used ends the start in one line that names the setting. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findClusterPaths } from '../../src/db/embedded/cluster-paths.ts';
import { startDatabase } from '../../src/db/embedded/embedded.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (dataDir: string) => startDatabase(dataDir);

test('one that cannot be written', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expect(open(join(file, 'data'))).rejects.toMatchObject({
    name: 'EnvironmentError',
    message: expect.stringMatching(/^INLAY_DATA_DIR: .* cannot be written/),
  });
});

test('one of another PostgreSQL', async () => {
  const { clusterDir } = findClusterPaths(folder);
  mkdirSync(clusterDir, { recursive: true });
  writeFileSync(join(clusterDir, 'PG_VERSION'), '16\n');
  await expect(open(folder)).rejects.toMatchObject({
    name: 'EnvironmentError',
    message: expect.stringMatching(/^INLAY_DATA_DIR: .* was made by PostgreSQL 16/),
  });
});
