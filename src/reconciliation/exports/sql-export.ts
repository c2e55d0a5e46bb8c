/**
 * Exports whose rows the database writes: their window, columns and totals as SQL text, and each column as a CSV cell and
 * as a JSON value. It knows no kind of export and reads nothing.
 */
import type { ExportColumnName } from '../../wire/reconciliation.ts';

/** Literals of the window, quoted: the operator, feed positions after and up to, times from and to. */
export interface ExportWindow {
  readonly operator: string;
  readonly after: string;
  readonly through: string;
  readonly from: string;
  readonly to: string;
}

/** The totals of an export, which are read before its first row. */
export interface Totalled {
  /** Sums over all rows of `totalled`, in cents. */
  readonly totals: Readonly<Record<string, string>>;
  totalled(window: ExportWindow): string;
  /** The number of rows as SQL, if the rows of `totalled` are not those of the export. */
  readonly counted?: string;
}

/** An export that the database writes row by row, because its rows may change. */
export interface ExportSpec extends Totalled {
  readonly columns: readonly ExportColumn[];
  /** `from` clause of rows `x` in their order. */
  rows(window: ExportWindow): string;
}

/** A column: one SQL expression. */
export interface ExportColumn {
  /** The field of the API, with dots. */
  readonly name: string;
  /**
   * The type of the expression: `word` is ours and needs no escaping; `text` came from outside; `cents` is printed with two
   * places; `micros` are millionths; `day` is the text of a date.
   */
  readonly type: 'word' | 'text' | 'cents' | 'micros' | 'integer' | 'boolean' | 'time' | 'day';
  readonly sql: string;
}

export const column = (name: string, type: ExportColumn['type'], sql: string): ExportColumn => ({ name, type, sql });

/** The name and type of a column for the readers of the export. */
export function describeColumn({ name, type }: ExportColumn): ExportColumnName {
  switch (type) {
    case 'word':
    case 'text':
      return { name, type: 'text' };
    case 'day':
      return { name, type: 'date' };
    default:
      return { name, type };
  }
}

/** The local conventions of a spreadsheet for numbers and times. */
export interface CsvDialect {
  readonly decimalComma: boolean;
  /** IANA name, checked before; undefined writes ISO-8601 in UTC. */
  readonly timeZone?: string | undefined;
}

/** The column as a CSV cell. A cell never starts a formula; a strict decimal is not one. */
export function csvCell({ name, type, sql }: ExportColumn, dialect: CsvDialect): string {
  return `${cellOf(type, sql, dialect)} as "${name}"`;
}

function cellOf(type: ExportColumn['type'], sql: string, { decimalComma, timeZone }: CsvDialect): string {
  const decimal = (text: string) => (decimalComma ? `replace((${text})::text, '.', ',')` : text);
  switch (type) {
    case 'text':
      return `escape_formula(${sql})`;
    case 'cents':
      // a product with 0.01 carries two places and prints them
      return decimal(`(${sql}) * 0.01`);
    case 'micros':
      return decimal(`micro_number(${sql})`);
    case 'time':
      return timeZone === undefined ? isoTime(sql) : localTime(sql, timeZone);
    case 'boolean':
      return `case ${sql} when true then 'true' when false then 'false' end`;
    default:
      return sql;
  }
}

/** All columns as one JSON object, nested by their dots. An object all of whose parts are null is null. */
export function jsonRow(columns: readonly ExportColumn[]): string {
  const parts: string[] = [];
  for (const group of groupByHead(columns)) {
    const [first] = group.columns;
    if (group.nested) {
      const inner = jsonRow(group.columns);
      const empty = group.columns.map((one) => `(${one.sql}) is null`).join(' and ');
      parts.push(`'${group.head}', case when ${empty} then null else ${inner} end`);
    } else if (first !== undefined) {
      parts.push(`'${group.head}', ${jsonValue(first)}`);
    }
  }
  return `json_build_object(${parts.join(', ')})`;
}

function jsonValue({ type, sql }: ExportColumn): string {
  switch (type) {
    case 'cents':
      return `((${sql}) * 0.01)::text`;
    case 'micros':
      return `micro_number(${sql})`;
    case 'time':
      return isoTime(sql);
    default:
      return sql;
  }
}

/** The local time in that zone without an offset, which spreadsheets read as a date. */
const localTime = (sql: string, timeZone: string) =>
  `to_char((${sql})::timestamptz at time zone '${timeZone}', 'YYYY-MM-DD HH24:MI:SS')`;

const isoTime = (sql: string) => `to_char((${sql}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function groupByHead(columns: readonly ExportColumn[]) {
  const groups: { head: string; nested: boolean; columns: ExportColumn[] }[] = [];
  for (const one of columns) {
    const [head = '', ...rest] = one.name.split('.');
    const nested = rest.length > 0;
    const last = groups.at(-1);
    const inner = nested ? { ...one, name: rest.join('.') } : one;
    if (last?.head === head && nested) {
      last.columns.push(inner);
    } else {
      groups.push({ head, nested, columns: [inner] });
    }
  }
  return groups;
}

/** The rows of a table that have a position of the feed within the window. */
export const within = (table: string, { operator, after, through }: ExportWindow, position = 'position') =>
  `${table} where operator_id = ${operator} and ${position} > ${after} and ${position} <= ${through}`;

/**
 * Orders by the feed position of their creation. Their own time is read before the statement waits for the operator's
 * counter, so a window by it would not be closed; positions are assigned in commit order.
 */
export const recordedOrders = (window: ExportWindow) =>
  `orders where operator_id = ${window.operator} and order_id in (
    select order_id from ${within('journal', window, 'sequence')} and kind in ('order_executed', 'order_recorded'))`;

/** Positions by the feed position of the fill that opened them, which was recorded at the moment of their opening. */
export const openedPositions = (window: ExportWindow) =>
  `positions where operator_id = ${window.operator} and position_id in (
    select p.position_id
    from (select position_id, decided_at
        from ${within('journal', window, 'sequence')} and kind in ('order_executed', 'order_filled') and quantity > 0) r
      join positions p on p.operator_id = ${window.operator} and p.position_id = r.position_id and p.opened_at = r.decided_at)`;
