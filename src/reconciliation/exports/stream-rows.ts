/** The rows of an export as a stream of bytes, in each format, copied out of the database as they are read. */

import { Transform } from 'node:stream';
import type { CopySession } from '../../db/copy-out.ts';
import { csvCell, jsonRow } from './export-column.ts';
import type { ExportKind } from './export-kinds.ts';
import type { ExportSpec, ExportWindow } from './export-spec.ts';

export type ExportFormat = 'csv' | 'jsonl' | 'json';

export interface RowFormat {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** Rows that the caller has already; only for append-only kinds in CSV or JSON lines. */
  readonly skip: number;
  readonly delimiter?: string | undefined;
  readonly bom: boolean;
  readonly decimalComma: boolean;
  readonly timeZone?: string | undefined;
}

export interface RowStream {
  readonly body: Transform;
  /** How many bytes the reader of `body` has taken. */
  readonly takenBytes: () => number;
}

const UNQUOTED = `format csv, delimiter E'\\x01', quote E'\\x02'`;

export function streamRows(
  session: CopySession,
  request: RowFormat,
  spec: ExportSpec,
  window: ExportWindow,
  rows: number,
): RowStream {
  const from = spec.rows(window, request.skip);
  if (request.format === 'csv') {
    const delimiter = delimiterOf(request);
    const cells = spec.columns.map((one) => csvCell(one, request)).join(', ');
    const header = request.skip === 0 ? ', header' : '';
    // what came from outside is quoted, so that a spreadsheet that uses another separator does not split it
    const foreign = spec.columns.filter(({ type }) => type === 'text');
    const quoted = foreign.length === 0 ? '' : `, force_quote (${foreign.map(({ name }) => `"${name}"`).join(', ')})`;
    const source = session.copy(
      `select ${cells} from ${from}`,
      `format csv, delimiter ${session.literal(delimiter)}${header}${quoted}`,
    );
    return framed(source, ...frameOf(request));
  }
  const json = `${jsonRow(spec.columns)}::text`;
  if (request.format === 'jsonl') {
    return framed(session.copy(`select ${json} from ${from}`, UNQUOTED), ...frameOf(request));
  }
  const separated = `select ${json} || case when row_number() over () < ${rows} then ',' else '' end from ${from}`;
  return framed(session.copy(separated, UNQUOTED), ...frameOf(request));
}

export const delimiterOf = ({ delimiter, decimalComma }: RowFormat): string => delimiter ?? (decimalComma ? ';' : ',');

/** What is before the rows and after them. */
export function frameOf({ kind, format, bom, skip }: RowFormat): [head: string, tail: string] {
  switch (format) {
    case 'csv':
      return [bom && skip === 0 ? '\uFEFF' : '', ''];
    case 'json':
      return [`{"${kind}":[\n`, ']}\n'];
    default:
      return ['', ''];
  }
}

/** Bytes between a beginning and an end; destroyed together with its source. */
export function framed(
  source: NodeJS.ReadableStream & { destroy(error?: Error): void },
  head: string,
  tail: string,
): RowStream {
  let passed = 0;
  const body = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      passed += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      if (tail !== '') {
        this.push(tail);
      }
      done();
    },
    destroy(error, done) {
      source.destroy(error ?? undefined);
      done(error);
    },
  });
  if (head !== '') {
    body.push(head);
  }
  source.on('error', (error: Error) => body.destroy(error));
  source.pipe(body);
  return { body, takenBytes: () => passed - body.readableLength };
}
