/** The table of mutants stays true while code moves: `npm run mutants` itself takes too long for every run of the tests. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MUTANTS } from './table.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('every mutant breaks a text that its file holds exactly once', () => {
  const counted = MUTANTS.map(({ name, file, find }) => {
    const path = join(ROOT, file);
    return {
      name,
      file,
      occurs: existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : 'no such file',
    };
  });
  expect(counted.filter(({ occurs }) => occurs !== 1)).toEqual([]);
});

test('every mutant changes something, has a name of its own, and a finder that is there', () => {
  expect(MUTANTS.filter(({ find, replace }) => find === replace)).toEqual([]);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  const finders = MUTANTS.flatMap(({ foundBy }) => ('seeds' in foundBy ? [] : [foundBy]));
  const pathOf = (finder: (typeof finders)[number]) => join(ROOT, 'pure' in finder ? finder.pure : finder.test);
  expect(finders.filter((finder) => !existsSync(pathOf(finder)))).toEqual([]);
  const untitled = finders.filter(
    (finder) => 'title' in finder && !readFileSync(pathOf(finder), 'utf8').includes(finder.title ?? ''),
  );
  expect(untitled).toEqual([]);
});

test('at least forty rules are broken', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40);
});
