/**
 * The parts of an export: the query of its stored rows in a window, its columns and totals, and a stored row as lines of CSV or JSON. It is
 * the same for all kinds of export. Pure.
 */
import { journalColumns } from '../../ledger/journal.ts';
import type { JournalKind, JournalRow } from '../../ledger/journal-row.ts';
import { MICRO_SCALE, shortDecimal } from '../../money/decimal.ts';
import { formatMinor } from '../../money/usd.ts';
import type { ExportColumnName } from '../../wire/reconciliation.ts';

/** Literals of the window, quoted: the operator, feed positions after and up to, times from and to. */
export interface ExportWindow {
  readonly operator: string;
  readonly after: string;
  readonly through: string;
  readonly from: string;
  readonly to: string;
}

/** A column: a value of a row that is written as a CSV cell and as a JSON value. */
export interface ExportColumn<Row> {
  /** The field of the API, with at most one dot. */
  readonly name: string;
  /**
   * `word` is ours and needs no escaping; `text` came from outside; `cents` have two places and `micros` six; `money` has two
   * and always a point; `day` is the text of a date.
   */
  readonly type: 'word' | 'text' | 'cents' | 'money' | 'micros' | 'integer' | 'boolean' | 'time' | 'day';
  /** Cents and millionths are bigint, or the API's own types; a time is a Date; null is an empty cell. */
  value(row: Row): Value | null;
}

type Value = string | number | bigint | boolean | Date;

/** The totals of an export, which are read before its first row. */
interface Totalled {
  /** Sums over all rows of `totalled`, in cents. */
  readonly totals: Readonly<Record<string, string>>;
  totalled(window: ExportWindow): string;
  /** The number of rows as SQL, if the rows of `totalled` are not those of the export. */
  readonly counted?: string;
}

interface Definition<Stored, Row> extends Totalled {
  /**
   * Whether stored rows are only ever appended. Then a window of sequences holds the same rows whenever it is read, so the
   * export needs no snapshot and can be continued.
   */
  readonly appendOnly: boolean;
  /** The query of the stored rows of a window: without an order if they have a sequence and are only appended. */
  stored(window: ExportWindow): string;
  readonly columns: readonly ExportColumn<Row>[];
  /** The rows of a stored row, in order. The epoch is that of the books. */
  rowsOf(row: Stored, epoch: number): readonly Row[];
  /** Writes a row as JSON; by default as an object of its columns. */
  readonly json?: (row: Row) => string;
}

/** The local conventions of a spreadsheet. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly decimalComma: boolean;
  /** IANA name, checked before; undefined writes ISO-8601 in UTC. */
  readonly timeZone?: string | undefined;
}

export interface Export extends Totalled {
  readonly appendOnly: boolean;
  stored(window: ExportWindow): string;
  readonly columns: readonly ExportColumnName[];
  /**
   * @param csv null writes JSON
   * @returns a function that writes the lines of a stored row, without line breaks
   */
  writer(csv: CsvDialect | null, epoch: number): (row: unknown) => string[];
}

export function defineExport<Stored, Row>(definition: Definition<Stored, Row>): Export {
  const { columns, json = jsonLine(columns) } = definition;
  return {
    ...definition,
    columns: columns.map(describeColumn),
    writer: (csv, epoch) => {
      const write = csv === null ? json : csvLine(columns, csv);
      return (row) => definition.rowsOf(row as Stored, epoch).map(write);
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
export const journalWithin = (
  { operator, after, through }: ExportWindow,
  kinds?: readonly JournalKind[],
  table = 'journal',
): string =>
  `${table} where operator_id = ${operator} and sequence > ${after} and sequence <= ${through}${
    kinds === undefined ? '' : ` and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`
  }`;

/** The name and type of a column for the readers of the export. */
function describeColumn({ name, type }: Omit<ExportColumn<never>, 'value'>): ExportColumnName {
  switch (type) {
    case 'word':
      return { name, type: 'text' };
    case 'money':
      return { name, type: 'cents' };
    case 'day':
      return { name, type: 'date' };
    default:
      return { name, type };
  }
}

type Write<Row> = (row: Row) => string;

/** @returns a function that writes a row: text from outside is always quoted, because a spreadsheet may use another separator */
function csvLine<Row>(columns: readonly ExportColumn<Row>[], dialect: CsvDialect): Write<Row> {
  const { delimiter } = dialect;
  const cells = columns.map(({ type, value }): Write<Row> => {
    const write = cellOf(type, dialect);
    // The rows of one journal row share most of their values.
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

const SPECIAL = /["\r\n]/;

function quoted(text: string, always: boolean, delimiter: string): string {
  const must = always || text === '' || SPECIAL.test(text) || text.includes(delimiter);
  return must ? `"${text.replaceAll('"', '""')}"` : text;
}

function cellOf(type: ExportColumn<never>['type'], { decimalComma, timeZone }: CsvDialect): (value: Value) => string {
  const decimal = (text: string) => (decimalComma ? text.replace('.', ',') : text);
  switch (type) {
    case 'text':
      return (value) => escapeFormula(String(value));
    case 'cents':
      return (value) => decimal(typeof value === 'bigint' ? formatMinor(value) : String(value));
    case 'micros':
      // A number of the API may be a JSON literal with more digits than a double carries.
      return (value) => decimal(typeof value === 'bigint' ? shortDecimal(value, MICRO_SCALE) : JSON.stringify(value));
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

/**
 * Escapes text that starts like a formula, because a spreadsheet would run it. A signed decimal is not a formula and stays unchanged. A
 * spreadsheet may use another separator than the file, so text after a separator inside a cell counts as a start too.
 */
function escapeFormula(text: string): string {
  return text.search(FORMULA) < 0 || DECIMAL.test(text) ? text : text.replace(FORMULA, "$1'$2");
}

/** @returns a function that writes a row as an object of its columns, nested by their dots; an object whose parts are all null is null */
function jsonLine<Row>(columns: readonly ExportColumn<Row>[]): Write<Row> {
  const groups = Map.groupBy(columns, ({ name }) => name.split('.')[0] ?? '');
  const members = [...groups].map(([head, group]): Write<Row> => {
    const [first] = group;
    if (first?.name === head) {
      return (row) => `"${head}":${jsonValue(first.type, first.value(row))}`;
    }
    const fields = group.map(({ name, type, value }) => ({ key: `"${name.slice(head.length + 1)}":`, type, value }));
    return (row) => {
      const values = fields.map(({ value }) => value(row));
      const inside = fields.map(({ key, type }, place) => key + jsonValue(type, values[place] ?? null)).join(',');
      return `"${head}":${values.every((value) => value === null) ? 'null' : `{${inside}}`}`;
    };
  });
  return (row) => `{${members.map((member) => member(row)).join(',')}}`;
}

function jsonValue(type: ExportColumn<never>['type'], value: Value | null): string {
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
