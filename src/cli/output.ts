/** How commands print lists: a table for people, CSV for sheets, JSON for programs. Knows columns, not what is in them. */
import { Flags } from '@oclif/core';
import type { Paint } from './paint.ts';

/** Add to `static flags` of a command that lists. */
export const listFlags = {
  output: Flags.option({
    options: ['table', 'json', 'csv'] as const,
    default: 'table' as const,
    summary: 'How to print the list.',
  })(),
};

export type Cell = string | number | bigint | boolean | Date | null | undefined;

export interface Column<Row> {
  /** The API's field name, dotted; the header of the CSV column. */
  readonly name: string;
  /** Table header, where it reads better than the name. */
  readonly title?: string;
  readonly value: (row: Row) => Cell;
  readonly align?: 'left' | 'right';
  /** Left out of the table, kept in CSV. */
  readonly csvOnly?: boolean;
  /** The API's own value for CSV, where the table shows it dressed for people. */
  readonly raw?: (row: Row) => Cell;
  /** Colour of the cell on a terminal. */
  readonly paint?: (row: Row) => Parameters<Paint>[0] | undefined;
}

/** A column for each of these fields, read by its dotted path; a table heads it by the last word. */
export function columnsOf<Row extends object>(...paths: string[]): Column<Row>[] {
  return paths.map((path) => ({
    name: path,
    title: path.slice(path.lastIndexOf('.') + 1),
    value: (row) => asCell(readPath(row, path)),
  }));
}

export async function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: Paint,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const shown = columns.filter((column) => column.csvOnly !== true);
  const blank = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const lines = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const table = new Table({
    head: shown.map((column) => paint('bold', column.title ?? column.name)),
    colAligns: shown.map((column) => column.align ?? 'left'),
    chars: { ...Object.fromEntries([...blank, ...lines].map((name) => [name, ''])), middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) {
    table.push(
      shown.map((column) => {
        const text = asText(column.value(row));
        const format = column.paint?.(row);
        return format === undefined ? text : paint(format, text);
      }),
    );
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

export async function renderCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  return stringify(
    rows.map((row) => columns.map((column) => escapeFormula(asText((column.raw ?? column.value)(row))))),
    { header: true, columns: columns.map(({ name }) => name) },
  ).trimEnd();
}

const STRICT_DECIMAL = /^-?\d+(\.\d+)?$/;
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** A sheet would run a cell that starts like a formula; a signed amount is one in looks only and stays as it is. */
export function escapeFormula(text: string): string {
  return FORMULA_START.test(text) && !STRICT_DECIMAL.test(text) ? `'${text}` : text;
}

function asText(cell: Cell): string {
  if (cell === null || cell === undefined) {
    return '';
  }
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

function readPath(row: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }, row);
}

function asCell(value: unknown): Cell {
  if (value === null || value === undefined || value instanceof Date) {
    return value;
  }
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value;
    default:
      return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
  }
}
