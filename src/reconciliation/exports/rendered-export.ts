/**
 * Exports whose rows are rendered from rows that are only ever appended, those of the journal and the settlements: their
 * columns, and a stored row as lines of CSV or JSON. A window of sequences holds the same rows whenever they are read, so
 * these exports need no snapshot. It knows no kind of export. Pure.
 */
import { journalColumns } from '../../ledger/journal.ts';
import type { JournalKind, JournalRow } from '../../ledger/journal-row.ts';
import { MICRO_SCALE, shortDecimal } from '../../money/decimal.ts';
import { formatMinor } from '../../money/usd.ts';
import type { ExportColumnName } from '../../wire/reconciliation.ts';
import type { CsvDialect, ExportWindow, Totalled } from './sql-export.ts';

/** A column: a value of a row that is written as a CSV cell and as a JSON value. */
export interface RenderedColumn<Row> {
  /** The field of the API, with dots. */
  readonly name: string;
  /** As in `ExportColumn`: `word` is ours and needs no escaping, `text` came from outside, `money` is text with two places. */
  readonly type: 'word' | 'text' | 'cents' | 'money' | 'micros' | 'integer' | 'boolean' | 'time';
  /** Cents and millionths are bigint, a time is a Date; null is an empty cell. */
  value(row: Row): string | number | bigint | boolean | Date | null;
}

/** A stored row, which is never changed. */
export interface Stored {
  readonly sequence: bigint;
}

interface RenderedSpec<Source extends Stored, Row> extends Totalled {
  /** The query of the stored rows of a window, without an order. */
  stored(window: ExportWindow): string;
  readonly columns: readonly RenderedColumn<Row>[];
  /** The rows of a stored row, in order. The epoch is that of the books. */
  rowsOf(row: Source, epoch: number): readonly Row[];
  /** Writes a row as JSON; by default as an object of its columns. */
  readonly json?: (row: Row) => string;
}

export interface DelimitedDialect extends CsvDialect {
  readonly delimiter: string;
}

export interface RenderedExport extends Totalled {
  readonly columns: readonly ExportColumnName[];
  /** The query of the stored rows of a window, without an order. */
  stored(window: ExportWindow): string;
  /**
   * @param csv null writes JSON
   * @returns a function that writes the lines of a stored row, without line breaks
   */
  writer(csv: DelimitedDialect | null, epoch: number): (row: Stored) => string[];
}

export function renderedExport<Source extends Stored, Row>(spec: RenderedSpec<Source, Row>): RenderedExport {
  const { columns, json = jsonLine(columns) } = spec;
  return {
    ...spec,
    columns: columns.map(describeRendered),
    writer: (csv, epoch) => {
      const write = csv === null ? json : csvLine(columns, csv, csv.delimiter);
      return (row) => spec.rowsOf(row as Source, epoch).map(write);
    },
  };
}

/**
 * The query of journal rows.
 * @param kinds the kinds that are read; by default all
 * @param fields the fields that are read; by default all
 */
export const fromJournal =
  (kinds?: readonly JournalKind[], fields?: readonly (keyof JournalRow)[]) =>
  (window: ExportWindow): string =>
    `select ${journalColumns(fields)} from ${journalWithin(window, kinds)}`;

/** Journal rows of a window, which begins and ends between rows, and of some kinds. */
export const journalWithin = ({ operator, after, through }: ExportWindow, kinds?: readonly JournalKind[]): string =>
  `journal where operator_id = ${operator} and sequence > ${after} and sequence <= ${through}${
    kinds === undefined ? '' : ` and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`
  }`;

/** The name and type of a column for the readers of the export. */
function describeRendered({ name, type }: Omit<RenderedColumn<never>, 'value'>): ExportColumnName {
  return { name, type: type === 'word' ? 'text' : type === 'money' ? 'cents' : type };
}

type Write<Row> = (row: Row) => string;

const SPECIAL = /["\r\n]/;

/** @returns a function that writes a row as COPY would: text from outside is always quoted, other cells only if necessary */
function csvLine<Row>(columns: readonly RenderedColumn<Row>[], dialect: CsvDialect, delimiter: string): Write<Row> {
  const cells = columns.map(({ type, value }): Write<Row> => {
    const write = cellOf(type, dialect);
    // rows of one journal row share most of their values
    let last: Value | null = null;
    let lastText = '';
    return (row) => {
      const cell = value(row);
      if (cell !== last) {
        last = cell;
        lastText = cell === null ? '' : quoted(write(cell), type === 'text', delimiter);
      }
      return lastText;
    };
  });
  return (row) => {
    let line = '';
    for (const cell of cells) {
      line += delimiter + cell(row);
    }
    return line.slice(delimiter.length);
  };
}

function quoted(text: string, always: boolean, delimiter: string): string {
  const must = always || text === '' || SPECIAL.test(text) || text.includes(delimiter);
  return must ? `"${text.replaceAll('"', '""')}"` : text;
}

type Value = Exclude<ReturnType<RenderedColumn<never>['value']>, null>;

function cellOf(type: RenderedColumn<never>['type'], { decimalComma, timeZone }: CsvDialect): (value: Value) => string {
  const decimal = (text: string) => (decimalComma ? text.replace('.', ',') : text);
  switch (type) {
    case 'text':
      return (value) => escapeFormula(String(value));
    case 'cents':
      return (value) => decimal(formatMinor(value as bigint));
    case 'micros':
      return (value) => decimal(shortDecimal(value as bigint, MICRO_SCALE));
    case 'time':
      return timeZone === undefined ? (value) => (value as Date).toISOString() : onClockOf(timeZone);
    default:
      return String;
  }
}

/** The local time in that zone without an offset, which spreadsheets read as a date. */
function onClockOf(timeZone: string): (time: Value) => string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (time) => clock.format(time as Date);
}

const FORMULA = /(^|[,;|\t\r\n])([=+@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20-])/g;
const DECIMAL = /^-?[0-9]+(\.[0-9]+)?$/;

/** The same as the function `escape_formula` of the database, whose comment gives the reason. */
function escapeFormula(text: string): string {
  return text.search(FORMULA) < 0 || DECIMAL.test(text) ? text : text.replace(FORMULA, "$1'$2");
}

/** @returns a function that writes a row as a JSON object of its columns, nested by their dots, with PostgreSQL's spacing */
function jsonLine<Row>(columns: readonly RenderedColumn<Row>[]): Write<Row> {
  const groupOf = (place: number) => /^(.*)\./.exec(columns[place]?.name ?? '')?.[1];
  const members = columns.map(({ name, type, value }, place): Write<Row> => {
    const group = groupOf(place);
    const opening = group !== undefined && groupOf(place - 1) !== group ? `"${group}" : {` : '';
    const closing = group !== undefined && groupOf(place + 1) !== group ? '}' : '';
    const key = `${opening}"${group === undefined ? name : name.slice(group.length + 1)}" : `;
    return (row) => `${key}${jsonValue(type, value(row))}${closing}`;
  });
  return (row) => `{${members.map((member) => member(row)).join(', ')}}`;
}

function jsonValue(type: RenderedColumn<never>['type'], value: Value | null): string {
  if (typeof value !== 'bigint') {
    return JSON.stringify(value);
  }
  switch (type) {
    case 'cents':
      return `"${formatMinor(value)}"`;
    case 'micros':
      return shortDecimal(value, MICRO_SCALE);
    default:
      return `${value}`;
  }
}

/** Nested JSON with PostgreSQL's spacing. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(spacedJson).join(', ')}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)} : ${spacedJson(member)}`).join(', ')}}`;
}
