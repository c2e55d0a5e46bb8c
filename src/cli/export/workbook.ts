/**
 * A small export as an Excel workbook: amounts as numbers with two places, times as dates in one time zone, a row of
 * totals, and a sheet that explains each column; it prints as wide as one page. No cell is a formula.
 */
import type { ExportColumnName, ExportHeader } from '../../wire/reconciliation.ts';
import { usage } from '../failure.ts';
import { meaningOf } from './column-meanings.ts';
import type { JsonRow, RowWriter } from './row-writer.ts';
import { wallClock } from './wall-clock.ts';
import { printsWell } from './workbook-print.ts';

/** A workbook is made in memory and opened by a person. */
const MAX_ROWS = 50_000;
const AMOUNT = /^-?\d{1,13}\.\d{2}$/;
const MONEY_FORMAT = '#,##0.00';
const TIME_FORMAT = 'yyyy-mm-dd hh:mm:ss';
const TIME_WIDTH = 19;
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_FORMAT = 'yyyy-mm-dd';
const DAY_WIDTH = 10;
const [NARROWEST, WIDEST] = [8, 44];
/** Their rows are balances and flows together, so that a sum means nothing. */
const NOT_SUMMED: ReadonlySet<string> = new Set(['statement', 'feed', 'positions']);
/** Balances and running totals. */
const NEVER_SUMMED: ReadonlySet<string> = new Set(['balanceAfter', 'lifetimeRealisedPnl']);
/** Of the record at the end of a ZIP archive, which has no comment. */
const END_BYTES = 22;
/** As MS-DOS writes a date and a time. */
const FIRST_DAY = 0x0021_0000;

interface Cell {
  readonly value: string | number | boolean | Date;
  readonly type: unknown;
  readonly format?: string;
  readonly fontWeight?: 'bold';
  readonly align?: 'right';
  readonly topBorderStyle?: 'thin';
  readonly wrap?: boolean;
}

export interface WorkbookOf {
  readonly header: ExportHeader;
  readonly columns: readonly ExportColumnName[];
  /** IANA name; times are shown on its clock. */
  readonly timeZone: string;
}

/** @throws Failure if there are too many rows */
export function createWorkbook(of: WorkbookOf): RowWriter {
  const { rows: count } = of.header;
  if (count > MAX_ROWS) {
    throw usage(`${count} rows are too many for a workbook; the limit is ${MAX_ROWS}.`, 'Use --format csv.');
  }
  const rows: JsonRow[] = [];
  return {
    add(row) {
      rows.push(row);
      return undefined;
    },
    end: () => makeWorkbook(of, rows),
  };
}

async function makeWorkbook(of: WorkbookOf, rows: readonly object[]): Promise<Uint8Array> {
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const { columns, header, timeZone } = of;
  const body = rows.map((row) => columns.map(({ name, type }) => cellOf(valueAt(row, name), type, timeZone)));
  const totals = NOT_SUMMED.has(header.kind) || rows.length === 0 ? [] : [totalsOf(columns, rows)];
  const head = columns.map(({ name, type }) => ({ ...text(name, true), ...(isNumber(type) && { align: 'right' }) }));
  const explained = explain(of);
  const printed = printsWell({ name: header.kind, rows: 1 + body.length, columns: columns.length });
  const sheets = [
    {
      data: [head, ...body, ...totals] as never,
      sheet: header.kind,
      stickyRowsCount: 1,
      columns: columns.map((column, place) => ({
        width: widthOf(
          column,
          body.map((cells) => cells[place] ?? null),
        ),
      })),
    },
    { data: explained as never, sheet: 'Columns', columns: [{ width: 32 }, { width: 96 }, { width: 24 }] },
  ];
  return withoutTimes(await writeExcelFile(sheets, { features: [printed] }).toBuffer());
}

/** The same rows make the same file: the entries of the archive are dated 1 January 1980 instead of when it was made. */
function withoutTimes(archive: Uint8Array): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.byteLength - END_BYTES;
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    const local = view.getUint32(at + 42, true);
    view.setUint32(at + 12, FIRST_DAY, true);
    view.setUint32(local + 10, FIRST_DAY, true);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return archive;
}

/** The last row; cents are added as whole numbers. */
function totalsOf(columns: readonly ExportColumnName[], rows: readonly object[]): (Cell | null)[] {
  return columns.map(({ name, type }, place) => {
    if (type !== 'cents' || NEVER_SUMMED.has(name)) {
      return place === 0 ? { ...text('Total', true), topBorderStyle: 'thin' } : null;
    }
    const cents = rows.reduce((sum, row) => sum + centsOf(valueAt(row, name)), 0n);
    return {
      value: Number(cents) / 100,
      type: Number,
      format: MONEY_FORMAT,
      fontWeight: 'bold',
      topBorderStyle: 'thin',
    };
  });
}

function centsOf(value: unknown): bigint {
  return typeof value === 'string' && AMOUNT.test(value) ? BigInt(value.replace('.', '')) : 0n;
}

function explain({ header, columns, timeZone }: WorkbookOf): (Cell | null)[][] {
  return [
    [text('Export', true), text(header.kind)],
    [text('From', true), text(header.from ?? 'the beginning')],
    [text('To', true), text(`${header.to} (not included)`)],
    [text('Rows', true), { value: header.rows, type: Number }],
    [text('Times', true), text(timeZone)],
    [text('Amounts', true), text('US dollars')],
    [],
    [text('Column', true), text('Meaning', true), text('Unit', true)],
    ...columns.map(({ name, type }) => [
      text(name),
      { ...text(meaningOf(name) ?? ''), wrap: true },
      text(unitOf(type, timeZone)),
    ]),
  ];
}

function unitOf(type: ExportColumnName['type'], timeZone: string): string {
  switch (type) {
    case 'cents':
      return 'US dollars';
    case 'micros':
      return 'six decimals';
    case 'time':
    case 'date':
      return timeZone;
    default:
      return type;
  }
}

const text = (value: string, bold = false): Cell => ({ value, type: String, ...(bold && { fontWeight: 'bold' }) });
const isNumber = (type: ExportColumnName['type']) => type === 'cents' || type === 'micros' || type === 'integer';

function cellOf(value: unknown, type: ExportColumnName['type'], timeZone: string): Cell | null {
  if (value === null || value === undefined) {
    return null;
  }
  if (type === 'time' && typeof value === 'string' && !Number.isNaN(Date.parse(value))) {
    return { value: wallClock(new Date(value), timeZone), type: Date, format: TIME_FORMAT };
  }
  if (type === 'date' && typeof value === 'string' && DAY.test(value)) {
    return { value: new Date(value), type: Date, format: DAY_FORMAT };
  }
  if (typeof value === 'string' && AMOUNT.test(value)) {
    return { value: Number(value), type: Number, format: MONEY_FORMAT };
  }
  if (typeof value === 'number') {
    return { value, type: Number };
  }
  if (typeof value === 'boolean') {
    return { value, type: Boolean };
  }
  return text(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Wide enough for the longest cell, within reason. */
function widthOf({ name, type }: ExportColumnName, cells: readonly (Cell | null)[]): number {
  if (type === 'time' || type === 'date') {
    return Math.max(type === 'time' ? TIME_WIDTH : DAY_WIDTH, name.length) + 2;
  }
  const longest = cells.reduce((most, cell) => Math.max(most, cell === null ? 0 : shownLength(cell)), name.length);
  return Math.min(WIDEST, Math.max(NARROWEST, longest)) + 2;
}

function shownLength({ value, format }: Cell): number {
  return format === MONEY_FORMAT ? Number(value).toLocaleString('en').length + 3 : String(value).length;
}

/** @param name dotted */
function valueAt(row: object, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      row,
    );
}
