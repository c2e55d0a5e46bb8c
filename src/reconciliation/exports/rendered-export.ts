/** An export whose rows are rendered from rows of the journal: its columns, and a journal row as the lines that it makes. Knows no kind. */
import type { JournalKind, JournalRow } from '../../wire/journal.ts';
import type { ExportColumnName } from '../../wire/reconciliation.ts';
import type { CsvDialect } from './export-column.ts';
import type { ExportWindow, Totalled } from './export-spec.ts';
import { csvLine, describeRendered, jsonLine, type RenderedColumn } from './rendered-column.ts';

export interface RenderedSpec<Row> extends Totalled {
  /** The kinds of journal rows that are read; left out, all of them. */
  readonly kinds?: readonly JournalKind[];
  /** What is read of them; left out, all of it. */
  readonly fields?: readonly (keyof JournalRow)[];
  readonly columns: readonly RenderedColumn<Row>[];
  /** The rows of a journal row, in order. The epoch is that of the books. */
  rowsOf(row: JournalRow, epoch: number): readonly Row[];
  /** A row as JSON; left out, an object of its columns. */
  readonly json?: (row: Row) => string;
}

export interface DelimitedDialect extends CsvDialect {
  readonly delimiter: string;
}

export interface RenderedExport extends Totalled {
  readonly appendOnly: true;
  readonly columns: readonly ExportColumnName[];
  readonly fields: readonly (keyof JournalRow)[] | undefined;
  /** The journal rows of the window, as a `from` clause. */
  rendered(window: ExportWindow): string;
  /** @param csv null writes JSON. @returns what writes the lines of a journal row, without their ends */
  writer(csv: DelimitedDialect | null, epoch: number): (row: JournalRow) => string[];
}

export function renderedExport<Row>(spec: RenderedSpec<Row>): RenderedExport {
  const { totals, totalled, counted, kinds, fields, columns, json = jsonLine(columns) } = spec;
  return {
    appendOnly: true,
    columns: columns.map(describeRendered),
    fields,
    totals,
    totalled,
    ...(counted === undefined ? {} : { counted }),
    rendered: (window) => journalWithin(window, kinds),
    writer: (csv, epoch) => {
      const write = csv === null ? json : csvLine(columns, csv, csv.delimiter);
      return (row) => spec.rowsOf(row, epoch).map(write);
    },
  };
}

/** Journal rows of a window, which begins and ends between rows, and of some kinds. */
export const journalWithin = ({ operator, after, through }: ExportWindow, kinds?: readonly JournalKind[]): string =>
  `journal where operator_id = ${operator} and sequence > ${after} and sequence <= ${through}${
    kinds === undefined ? '' : ` and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`
  }`;
