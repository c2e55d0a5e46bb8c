/**
 * Opens an export: a window that is closed at both ends and never changes, its row count and totals, and the rows as a
 * stream of bytes in each format. Rows are read in pages and rendered in slices, so that other tenants do not wait for them.
 * Rows that may change are of the same snapshot as their totals; rows that are only ever appended need no snapshot.
 */
import { type Readable, Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuse } from '../../core/errors.ts';
import { readMomentParameter } from '../../core/moment.ts';
import type { RevenueBy } from '../../core/terms.ts';
import { openReadSession, type ReadSession } from '../../db/read-session.ts';
import { formatMinor } from '../../money/usd.ts';
import type { ExportColumnName } from '../../wire/reconciliation.ts';
import { feed, fees } from './export-items.ts';
import type { Export, ExportWindow } from './export-spec.ts';
import { ledger, orders, positions, settlements } from './registers.ts';
import { revenueBy, statement } from './statements.ts';

type ExportKind = keyof typeof REGISTERS | 'revenue';

type ExportFormat = 'csv' | 'jsonl' | 'json';

interface RowFormat {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** The number of rows that the caller already has; only for append-only kinds in CSV or JSON lines. */
  readonly skip: number;
  readonly delimiter?: string | undefined;
  readonly bom: boolean;
  readonly decimalComma: boolean;
  readonly timeZone?: string | undefined;
}

export interface ExportRequest extends RowFormat {
  /** Only for a revenue statement; by default `day`. */
  readonly by?: RevenueBy | undefined;
  /** ISO-8601, inclusive and exclusive, by the time recorded. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ExportSummary {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** The window that was read: `to` is never later than the start of the export, or the last row if that is later. */
  readonly from: string | null;
  readonly to: string;
  readonly appendOnly: boolean;
  /** The number of rows of the whole window, skipped ones included. */
  readonly rows: number;
  /** The window as sequences of the feed: after the first one, up to the second. 0 is before the first item. */
  readonly sequences: { readonly after: number; readonly through: number };
  readonly totals: Readonly<Record<string, string>>;
}

interface RowStream {
  readonly body: Transform;
  /** How many bytes the reader of `body` has taken. */
  readonly takenBytes: () => number;
}

export interface OpenedExport extends RowStream {
  readonly summary: ExportSummary;
  readonly columns: readonly ExportColumnName[];
}

/**
 * @param databaseUrl address of the database to read
 * @throws invalid_date, invalid_request
 */
export async function openExport(
  databaseUrl: string,
  operatorId: string,
  request: ExportRequest,
): Promise<OpenedExport> {
  if (request.by !== undefined && request.kind !== 'revenue') {
    throw refuse('invalid_request', 'Only revenue can be grouped by day, customer or market.');
  }
  const spec = exportSpec(request.kind, request.by ?? 'day', request.timeZone);
  const { appendOnly, columns } = spec;
  const from = readMomentParameter('from', request.from) ?? null;
  const to = readMomentParameter('to', request.to) ?? null;
  if (request.skip > 0 && (!appendOnly || request.format === 'json')) {
    throw refuse('invalid_request', 'Only append-only kinds in csv or jsonl can be continued.');
  }
  // By the database's clock, because rows are recorded by it. A statement that read it before now holds the operator's ledger
  // until its commit. Once the ledger was free for a moment, all rows recorded before now are visible, and the window never
  // changes again. Rows that were recorded ahead of the clock are in it as well.
  const session = await openReadSession(databaseUrl, operatorId, [
    {
      text: 'select next_recorded_at(clock_timestamp(), recorded_at) as now from operator_ledgers where operator_id = $1 for share',
      values: [operatorId],
    },
  ]);
  try {
    const started = new Date(session.before[0]?.['now'] ?? Number.NaN);
    const end = to === null || to > started ? started : to;
    const { window, sequences } = await readWindow(session, operatorId, from, end);
    const { rows, totals } = await readTotals(session, spec, window);
    const summary: ExportSummary = {
      kind: request.kind,
      format: request.format,
      from: from?.toISOString() ?? null,
      to: end.toISOString(),
      appendOnly,
      rows,
      sequences,
      totals,
    };
    return { summary, columns, ...(await streamRows(session, request, spec, window, rows)) };
  } catch (error) {
    await session.close();
    throw error;
  }
}

const REGISTERS = { feed, orders, settlements, positions, ledger, fees, statement };

/**
 * @param by the grouping of a revenue statement; other kinds ignore it
 * @param timeZone the time zone of the days of a revenue statement
 */
export function exportSpec(kind: ExportKind, by: RevenueBy, timeZone?: string): Export {
  return kind === 'revenue' ? revenueBy(by, timeZone) : REGISTERS[kind];
}

async function readWindow(
  session: ReadSession,
  operatorId: string,
  from: Date | null,
  to: Date,
): Promise<{ window: ExportWindow; sequences: ExportSummary['sequences'] }> {
  const operator = session.literal(operatorId);
  const fromText = from === null ? `'-infinity'::timestamptz` : `${session.literal(from.toISOString())}::timestamptz`;
  const toText = `${session.literal(to.toISOString())}::timestamptz`;
  const [bounds] = await session.query(
    `select feed_position_at(${operator}, ${fromText}) as after, feed_position_at(${operator}, ${toText}) as through`,
  );
  const sequences = { after: Number(bounds?.['after'] ?? 0), through: Number(bounds?.['through'] ?? 0) };
  const window = {
    operator,
    after: `${sequences.after}::bigint`,
    through: `${sequences.through}::bigint`,
    from: fromText,
    to: toText,
  };
  return { window, sequences };
}

async function readTotals(
  session: ReadSession,
  { totals, totalled, counted = 'count(*)' }: Export,
  window: ExportWindow,
) {
  const sums = Object.entries(totals).map(([name, sql]) => `, coalesce(${sql}, 0)::bigint as "${name}"`);
  const [row] = await session.query(`select ${counted} as rows${sums.join('')} from ${totalled(window)}`);
  const { rows, ...found } = row ?? {};
  return {
    rows: Number(rows ?? 0),
    totals: Object.fromEntries(Object.entries(found).map(([name, minor]) => [name, formatMinor(BigInt(minor ?? '0'))])),
  };
}

/** Stored rows of a page: few enough to bound the memory of an export, and many enough to be worth a round trip. */
const PAGE = 400;
/** Stored rows that are rendered in one turn of the event loop, which all tenants share. */
const SLICE = 50;

/**
 * The rows of an export as a stream of bytes: pages of stored rows, each written while the next one is read.
 * @param total the number of rows of the window, skipped ones included
 */
async function streamRows(
  session: ReadSession,
  request: RowFormat,
  spec: Export,
  window: ExportWindow,
  total: number,
): Promise<RowStream> {
  const [books] = await session.query('select epoch from books');
  const readPage = await (spec.appendOnly ? pagesOfSequence : pagesOfSnapshot)(session, spec, window);
  const delimiter = request.delimiter ?? (request.decimalComma ? ';' : ',');
  const linesOf = spec.writer(request.format === 'csv' ? { ...request, delimiter } : null, Number(books?.['epoch']));
  const [head, tail] = frameOf(request);
  const names = spec.columns.map(({ name }) => name).join(delimiter);
  const header = request.format === 'csv' && request.skip === 0 ? `${names}\n` : '';

  async function* chunks(): AsyncGenerator<Buffer> {
    let toSkip = request.skip;
    let left = total;
    for await (const slice of slices(readPage)) {
      let text = '';
      for (const row of slice) {
        for (const line of linesOf(row)) {
          if (toSkip > 0) {
            toSkip -= 1;
          } else {
            left -= 1;
            text += line + (request.format === 'json' && left > 0 ? ',\n' : '\n');
          }
        }
      }
      if (text !== '') {
        yield Buffer.from(text);
      }
      await nextTurn();
    }
  }
  return framed(session.stream(chunks()), head + header, tail);
}

/** Reads the next stored rows: none after the last one. */
type ReadPage = () => Promise<unknown[]>;

/** Each page is a separate transaction. */
async function pagesOfSequence(session: ReadSession, spec: Export, window: ExportWindow): Promise<ReadPage> {
  await session.endSnapshot();
  let { after } = window;
  return async () => {
    const page = await session.read<{ readonly sequence: bigint }>(
      `${spec.stored({ ...window, after })} order by sequence limit ${PAGE}`,
    );
    after = `${page.at(-1)?.sequence ?? after}`;
    return page;
  };
}

const pagesOfSnapshot = (session: ReadSession, spec: Export, window: ExportWindow): Promise<ReadPage> =>
  session.openCursor(spec.stored(window), PAGE);

async function* slices(readPage: ReadPage): AsyncGenerator<unknown[]> {
  let page = await readPage();
  while (page.length > 0) {
    const next = page.length < PAGE ? null : readPage();
    // The reader may be gone before this page is awaited.
    next?.catch(() => {});
    for (let start = 0; start < page.length; start += SLICE) {
      yield page.slice(start, start + SLICE);
    }
    page = (await next) ?? [];
  }
}

/** The text before the rows and after them. */
function frameOf({ kind, format, bom, skip }: RowFormat): [head: string, tail: string] {
  switch (format) {
    case 'csv':
      return [bom && skip === 0 ? '\uFEFF' : '', ''];
    case 'json':
      return [`{"${kind}":[\n`, ']}\n'];
    default:
      return ['', ''];
  }
}

/** Adds the text before and after the bytes of a source. The stream is destroyed together with its source. */
function framed(
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

export interface ReaderLimits {
  /** How long a reader may stop reading while bytes are ready. */
  readonly stallMs: number;
  readonly totalMs: number;
}

const LIMITS: ReaderLimits = { stallMs: 30_000, totalMs: 30 * 60_000 };
const LOOKS_A_STALL = 6;

/**
 * Destroys the stream of an export if its reader takes no bytes for too long, or if it runs for too long, because it occupies a connection.
 * A slow source does not count as a stalled reader, because then no bytes are ready.
 * @param takenBytes how many bytes the reader has taken so far
 * @param limits only tests pass them
 */
export function endForgotten(body: Readable, takenBytes: () => number, { stallMs, totalMs } = LIMITS): void {
  const started = performance.now();
  let movedAt = started;
  let seen = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    if (takenBytes() !== seen || body.readableLength === 0) {
      seen = takenBytes();
      movedAt = now;
    }
    if (now - movedAt >= stallMs) {
      body.destroy(new Error('the export ended: its reader stopped reading'));
    } else if (now - started >= totalMs) {
      body.destroy(new Error('the export ran for too long'));
    }
  }, stallMs / LOOKS_A_STALL);
  body.once('close', () => clearInterval(timer));
}
