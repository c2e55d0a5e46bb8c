/** A revenue statement read over the API: all rows in memory, for a table or a page that a person reads. */
import { type Destination, UnexpectedAnswer } from '../../client/create-client.ts';
import type { RevenueBy } from '../../core/terms.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import { askExport } from '../export/ask-export.ts';
import { type JsonRow, readRows } from '../export/row-writer.ts';
import { usage } from '../failure.ts';

const MAX_ROWS = 20_000;

export const REVENUE_AMOUNTS = [
  'stakes',
  'payouts',
  'ggr',
  'openStakes',
  'marketResult',
  'venueFees',
  'platformFees',
  'feesReturned',
  'overrun',
  'ngr',
] as const;
export type RevenueAmount = (typeof REVENUE_AMOUNTS)[number];

/** Amounts are decimal dollars. Fields of subjects that the rows do not have are missing. */
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
  /** Of every amount. */
  readonly totals: Readonly<Record<RevenueAmount, string>>;
}

export interface RevenueWindow {
  readonly by: RevenueBy;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** IANA name: whose days they are. */
  readonly timeZone?: string | undefined;
}

/** @throws Failure if there are more rows than a person reads, ApiError, UnexpectedAnswer */
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
