/** How commands print lists: the columns, and the table for people. It knows the columns, not their content. */

import { Flags } from '@oclif/core';
import { isJsonObject } from '../../core/json.ts';
import { cutMiddle, cutText, fitTable } from './fit-table.ts';
import type { Paint } from './paint.ts';
import { withoutControls } from './printable.ts';
import { withThousands } from './thousands.ts';

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
  /** Heading in the table, if the words of the name do not read well. */
  readonly title?: string;
  readonly value: (row: Row) => Cell;
  readonly align?: 'left' | 'right';
  /** Left out of the table, kept in CSV. */
  readonly csvOnly?: boolean;
  /** Left out of CSV: the API has no such field. */
  readonly tableOnly?: boolean;
  /** The API's own value for CSV, if the table shows a formatted one. */
  readonly raw?: (row: Row) => Cell;
  /** Text that may be cut on a narrow terminal; a number is how many letters it keeps. */
  readonly elastic?: boolean | number;
  /** A name of which both ends matter: it is cut in its middle, and stands under its row where other columns would be left out for it. */
  readonly mayStandBelow?: boolean;
  /** The column with the highest rank is left out first on a narrow terminal; by default the order is from left to right. */
  readonly rank?: number;
  /** Colour of the cell on a terminal. */
  readonly paint?: (row: Row) => Parameters<Paint>[0] | undefined;
}

/** A column for each of these fields, read by its dotted path. */
export function columnsOf<Row extends object>(...paths: string[]): Column<Row>[] {
  return paths.map((path) => ({ name: path, value: (row) => asCell(readPath(row, path)) }));
}

/** Of fields whose words do not say what people call them. */
const HEADINGS: Readonly<Record<string, string>> = {
  executionRef: 'reference',
  clientOrderId: 'your id',
  externalUserId: 'user',
  realisedPnl: 'profit',
};

/** A field's name in words, as tables and lists of facts show it: `operatorMoney.actualDebit` is "actual debit", `closedAt` "closed". */
export function headingOf(name: string): string {
  const field = name.slice(name.lastIndexOf('.') + 1);
  const words = field.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return HEADINGS[field] ?? words.replace(/(?<=\w) (id|at)$/, '');
}

/** These columns; a narrow terminal keeps the named ones longest, the first of them longest of all. */
export function ranked<Row>(names: readonly string[], ...groups: readonly (readonly Column<Row>[])[]): Column<Row>[] {
  return groups.flat().map((column) => {
    const place = names.indexOf(column.name);
    return place === -1 ? { ...column, rank: names.length } : { ...column, rank: place };
  });
}

/** The named columns may be cut on a narrow terminal. */
export function elastic<Row>(names: readonly string[], columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => (names.includes(column.name) ? { ...column, elastic: true } : column));
}

/** The named columns are amounts or quantities: to the right, with separators of thousands. */
export function numeric<Row>(names: readonly string[], columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => (names.includes(column.name) ? { ...column, align: 'right' } : column));
}

export interface Table {
  readonly text: string;
  /** Titles of columns that the terminal has no room for. */
  readonly leftOut: readonly string[];
}

/** @param width characters per line of the terminal; undefined if the output is no terminal, where nothing is cut. */
export async function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: Paint,
  width?: number,
): Promise<Table> {
  const { default: CliTable } = await import('cli-table3');
  const all = columns.filter((column) => column.csvOnly !== true);
  const titles = all.map(({ name, title = headingOf(name) }) => title);
  const cells = rows.map((row) => all.map(({ value, align }) => grouped(asLine(value(row)), align)));
  const { shown, widths, below } = fitTable(
    all.map(({ elastic: isElastic = false, rank, mayStandBelow = false }, place) => ({
      title: titles[place] ?? '',
      elastic: isElastic,
      rank: rank ?? place,
      mayStandBelow,
    })),
    cells,
    width,
  );
  const blank = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const between = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const table = new CliTable({
    head: shown.map((place, index) => paint('bold', cutText(titles[place] ?? '', widths[index] ?? 0))),
    colAligns: shown.map((place) => all[place]?.align ?? 'left'),
    chars: { ...Object.fromEntries([...blank, ...between].map((name) => [name, ''])), middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const [number, row] of rows.entries()) {
    table.push(
      shown.map((place, index) => {
        const cut = all[place]?.mayStandBelow === true ? cutMiddle : cutText;
        const text = cut(cells[number]?.[place] ?? '', widths[index] ?? 0);
        const format = all[place]?.paint?.(row);
        return format === undefined ? text : paint(format, text);
      }),
    );
  }
  const [head = '', ...lines] = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  const under = (row: number) => {
    const name = below === undefined ? '' : (cells[row]?.[below] ?? '');
    return name === '' ? [] : [paint('dim', `  ${cutMiddle(name, (width ?? name.length + 2) - 2)}`)];
  };
  return {
    text: [head, ...lines.flatMap((line, row) => [line, ...under(row)])].join('\n'),
    leftOut: titles.filter((_, place) => !shown.includes(place) && place !== below),
  };
}

/** A cell as it is in a file: times in full, nothing grouped. */
export function asText(cell: Cell): string {
  if (cell === null || cell === undefined) {
    return '';
  }
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/** For people: times to the second, yes or no. */
function asLine(cell: Cell): string {
  if (typeof cell === 'boolean') {
    return cell ? 'yes' : 'no';
  }
  return withoutControls(asText(cell).replace(INSTANT, '$1 $2Z'));
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Numbers of a column of numbers have separators of thousands; ids and versions in one do not. */
function grouped(text: string, align: Column<never>['align']): string {
  return align === 'right' && NUMBER.test(text) ? withThousands(text) : text;
}

function readPath(row: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    return isJsonObject(value) ? value[key] : undefined;
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
