/** The trips of docs/architecture.md pass the files that they name, in few steps, and those files use each other. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sqlFunctions } from '../support/sql-functions.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The steps of a trip, each with the files that its row names; the first one is the path itself, the others may be short. */
function stepsOf(trip: number): string[][] {
  const [, text = ''] = read('docs/architecture.md').split(`## Trip ${trip}: `);
  const rows = [...(text.split('\n## ')[0] ?? '').matchAll(/^\| (?!step|---)[^|]* \| (.*) \|$/gm)];
  return rows.map(([, cell = '']) => {
    const names = [...cell.matchAll(/`([\w/.-]+\.(?:ts|sql))`/g)].map(([, name = '']) => name);
    const folder = dirname(names[0] ?? '');
    return names.map((name) => (name.includes('/') ? name : `${folder}/${name}`));
  });
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => normalize(join(dirname(file), target)));
}

/** Whether a text calls one of the SQL functions of a file. */
const calls = (text: string, file: string) =>
  [...sqlFunctions([join(root, file)]).keys()].some((name) => text.includes(name));

describe.each([1, 2, 3, 4])('trip %i', (trip) => {
  const steps = stepsOf(trip);

  test('names files that exist', () => {
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.flat().filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe.each([1, 2])('trip %i', (trip) => {
  const files = stepsOf(trip).flat();

  /** Routes get their use cases from the context, and transmission its venue by the port: these are not imported. */
  const isInside = (file: string) => /^src\/(trading\/(orders|execution|records)|ledger)\//.test(file);

  test('each file inside is imported, and each statement called, by another one of the trip', () => {
    const unreached = files.filter((file) => {
      const others = files.filter((one) => one !== file);
      return file.endsWith('.sql')
        ? !others.some((one) => calls(read(one), file))
        : isInside(file) && !others.some((one) => importsOf(one).includes(file));
    });
    expect(unreached).toEqual([]);
  });
});

test('structure ways: an order passes at most 9 files from its route to the statement', () => {
  const files = stepsOf(1).map(([file = '']) => file);
  const from = files.indexOf('src/server/routes/trading.ts');
  const to = files.indexOf('sql/functions/trading/place_orders.sql');
  expect([from, to].every((index) => index >= 0)).toBe(true);
  expect(to - from).toBeLessThanOrEqual(9);
});

test('structure ways: a fill passes at most 12 files from the venue to the ledger', () => {
  const files = stepsOf(2).map(([file = '']) => file);
  const from = files.indexOf('src/venues/paper/paper.ts');
  expect(from).toBeGreaterThanOrEqual(0);
  expect(files.length - from).toBeLessThanOrEqual(12);
});
