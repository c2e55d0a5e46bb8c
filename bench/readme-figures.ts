/** The few figures that README.md shows, each beside its baseline. The whole table is in docs/performance.md. */
import { figure, type Result } from './results.ts';

/** @throws Error if the run did not measure one of the figures. */
export function renderReadmeFigures(started: string, cores: number, results: readonly Result[]): string {
  const of = (key: string) => measuredOf(key, results);
  const rows: readonly (readonly [what: string, measured: string, compared: string])[] = [
    ['orders of 50 operators', of('orders-spread').measured, `${of('orders-spread').baseline}: TPC-B of pgbench`],
    [
      'an order at half that rate',
      `p50 ${of('orders-p50').measured}, p99 ${of('orders-p99').measured}`,
      `p50 ${of('orders-p50').baseline}, p99 ${of('orders-p99').baseline}: one INSERT with commit`,
    ],
    ['quotes', of('quotes').measured, `${of('quotes').baseline}: one INSERT with commit`],
    [
      'a report that reads a million entries',
      of('report').measured,
      `${of('report').baseline}: one sum over their lines`,
    ],
    ['rows of an export', of('export').measured, `${of('export').baseline}: COPY by PostgreSQL`],
    ['memory of an API process, 5,000 readers of prices', of('memory').measured, `${of('memory').baseline}: our limit`],
  ];
  return [
    `Measured on ${started.slice(0, 10)} with service, database and load on ${cores} cores:`,
    '',
    '| | measured | compared with |',
    '|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

function measuredOf(key: string, results: readonly Result[]): { measured: string; baseline: string } {
  const row = results.find((result) => result.key === key);
  if (row === undefined || row.measured === null || row.baseline === null) {
    throw new Error(`the run has no figure of ${key}`);
  }
  const unit = row.unit === 'per s' ? ' a second' : ` ${row.unit}`;
  return { measured: `${figure(row.measured)}${unit}`, baseline: `${figure(row.baseline)}${unit}` };
}
