/** The figures of README.md are those of the last whole run of the bench, not typed by hand. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderReadmeFigures } from '../../bench/readme-figures.ts';
import type { Result } from '../../bench/results.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const { started, cores, rows } = JSON.parse(read('bench/last-run.json')) as {
  started: string;
  cores: number;
  rows: Result[];
};

test('README.md shows the figures of the last whole run, each beside what it is compared with', () => {
  const figures = renderReadmeFigures(started, cores, rows);
  expect(figures.split('\n').length).toBeGreaterThan(8);
  expect(read('README.md')).toContain(figures);
});

test('a run that lacks one of them writes nothing', () => {
  expect(() => renderReadmeFigures(started, cores, rows.slice(1))).toThrow('the run has no figure of orders-spread');
});
