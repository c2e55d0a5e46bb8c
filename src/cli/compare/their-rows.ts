/** Reads an operator's own CSV under our names of columns. A cell that cannot be read is refused with its row and column. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { notFound, usage } from '../failure.ts';
import { isAdded, type Row, readAmount } from './compare-records.ts';

interface TheirRow {
  /** Last line of the row in the file; the header is line 1. */
  readonly line: number;
  readonly cells: Row;
}

export interface Theirs {
  readonly file: string;
  /** Names of the columns: ours if the column is mapped, otherwise theirs. */
  readonly columns: ReadonlySet<string>;
  readonly rows: readonly TheirRow[];
  /** @returns the name of our column in their file */
  nameOf(column: string): string;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** An XLSX file is a ZIP archive. */
const ZIP = 'PK\u0003\u0004';
const HEAD_BYTES = 64 * 1024;

/**
 * @param pairs `YOURS=OURS`
 * @param delimiter by default the most frequent one of the header
 * @throws Failure not found, exit 3; an unreadable file or a missing column, exit 2
 */
export async function readTheirRows(file: string, pairs: readonly string[], delimiter?: string): Promise<Theirs> {
  const ours = readPairs(pairs);
  const yours = new Map([...ours].map(([name, column]) => [column, name]));
  const yoursOf = (column: string) => yours.get(column) ?? column;
  const head = await readHead(file);
  if (head.startsWith(ZIP)) {
    throw usage(`${file} is a workbook, not CSV.`, 'Save it as CSV in your spreadsheet, or export with --format csv.');
  }
  let header: readonly string[] = [];
  const parser = parse({
    bom: true,
    delimiter: delimiter ?? delimiterOf(head),
    skip_empty_lines: true,
    info: true,
    columns: (names: string[]) => {
      header = names.map((name) => name.trim());
      return header.map((name) => ours.get(name) ?? name);
    },
  });
  const source = createReadStream(file);
  source.on('error', (error) => parser.destroy(error));
  const rows: TheirRow[] = [];
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<{
      record: Row;
      info: { lines: number };
    }>) {
      rows.push({ line: info.lines, cells: record });
    }
  } catch (error) {
    throw unreadable(file, error, header, yoursOf);
  }
  if (header.length === 0) {
    throw usage(`${file} is empty; the first line must name the columns.`);
  }
  for (const name of ours.keys()) {
    if (!header.includes(name)) {
      throw usage(`${file} has no column "${name}" to map; it has ${header.join(', ')}.`);
    }
  }
  const columns = header.map((name) => ours.get(name) ?? name);
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) {
    throw usage(`${file} has two columns for ${twice}.`, 'Remove one, or map it to another name.');
  }
  return { file, columns: new Set(columns), rows, nameOf: yoursOf };
}

/**
 * Completes names of columns that are only the last part of ours, for example `actualDebit` of `operatorMoney.actualDebit`. A last
 * part that several of our columns share stays as it is.
 * @param header the names of our columns
 */
export function withFullNames(theirs: Theirs, header: readonly string[]): Theirs {
  const full = new Map<string, string>();
  for (const name of theirs.columns) {
    const [column, ...others] = header.filter((one) => one.endsWith(`.${name}`) && !theirs.columns.has(one));
    if (!header.includes(name) && column !== undefined && others.length === 0) {
      full.set(name, column);
    }
  }
  const short = new Map([...full].map(([name, column]) => [column, name]));
  const rename = (name: string) => full.get(name) ?? name;
  return {
    ...theirs,
    columns: new Set([...theirs.columns].map(rename)),
    rows: theirs.rows.map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(Object.entries(cells).map(([name, cell]) => [rename(name), cell])),
    })),
    nameOf: (column) => theirs.nameOf(short.get(column) ?? column),
  };
}

/** @throws Failure exit 2 at the first cell of an amount column that is not an amount */
export function checkAmounts(theirs: Theirs, columns: readonly string[]): void {
  for (const { line, cells } of theirs.rows) {
    const column = columns.find((name) => isAdded(name) && readAmount(cells[name] ?? '') === undefined);
    if (column !== undefined) {
      const place = `row ${line}, column "${theirs.nameOf(column)}"`;
      throw usage(`${theirs.file}: ${place}: "${cells[column]}" is not an amount of dollars and cents.`);
    }
  }
}

function readPairs(pairs: readonly string[]): Map<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1 || at === pair.length - 1) {
        throw usage(`--map ${pair} is not YOURS=OURS.`);
      }
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
}

async function readHead(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const isUtf16 = buffer[0] === 0xff && buffer[1] === 0xfe;
      return buffer.toString(isUtf16 ? 'utf16le' : 'utf8', 0, bytesRead).split(/\r?\n/)[0] ?? '';
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw notFound(`There is no file ${file}.`, 'file_not_found');
    }
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function delimiterOf(head: string): string {
  const count = (delimiter: string) => head.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

function unreadable(
  file: string,
  error: unknown,
  header: readonly string[],
  yoursOf: (column: string) => string,
): Error {
  if (!(error instanceof CsvError)) {
    return usage(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const { code } = error;
  const line = Number(error['lines']);
  const at = typeof error['column'] === 'number' ? header[error['column']] : error['column'];
  const place = `row ${line}${typeof at === 'string' ? `, column "${yoursOf(at)}"` : ''}`;
  if (code === 'CSV_RECORD_INCONSISTENT_COLUMNS' || code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') {
    const cells = (error['record'] as readonly unknown[] | undefined)?.length ?? 0;
    const place = `row ${line}, column ${cells > header.length ? header.length + 1 : `"${header[cells] ?? cells + 1}"`}`;
    return usage(`${file}: ${place}: it has ${cells} cells where the header has ${header.length} columns.`);
  }
  const why = code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is never closed' : 'a quote is not allowed here';
  return usage(`${file}: ${place}: ${/QUOTE/.test(code) ? why : error.message}.`);
}
