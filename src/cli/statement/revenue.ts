/** A revenue statement, read over the API into memory for a person, and its columns as a table with bars and as CSV. */

import { type Destination, UnexpectedAnswer } from '../../client/create-client.ts';
import { nameMarket } from '../../core/plain-words.ts';
import { type RevenueBy, revenueSubjects } from '../../core/terms.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import { askExport } from '../export/ask-export.ts';
import { type JsonRow, readRows } from '../export/rows.ts';
import { usage } from '../failure.ts';
import { bar, barAroundZero } from '../terminal/facts.ts';
import { type Column, columnsOf, elastic, numeric, ranked } from '../terminal/table.ts';

export const REVENUE_AMOUNTS = [
  'stakes',
  'payouts',
  'netStakes',
  'openStakes',
  'marketResult',
  'venueFees',
  'platformFees',
  'feesReturned',
  'overrun',
  'feeRevenue',
] as const;
export type RevenueAmount = (typeof REVENUE_AMOUNTS)[number];

/** Amounts are decimal dollars. A row has the fields of the chosen subjects only. */
export type RevenueRow = Readonly<Record<RevenueAmount, string>> & {
  readonly day?: string;
  readonly externalUserId?: string;
  readonly contractId?: string;
  readonly eventTitle?: string | null;
  readonly label?: string | null;
};

export interface Revenue {
  readonly from: string | null;
  readonly to: string;
  readonly rows: readonly RevenueRow[];
  /** Sums of every amount. */
  readonly totals: Readonly<Record<RevenueAmount, string>>;
}

interface RevenueWindow {
  readonly by: RevenueBy;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** IANA name of the zone in which days begin. */
  readonly timeZone?: string | undefined;
}

/** Largest number of rows that is shown to a person. */
const MAX_ROWS = 20_000;

/** @throws Failure if there are too many rows, ApiError, UnexpectedAnswer */
export async function fetchRevenue(
  service: Destination,
  { by, from, to, timeZone }: RevenueWindow,
  signal: AbortSignal,
): Promise<Revenue> {
  const order = { kind: 'revenue', by, format: 'jsonl', from, to, timeZone, bom: false, decimalComma: false } as const;
  const { response, header } = await askExport(service, order, 0, signal);
  if (header.rows > MAX_ROWS) {
    response.body.destroy();
    throw usage(`${header.rows} rows are too many to show.`, 'Use "inlay reconciliation export --kind revenue".');
  }
  const rows: RevenueRow[] = [];
  for await (const page of readRows(response.body as AsyncIterable<Uint8Array>)) {
    rows.push(...page.rows.map((row) => asRevenueRow(service, row)));
  }
  if (rows.length !== header.rows) {
    throw new Error(`${rows.length} of ${header.rows} rows came`);
  }
  return { from: header.from, to: header.to, rows, totals: totalsOf(rows) };
}

function asRevenueRow(service: Destination, row: JsonRow): RevenueRow {
  if (REVENUE_AMOUNTS.some((name) => typeof row[name] !== 'string')) {
    throw new UnexpectedAnswer(service.baseUrl, 200, 'rows without amounts');
  }
  return row as RevenueRow;
}

function totalsOf(rows: readonly RevenueRow[]): Record<RevenueAmount, string> {
  const sum = (name: RevenueAmount) => formatMinor(sumMinor(rows.map((row) => parseMinor(row[name]))));
  return Object.fromEntries(REVENUE_AMOUNTS.map((name) => [name, sum(name)])) as Record<RevenueAmount, string>;
}

const SUBJECT_COLUMNS = {
  day: ['day'],
  customer: ['externalUserId'],
  market: ['contractId', 'eventTitle', 'label'],
} as const;
const BAR_WIDTH = 20;
const TOTAL = 'Total';

/** A row of the table: a row of the statement, or the last one with the sums. */
interface ShownRevenue extends RevenueRow {
  readonly isTotal?: boolean;
}

/** @returns the rows of the statement for people, customers and markets with the largest amount first, and below them one with the totals */
export function withTotals({ rows, totals }: Revenue, by: RevenueBy, chart: RevenueAmount): ShownRevenue[] {
  const subjects = revenueSubjects(by);
  const [first] = subjects;
  const name = first === 'market' ? 'eventTitle' : first === 'day' ? 'day' : 'externalUserId';
  const sorted = subjects.includes('day')
    ? rows
    : rows.toSorted((one, other) => Number(parseMinor(other[chart]) - parseMinor(one[chart])));
  return [...sorted, { ...totals, [name]: TOTAL, isTotal: true }];
}

/** @param chart the amount whose size the bars show; the bar of a negative one is red and to the left of zero */
export function revenueColumns({ rows }: Revenue, by: RevenueBy, chart: RevenueAmount): Column<ShownRevenue>[] {
  const subjects = revenueSubjects(by).flatMap((subject) => [...SUBJECT_COLUMNS[subject]]);
  const amounts: RevenueAmount[] = ['stakes', 'payouts', 'marketResult', 'feeRevenue'];
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
    csvOnly: isOfMarket(column.name) || (isAmount(column.name) && !first.includes(column.name)),
    paint: (row: ShownRevenue) => (row.isTotal === true ? ('bold' as const) : undefined),
  }));
  const place = cells.findIndex(({ name }) => name === chart) + 1;
  return ranked(
    ['market', ...subjects, chart, 'bar', ...first.slice(1)],
    subjects.includes('contractId') ? [marketColumn] : [],
    elastic(['externalUserId'], numeric(REVENUE_AMOUNTS, cells.slice(0, place))),
    [bars],
    numeric(REVENUE_AMOUNTS, cells.slice(place)),
  );
}

/** Title and outcome are printed under the row if the amounts need the width. */
const marketColumn: Column<ShownRevenue> = {
  name: 'market',
  tableOnly: true,
  mayStandBelow: true,
  value: ({ eventTitle, label, contractId }) =>
    typeof eventTitle === 'string' ? nameMarket(eventTitle, label ?? 'yes') : contractId,
  paint: (row) => (row.isTotal === true ? 'bold' : undefined),
};

const isOfMarket = (name: string) => (SUBJECT_COLUMNS.market as readonly string[]).includes(name);
const sizeOf = (cents: bigint) => (cents < 0n ? -cents : cents);
const isAmount = (name: string): name is RevenueAmount => (REVENUE_AMOUNTS as readonly string[]).includes(name);
