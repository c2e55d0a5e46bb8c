/** Compiled code comes from a folder of this user alone: nobody else can put code into it that our commands then run. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inlay } from '../support/process.ts';

/** Debian's `nobody`. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.geteuid?.() === 0;

let folder: string;
let temporary: string;
let caches: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-cache-'));
  // as /tmp is
  temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  caches = join(folder, 'caches');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = async () => {
  const env = {
    HOME: folder,
    TMPDIR: temporary,
    XDG_CACHE_HOME: caches,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
  };
  expect(await inlay(['profiles', 'list', '--json'], { env })).toMatchObject({ code: 0, stderr: '' });
};
const filesIn = (path: string) => (existsSync(path) ? readdirSync(path, { recursive: true }) : []);

test('compiled code is kept in a folder of this user, and nothing in the temporary folder', async () => {
  await run();
  const { mode, uid } = statSync(join(caches, 'inlay'));
  expect([mode & 0o777, uid]).toEqual([0o700, process.geteuid?.()]);
  expect(filesIn(join(caches, 'inlay')).length).toBeGreaterThan(5);
  expect(filesIn(temporary)).toEqual([]);
});

test.skipIf(!isRoot)(
  'root takes no code from a folder that another user made first (skipped for other users: only root can make it so)',
  async () => {
    const foreign = [join(temporary, 'node-compile-cache'), caches, join(caches, 'inlay')];
    for (const path of foreign) {
      mkdirSync(path);
      chownSync(path, NOBODY.uid, NOBODY.gid);
    }
    await run();
    expect(foreign.map((path) => filesIn(path))).toEqual([[], ['inlay'], []]);
    // only the parent is theirs: they can put another folder in place of ours
    chownSync(join(caches, 'inlay'), 0, 0);
    await run();
    expect(filesIn(join(caches, 'inlay'))).toEqual([]);
    // a folder of theirs in a cache of ours
    chownSync(caches, 0, 0);
    chownSync(join(caches, 'inlay'), NOBODY.uid, NOBODY.gid);
    await run();
    expect(filesIn(join(caches, 'inlay'))).toEqual([]);
  },
);

test('a folder into which others can write, and a link, are not used', async () => {
  const mine = join(caches, 'inlay');
  mkdirSync(mine, { recursive: true });
  chmodSync(mine, 0o777);
  await run();
  expect(filesIn(mine)).toEqual([]);
  rmSync(mine, { recursive: true });
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), mine);
  await run();
  expect(filesIn(join(folder, 'elsewhere'))).toEqual([]);
  expect(filesIn(temporary)).toEqual([]);
});
