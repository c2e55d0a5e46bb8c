/** The columns of a revenue statement as a table with bars, and as CSV. */
import { type RevenueBy, revenueSubjects } from '../../core/terms.ts';
import { parseMinor } from '../../money/usd.ts';
import { bar, barAroundZero } from '../terminal/bar.ts';
import { type Column, columnsOf, elastic, numeric, ranked } from '../terminal/output.ts';
import { REVENUE_AMOUNTS, type Revenue, type RevenueAmount, type RevenueRow } from './fetch-revenue.ts';

const SUBJECT_COLUMNS = {
  day: ['day'],
  customer: ['externalUserId'],
  market: ['contractId', 'eventTitle', 'label'],
} as const;
const BAR_WIDTH = 20;
const TOTAL = 'Total';

/** A row of the table: one of the statement, or the last one with the sums. */
export interface ShownRevenue extends RevenueRow {
  readonly isTotal?: boolean;
}

/** @returns the rows of the statement, and one with the totals below them for people */
export function withTotals({ rows, totals }: Revenue, by: RevenueBy): ShownRevenue[] {
  const [first] = revenueSubjects(by);
  const name = first === 'market' ? 'eventTitle' : first === 'day' ? 'day' : 'externalUserId';
  return [...rows, { ...totals, [name]: TOTAL, isTotal: true }];
}

/** @param chart the amount whose size the bars show; a negative one is red, to the left of zero */
export function revenueColumns({ rows }: Revenue, by: RevenueBy, chart: RevenueAmount): Column<ShownRevenue>[] {
  const subjects = revenueSubjects(by).flatMap((subject) => [...SUBJECT_COLUMNS[subject]]);
  const shown = subjects.filter((name) => name !== 'contractId');
  const amounts: RevenueAmount[] = ['stakes', 'payouts', 'ggr', 'ngr'];
  const first = [chart, ...amounts.filter((name) => name !== chart)];
  const sizes = rows.map((row) => sizeOf(parseMinor(row[chart])));
  const draw = rows.some((row) => parseMinor(row[chart]) < 0n)
    ? (cents: bigint) => barAroundZero(cents, highest, BAR_WIDTH / 2)
    : (cents: bigint) => bar(cents, highest, BAR_WIDTH);
  const highest = sizes.reduce((most, size) => (size > most ? size : most), 0n);
  const bars: Column<ShownRevenue> = {
    name: 'bar',
    title: '',
    tableOnly: true,
    value: (row) => (row.isTotal === true ? '' : draw(parseMinor(row[chart]))),
    paint: (row) => (parseMinor(row[chart]) < 0n ? 'red' : 'cyan'),
  };
  const cells = columnsOf<ShownRevenue>(...subjects, ...REVENUE_AMOUNTS).map((column) => ({
    ...column,
    csvOnly: column.name === 'contractId' || (isAmount(column.name) && !first.includes(column.name)),
    paint: (row: ShownRevenue) => (row.isTotal === true ? ('bold' as const) : undefined),
  }));
  const place = cells.findIndex(({ name }) => name === chart) + 1;
  return ranked(
    [...shown, chart, 'bar', ...first.slice(1)],
    elastic(['eventTitle', 'label', 'externalUserId'], numeric(REVENUE_AMOUNTS, cells.slice(0, place))),
    [bars],
    numeric(REVENUE_AMOUNTS, cells.slice(place)),
  );
}

const sizeOf = (cents: bigint) => (cents < 0n ? -cents : cents);
const isAmount = (name: string): name is RevenueAmount => (REVENUE_AMOUNTS as readonly string[]).includes(name);
