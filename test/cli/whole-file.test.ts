/** The file of an export: whole or not at all, and its owner's alone. */
import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RowMeter } from '../../src/cli/export/rows.ts';
import { WholeFile } from '../../src/cli/export/whole-file.ts';

let folder: string;
const umask = process.umask(0o022);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlay-whole-'));
});
afterAll(async () => {
  process.umask(umask);
  await rm(folder, { recursive: true, force: true });
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

// contract 25.2
test('only the owner reads an export, its part and its notes', async () => {
  const file = new WholeFile(join(folder, 'orders.csv'));
  await file.begin({ kind: 'orders' });
  await file.write(Buffer.from('a\r\n'));
  expect([await modeOf(file.part), await modeOf(`${file.part}.json`)]).toEqual(['600', '600']);
  await file.complete('0'.repeat(64), { rows: 1 });
  expect([await modeOf(file.path), await modeOf(`${file.path}.sum`)]).toEqual(['600', '600']);
  expect(await readFile(file.path, 'utf8')).toBe('a\r\n');
});

test('a link in the place of a part is replaced or refused, never followed', async () => {
  const victim = join(folder, 'victim');
  await writeFile(victim, 'untouched');
  const file = new WholeFile(join(folder, 'ledger.csv'));
  for (const path of [file.part, `${file.part}.json`, `${file.path}.sum.part`]) {
    await symlink(victim, path);
  }
  await file.begin({});
  await file.write(Buffer.from('a\r\n'));
  await file.complete('0'.repeat(64), {});
  expect((await lstat(file.path)).isFile()).toBe(true);
  await symlink(victim, file.part);
  await expect(file.resume(() => new RowMeter(true))).rejects.toMatchObject({ code: 'write_failed' });
  expect(await readFile(victim, 'utf8')).toBe('untouched');
});
