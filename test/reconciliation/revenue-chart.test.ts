/** The chart of a printed statement: sizes are in proportion, losses are below zero, and names of others stay text. */
import { expect, test } from 'vitest';
import { REVENUE_AMOUNTS, type RevenueRow } from '../../src/cli/statement/revenue.ts';
import { revenueChart } from '../../src/cli/statement/statement-page.ts';

function revenueRow(subject: Partial<RevenueRow>, marketResult: string, feeRevenue: string): RevenueRow {
  const none = Object.fromEntries(REVENUE_AMOUNTS.map((name) => [name, '0.00'])) as Omit<RevenueRow, 'day'>;
  return { ...none, ...subject, marketResult, feeRevenue } as RevenueRow;
}
const rects = (svg: string, series: string) =>
  [
    ...svg.matchAll(
      new RegExp(`<rect class="${series}[^"]*"[^>]* y="([-\\d.]+)" width="([\\d.]+)" height="([\\d.]+)"`, 'g'),
    ),
  ].map(([, y, width, height]) => ({ y: Number(y), width: Number(width), height: Number(height) }));
const dayOf = (row: RevenueRow) => row.day ?? '';
const userOf = (row: RevenueRow) => row.externalUserId ?? '';

test('days are columns in proportion, a loss is below zero, rows of one day are added up', () => {
  const rows = [
    revenueRow({ day: '2026-11-02' }, '-50.00', '1.00'),
    revenueRow({ day: '2026-11-01' }, '60.00', '2.00'),
    revenueRow({ day: '2026-11-01' }, '40.00', '3.00'),
  ];
  const svg = revenueChart(rows, true, dayOf)?.text ?? '';
  const [first, second] = rects(svg, 'market');
  expect(first).toMatchObject({ y: 0, height: 100 });
  expect(second).toMatchObject({ y: 100, height: 50 });
  expect(rects(svg, 'fee').map(({ height }) => height)).toEqual([5, 1]);
  expect(svg).toContain('Market result and fee revenue from 2026-11-01 to 2026-11-02');
  expect(svg).toContain('>100.00</text>');
});

test('customers are bars, the largest first, at most twelve, and the rest is counted', () => {
  const rows = Array.from({ length: 2_000 }, (_, index) =>
    revenueRow({ externalUserId: `<b>u-${index}</b>` }, `${index % 2 === 0 ? '-' : ''}${index}.00`, '0.00'),
  );
  const svg = revenueChart(rows, false, userOf)?.text ?? '';
  const shown = rects(svg, 'market');
  expect(shown).toHaveLength(12);
  expect(shown.map(({ width }) => width)).toEqual(
    shown.map(({ width }) => width).toSorted((one, other) => other - one),
  );
  expect(svg).toContain('market loss');
  expect(svg).toContain('&lt;b&gt;u-1999&lt;/b&gt;');
  expect(svg).not.toContain('<b>');
  expect(svg).toContain('1,988 smaller ones are only in the table');
});

test('one day needs no chart, and days without money are drawn too', () => {
  const day = (number: number) => revenueRow({ day: `2026-11-0${number}` }, '0.00', '0.00');
  expect(revenueChart([day(1)], true, dayOf)).toBeNull();
  expect(rects(revenueChart([day(1), day(2)], true, dayOf)?.text ?? '', 'market').map(({ height }) => height)).toEqual([
    0, 0,
  ]);
});
