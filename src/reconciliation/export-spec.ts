/** What an export is made of: its columns, where its rows come from, and what they add up to. SQL text, no I/O; knows no kind. */
import type { ExportColumn } from './export-column.ts';

/** Literals of the window, quoted: the operator, feed positions after and up to, times from and to. */
export interface ExportWindow {
  readonly operator: string;
  readonly after: string;
  readonly through: string;
  readonly from: string;
  readonly to: string;
}

export interface ExportSpec {
  /** Rows are only ever added behind, so that an export that broke off is gone on with. */
  readonly appendOnly: boolean;
  readonly columns: readonly ExportColumn[];
  /** A row of JSON that is ready, where there is one. */
  readonly json?: string;
  /** `from` clause of rows `x` in their order, without the first `skip`. */
  rows(window: ExportWindow, skip: number): string;
  /** Sums over all rows, cents; read from `totalled`. */
  readonly totals: Readonly<Record<string, string>>;
  totalled(window: ExportWindow): string;
}

/** Rows of a table that carry a position of the feed. */
export const within = (table: string, { operator, after, through }: ExportWindow, position = 'position') =>
  `${table} where operator_id = ${operator} and ${position} > ${after} and ${position} <= ${through}`;

/** Rows of a table that carry a time of their own. */
export const dated = (table: string, { operator, from, to }: ExportWindow, time: string) =>
  `${table} where operator_id = ${operator} and ${time} >= ${from} and ${time} < ${to}`;
