/** A small export as an Excel workbook: amounts as numbers with two places, everything else as text; no cell is a formula. */
import { usage } from '../failure.ts';
import type { JsonRow, RowWriter } from './row-writer.ts';

/** A workbook is made in memory and opened by a person. */
const MAX_ROWS = 50_000;
const AMOUNT = /^-?\d{1,13}\.\d{2}$/;

type Cell = { value: string | number | boolean; type: unknown; format?: string } | null;

/** @throws Failure if there are too many rows */
export function createWorkbook(kind: string, rowCount: number): RowWriter {
  if (rowCount > MAX_ROWS) {
    throw usage(`${rowCount} rows are too many for a workbook; the limit is ${MAX_ROWS}.`, 'Use --format csv.');
  }
  const rows: JsonRow[] = [];
  return {
    add(row) {
      rows.push(row);
      return undefined;
    },
    end: () => makeWorkbook(kind, rows),
  };
}

/** @param rows objects of the JSON export; nested fields become dotted columns. */
async function makeWorkbook(sheet: string, rows: readonly object[]): Promise<Uint8Array> {
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const flat = rows.map((row) => flatten(row));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const header = names.map((name) => ({ value: name, type: String, fontWeight: 'bold' as const }));
  const body = flat.map((row) => names.map((name) => cellOf(row.get(name))));
  return writeExcelFile([header, ...body] as never, { sheet, stickyRowsCount: 1 }).toBuffer();
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) {
    return null;
  }
  if (typeof value === 'string' && AMOUNT.test(value)) {
    return { value: Number(value), type: Number, format: '0.00' };
  }
  if (typeof value === 'number') {
    return { value, type: Number };
  }
  if (typeof value === 'boolean') {
    return { value, type: Boolean };
  }
  return { value: typeof value === 'string' ? value : JSON.stringify(value), type: String };
}

function flatten(row: object, head = ''): Map<string, unknown> {
  const flat = new Map<string, unknown>();
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [inner, part] of flatten(value, `${head}${name}.`)) {
        flat.set(inner, part);
      }
    } else {
      flat.set(`${head}${name}`, value);
    }
  }
  return flat;
}
