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

/** What an export says of all its rows before the first one. */
export interface Totalled {
  /** Sums over all rows, cents; read from `totalled`. */
  readonly totals: Readonly<Record<string, string>>;
  totalled(window: ExportWindow): string;
  /** How many rows there are, where one of `totalled` is not one of the export. */
  readonly counted?: string;
}

/** An export that the database writes row by row. */
export interface ExportSpec extends Totalled {
  /** Rows are only ever appended, so that an interrupted export can be continued. */
  readonly appendOnly: boolean;
  readonly columns: readonly ExportColumn[];
  /** `from` clause of rows `x` in their order, without the first `skip`. */
  rows(window: ExportWindow, skip: number): string;
}

/** Rows of a table that carry a position of the feed. */
export const within = (table: string, { operator, after, through }: ExportWindow, position = 'position') =>
  `${table} where operator_id = ${operator} and ${position} > ${after} and ${position} <= ${through}`;

/**
 * Orders by the feed position of their creation. Their own time is read before the statement waits for the operator's counter,
 * so a window by it would not be closed; positions are given out in commit order.
 */
export const recordedOrders = (window: ExportWindow) =>
  `orders where operator_id = ${window.operator} and order_id in (
    select order_id from ${within('journal', window, 'sequence')} and kind in ('order_executed', 'order_recorded'))`;

/** Positions by the feed position of the fill that opened them: the one recorded at the moment of their opening. */
export const openedPositions = (window: ExportWindow) =>
  `positions where operator_id = ${window.operator} and position_id in (
    select p.position_id
    from (select order_id, position_id, 'fil_' || coalesce(replace(digits::text, '-', ''), substr(order_id, 5)) as fill_id
        from ${within('journal', window, 'sequence')} and kind in ('order_executed', 'order_filled') and quantity > 0) r
      join fills f on f.operator_id = ${window.operator} and f.order_id = r.order_id and f.fill_id = r.fill_id
      join positions p on p.operator_id = ${window.operator} and p.position_id = r.position_id and p.opened_at = f.filled_at)`;
