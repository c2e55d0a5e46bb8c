/**
 * Lists as commands print them: the columns, the table for people, fitted into the width of the terminal, and the CSV for spreadsheets.
 * This file does not know the content of the columns.
 */

import { Flags } from '@oclif/core';
import { isJsonObject } from '../../core/json.ts';
import { withThousands } from '../../core/plain-words.ts';
import { headingOf } from './facts.ts';
import type { Paint } from './printable.ts';
import { withoutControls } from './printable.ts';
import { wrapText } from './wrap-text.ts';

/** Add to `static flags` of a command that lists. */
export const listFlags = {
  output: Flags.option({
    options: ['table', 'json', 'csv'] as const,
    default: 'table' as const,
    summary: 'Format of the list.',
  })(),
};

type Cell = string | number | bigint | boolean | Date | null | undefined;

export interface Column<Row> {
  /** The name of the API's field, dotted. It is the header of the CSV column. */
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
  /** Whether a narrow terminal may cut the text; a number is how many letters it keeps. */
  readonly elastic?: boolean | number;
  /** For sentences: a narrow terminal breaks them between words instead of cutting them. */
  readonly wraps?: boolean;
  /** For a name whose two ends matter. It is cut in its middle, and stands under its row if other columns would be left out for it. */
  readonly mayStandBelow?: boolean;
  /** Under its row it is printed only if the row above has another value, because rows of one subject follow one another. */
  readonly onlyChanges?: boolean;
  /** An id that a person passes on to a person who cannot list it: a narrow terminal does not shorten it. */
  readonly whole?: boolean;
  /** The column with the highest rank is left out first on a narrow terminal; by default the order is from left to right. */
  readonly rank?: number;
  /** Colour of the cell on a terminal. */
  readonly paint?: (row: Row) => Parameters<Paint>[0] | undefined;
}

/** @returns a column for each of these fields, read by its dotted path */
export function columnsOf<Row extends object>(...paths: string[]): Column<Row>[] {
  return paths.map((path) => ({ name: path, value: (row) => asCell(readPath(row, path)) }));
}

/** Ranks the columns. A narrow terminal drops the other columns first, and then the named ones from the last to the first. */
export function ranked<Row>(names: readonly string[], ...groups: readonly (readonly Column<Row>[])[]): Column<Row>[] {
  return groups.flat().map((column) => {
    const place = names.indexOf(column.name);
    return place === -1 ? { ...column, rank: names.length } : { ...column, rank: place };
  });
}

/** Lets a narrow terminal cut the named columns. */
export function elastic<Row>(names: readonly string[], columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => (names.includes(column.name) ? { ...column, elastic: true } : column));
}

/** Makes the named columns amounts or quantities: aligned to the right, with separators of thousands. */
export function numeric<Row>(names: readonly string[], columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => (names.includes(column.name) ? { ...column, align: 'right' } : column));
}

interface Table {
  readonly text: string;
  /** Titles of columns that the terminal has no room for. */
  readonly leftOut: readonly string[];
}

/** @param width characters per line of the terminal; undefined off a terminal, where nothing is cut */
export async function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: Paint,
  width?: number,
): Promise<Table> {
  const { default: CliTable } = await import('cli-table3');
  const all = columns.filter(
    (column) => column.csvOnly !== true && (rows.length === 0 || rows.some((row) => asLine(column.value(row)) !== '')),
  );
  const titles = all.map(({ name, title = headingOf(name) }) => title);
  const cells = rows.map((row) => all.map(({ value, align }) => grouped(asLine(value(row)), align)));
  const { shown, widths, below } = fitTable(
    all.map(({ elastic: isElastic = false, rank, mayStandBelow = false, whole = false, wraps = false }, place) => ({
      title: titles[place] ?? '',
      elastic: isElastic || wraps,
      rank: rank ?? place,
      mayStandBelow,
      whole,
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
        const { mayStandBelow = false, wraps = false } = all[place] ?? {};
        const cut = wraps ? wrapLines : mayStandBelow ? cutMiddle : cutText;
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
  const nameOf = (row: number) => (below === undefined ? '' : (cells[row]?.[below] ?? ''));
  const under = (row: number) => {
    const name = nameOf(row);
    const isSame = row > 0 && below !== undefined && all[below]?.onlyChanges === true && name === nameOf(row - 1);
    return name === '' || isSame ? [] : [paint('dim', `  ${cutMiddle(name, (width ?? name.length + 2) - 2)}`)];
  };
  return {
    text: [head, ...lines.flatMap((line, row) => [line, ...under(row)])].join('\n'),
    leftOut: titles.filter((_, place) => !shown.includes(place) && place !== below),
  };
}

export async function renderCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const kept = columns.filter(({ tableOnly }) => tableOnly !== true);
  return stringify(
    rows.map((row) => kept.map((column) => escapeFormula(withoutControls(asText((column.raw ?? column.value)(row)))))),
    // a spreadsheet that uses another separator does not split quoted cells
    { header: true, columns: kept.map(({ name }) => name), quoted_match: /[^\w.:-]/ },
  ).trimEnd();
}

const STRICT_DECIMAL = /^-?\d+(\.\d+)?$/;
const FORMULA_START = /(^|[,;|\t\r\n])([=+\-@\t\r\n＝＋－＠])/g;

/**
 * Quotes a cell that a spreadsheet would run as a formula: one that starts like a formula, or has such a start after a separator that
 * the spreadsheet may use. A signed amount only looks like a formula and is not changed.
 */
export function escapeFormula(text: string): string {
  return STRICT_DECIMAL.test(text) ? text : text.replace(FORMULA_START, "$1'$2");
}

/** @returns the cell as it is in a file: times in full, digits not grouped */
function asText(cell: Cell): string {
  if (cell === null || cell === undefined) {
    return '';
  }
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/** @returns the cell for people: times to the second, yes or no */
function asLine(cell: Cell): string {
  if (typeof cell === 'boolean') {
    return cell ? 'yes' : 'no';
  }
  return withoutControls(asText(cell).replace(INSTANT, '$1 $2Z'));
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Groups the digits of numbers in a column of numbers; ids and versions in such a column stay as they are. */
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

interface FitColumn {
  readonly title: string;
  /** Whether the text may be cut to a readable length; a number is how many letters it keeps. */
  readonly elastic: boolean | number;
  /** The column with the highest rank is left out first. */
  readonly rank: number;
  /** A name that may stand under its row. */
  readonly mayStandBelow: boolean;
  /** An id that is not shortened. */
  readonly whole: boolean;
}

interface Fit {
  /** Indexes of the columns that are shown. */
  readonly shown: readonly number[];
  /** The most letters of each column that is shown. */
  readonly widths: readonly number[];
  /** Index of the column that stands under the rows instead. */
  readonly below?: number;
}

const GAP = 2;
const LEAST_TEXT = 16;
/** Room for the kind of an id and for enough of its random end to distinguish two ids. */
const LEAST_ID = 12;
const ID_HEAD = 5;
const LONG_ID = /^(?:[a-z]+_)?(?:[a-z]+_)?[0-9a-z-]{20,}(?:_\d+)?$/i;
const LEAST_COLUMNS = 2;

/**
 * Fits a table into the width of a terminal: ids are shortened and long texts cut first, then columns are left out, those of the
 * highest rank first. Room that remains goes to texts before ids. A long name for which other columns would be left out stands under
 * its row instead.
 * @param cells rows of texts
 * @param width characters per line; undefined without a limit
 */
function fitTable(
  columns: readonly FitColumn[],
  cells: readonly (readonly string[])[],
  width: number | undefined,
): Fit {
  const natural = columns.map(({ title }, place) =>
    Math.max(title.length, ...cells.map((row) => lettersOf(row[place] ?? ''))),
  );
  const ids = columns.map(({ whole }, place) => !whole && isIdColumn(cells, place));
  const least = columns.map(({ elastic, title }, place) => {
    const whole = natural[place] ?? 0;
    const shortest = ids[place] ? LEAST_ID : elastic === false ? whole : elastic === true ? LEAST_TEXT : elastic;
    return Math.min(whole, Math.max(shortest, title.length));
  });
  const places = columns.map((_, place) => place);
  if (width === undefined || sum(natural, places) <= width) {
    return { shown: places, widths: natural };
  }
  const byRank = [...places].sort(
    (one, other) => (columns[other]?.rank ?? 0) - (columns[one]?.rank ?? 0) || other - one,
  );
  const leftOut = new Set<number>();
  const shown = () => places.filter((place) => !leftOut.has(place));
  for (const place of byRank.slice(0, Math.max(0, places.length - LEAST_COLUMNS))) {
    if (sum(least, shown()) <= width) {
      break;
    }
    leftOut.add(place);
  }
  const kept = shown();
  const below = columns.findIndex(({ mayStandBelow }) => mayStandBelow);
  if (below !== -1 && places.some((place) => leftOut.has(place) && (!ids[place] || place === below))) {
    return fitWithout(below, columns, cells, width);
  }
  return { shown: kept, widths: spread(kept, natural, least, ids, width) };
}

function fitWithout(
  below: number,
  columns: readonly FitColumn[],
  cells: readonly (readonly string[])[],
  width: number,
): Fit {
  const { shown, widths } = fitTable(
    columns.toSpliced(below, 1),
    cells.map((row) => row.toSpliced(below, 1)),
    width,
  );
  return { shown: shown.map((place) => (place < below ? place : place + 1)), widths, below };
}

/** Gives the remaining width to the columns that were cut, texts first. If even the minimum does not fit, the widest column shrinks. */
function spread(
  kept: readonly number[],
  natural: readonly number[],
  least: readonly number[],
  ids: readonly boolean[],
  width: number,
): number[] {
  const widths = kept.map((place) => least[place] ?? 0);
  let room = width - sum(least, kept);
  const isId = (index: number) => Number(ids[kept[index] ?? 0]);
  for (const index of [...kept.keys()].sort((one, other) => isId(one) - isId(other))) {
    const place = kept[index] ?? 0;
    const more = Math.min(Math.max(0, room), (natural[place] ?? 0) - (least[place] ?? 0));
    widths[index] = (widths[index] ?? 0) + more;
    room -= more;
  }
  const widest = widths.indexOf(Math.max(...widths));
  if (room < 0) {
    widths[widest] = Math.max(1, (widths[widest] ?? 0) + room);
  }
  return widths;
}

function sum(widths: readonly number[], places: readonly number[]): number {
  return places.reduce((total, place) => total + (widths[place] ?? 0), GAP * Math.max(0, places.length - 1));
}

function wrapLines(text: string, width: number): string {
  return wrapText(text, width).join('\n');
}

function lettersOf(text: string): number {
  return [...text].length;
}

function isIdColumn(cells: readonly (readonly string[])[], place: number): boolean {
  const texts = cells.map((row) => row[place] ?? '').filter((text) => text !== '');
  return texts.length > 0 && texts.every((text) => LONG_ID.test(text));
}

/** Shortens to `width` characters: a text loses its end, an id its middle. */
export function cutText(text: string, width: number): string {
  const letters = [...text];
  if (letters.length > width && width >= LEAST_ID && LONG_ID.test(text)) {
    return `${text.slice(0, ID_HEAD)}…${text.slice(text.length - (width - ID_HEAD - 1))}`;
  }
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** Shortens a text whose two ends matter, such as a title and the outcome after it: it loses its middle. */
export function cutMiddle(text: string, width: number): string {
  const letters = [...text];
  const end = Math.floor((width - 1) / 2);
  return letters.length <= width || end < 1
    ? cutText(text, width)
    : `${letters.slice(0, width - 1 - end).join('')}…${letters.slice(letters.length - end).join('')}`;
}
