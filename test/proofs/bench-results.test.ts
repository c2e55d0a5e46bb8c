/** What the bench says of a row: its bounds are met or missed, and a row without one is only shown. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Machine, renderFigures } from '../../bench/document.ts';
import type { Measure, Row } from '../../bench/measure.ts';
import { type Result, resultOf, tableLine } from '../../bench/results.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** A row whose ratio is 2. */
function measure(row: Partial<Row>, more: Partial<Measure> = {}): Result {
  const measured = { measured: 200, baseline: 100, unit: 'ms', ...more };
  const whole: Row = { key: 'some', better: 'lower', rounds: 1, measure: async () => measured, ...row };
  return resultOf(whole, 1, 0, measured);
}

const limit = (atMost: number) => ({ bounds: [{ what: 'peak', value: 10, unit: 'MiB', atMost }] });

test.each([
  [{ bound: 2 }, {}, true],
  [{ bound: 1.9 }, {}, false],
  [{ bound: 2, better: 'higher' }, {}, true],
  [{ bound: 2.1, better: 'higher' }, {}, false],
  [{ bound: 2 }, limit(9), false],
  [{ bound: 1.9 }, limit(10), false],
  [{}, limit(10), true],
  [{}, limit(9), false],
  [{}, {}, null],
] as const)('of the bounds %j and %j of a row, "met" is %j', (row, more, met) => {
  expect(measure(row, more).met).toBe(met);
});

test('a row without a bound is shown without one, and is not counted', () => {
  const results = [measure({ key: 'shown' }), measure({ key: 'kept', bound: 2 }), measure({ key: 'worse', bound: 1 })];
  const [shown, kept, worse] = results.map(tableLine);
  expect(shown).not.toMatch(/[<>]=|met/i);
  expect(kept).toMatch(/<= 2 +met/);
  expect(worse).toMatch(/<= 1 +MISSED/);
  const machine = { cores: 2, processor: '', memoryMiB: 0, node: '', postgresql: '', started: '', seconds: 0 };
  const page = renderFigures(machine, results);
  expect(page).toContain('1 of the 2 rows with bounds met them.');
  expect(page).toContain('| shown | 200.0 ms | 100.0 ms | 2.00 |  |  | 1 | - |');
});

test('a row that could not be measured met nothing', () => {
  const row: Row = { key: 'some', better: 'lower', rounds: 1, measure: () => Promise.reject() };
  expect(resultOf(row, 1, 0, new Error('no server'))).toMatchObject({ met: false, note: 'not measured: no server' });
});

test('docs/performance.md shows the figures of the last whole run', () => {
  const { rows, ...machine } = JSON.parse(read('bench/last-run.json')) as Machine & { rows: Result[] };
  expect(read('docs/performance.md')).toContain(renderFigures(machine, rows));
});
