import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openImageFolder } from '../../src/markets/images/image-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MOST = 1024 * 1024;
const picture = Buffer.alloc(50_000, 1);

/** Written one second after the other. */
async function fill(folder: string, names: readonly string[], seconds: number): Promise<void> {
  const images = openImageFolder(folder, MOST);
  for (const [number, name] of names.entries()) {
    await images.write(name, picture);
    expect(bytesOf(folder)).toBeLessThanOrEqual(MOST);
    if (readdirSync(folder).includes(name)) {
      utimesSync(join(folder, name), seconds + number, seconds + number);
    }
  }
}

const bytesOf = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);
const named = (letter: string, count: number) => Array.from({ length: count }, (_, number) => `${letter}${number}`);

// contract 7.18
test('pictures take a limited part of the disk, and those that were not read for longest leave', async () => {
  const folder = temporaryFolder('images');
  await fill(folder, named('a', 60), 1_000);
  const left = readdirSync(folder).toSorted();
  expect(left.length).toBeGreaterThan(15);
  expect(left).toContain('a59');
  expect(left).not.toContain('a0');
});

test('a restart forgets neither what is there nor what was read last', async () => {
  const folder = temporaryFolder('images');
  await fill(folder, named('a', 18), 1_000);
  // of a process that was killed, long ago
  writeFileSync(join(folder, 'a.1.draft'), picture);
  utimesSync(join(folder, 'a.1.draft'), 1, 1);
  expect((await openImageFolder(folder, MOST).read('a3'))?.equals(picture)).toBe(true);
  await fill(folder, named('b', 12), 2_000);
  const left = readdirSync(folder);
  expect(left).toEqual(expect.arrayContaining(['a3', 'b11']));
  expect(left).not.toContain('a0');
  expect(left).not.toContain('a.1.draft');
});

test('a picture that is not there reads as null', async () => {
  expect(await openImageFolder(temporaryFolder('images')).read('none')).toBeNull();
});
