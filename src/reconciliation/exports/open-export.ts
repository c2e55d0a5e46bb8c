/**
 * Opens an export: a window that is closed at both ends and will never read otherwise, its row count and totals, and the
 * rows as a stream of bytes. All of it is of one snapshot.
 */

import { refuse } from '../../core/errors.ts';
import { readMomentParameter } from '../../core/moment.ts';
import type { RevenueBy } from '../../core/terms.ts';
import { type CopySession, openCopySession } from '../../db/copy-out.ts';
import { formatMinor } from '../../money/usd.ts';
import type { ExportColumnName } from '../../wire/reconciliation.ts';
import { describeColumn } from './export-column.ts';
import { type ExportKind, exportSpec } from './export-kinds.ts';
import type { ExportWindow, Totalled } from './export-spec.ts';
import { streamRendered } from './stream-rendered.ts';
import { type ExportFormat, type RowFormat, type RowStream, streamRows } from './stream-rows.ts';

export interface ExportRequest extends RowFormat {
  /** Of a revenue statement alone; by day where it is left out. */
  readonly by?: RevenueBy | undefined;
  /** ISO-8601, inclusive and exclusive, by the time recorded. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ExportSummary {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** The window as it was taken: `to` is never later than the start of the export, by the database's clock. */
  readonly from: string | null;
  readonly to: string;
  readonly appendOnly: boolean;
  /** Of the whole window, those that are skipped included. */
  readonly rows: number;
  /** The window as sequences of the feed: after the one, through the other. 0 is before the first item. */
  readonly sequences: { readonly after: number; readonly through: number };
  readonly totals: Readonly<Record<string, string>>;
}

export interface OpenedExport extends RowStream {
  readonly summary: ExportSummary;
  readonly columns: readonly ExportColumnName[];
}

/** @throws invalid_date, invalid_request. */
export async function openExport(
  databaseUrl: string,
  operatorId: string,
  request: ExportRequest,
): Promise<OpenedExport> {
  if (request.by !== undefined && request.kind !== 'revenue') {
    throw refuse('invalid_request', 'Only revenue can be grouped by day, customer or market.');
  }
  const spec = exportSpec(request.kind, request.by ?? 'day', request.timeZone);
  const from = readMomentParameter('from', request.from) ?? null;
  const to = readMomentParameter('to', request.to) ?? null;
  if (request.skip > 0 && (!spec.appendOnly || request.format === 'json')) {
    throw refuse('invalid_request', 'Only append-only kinds in csv or jsonl can be continued.');
  }
  // The database's clock, because it is the one by which rows are recorded. A statement that read it before now holds the
  // operator's ledger until its commit; once the ledger was free for a moment, all that was recorded before now can be seen,
  // and the window never changes again.
  const session = await openCopySession(databaseUrl, operatorId, [
    {
      text: 'select clock_timestamp() as now from operator_ledgers where operator_id = $1 for share',
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
      appendOnly: spec.appendOnly,
      rows,
      sequences,
      totals,
    };
    return 'rendered' in spec
      ? { summary, columns: spec.columns, ...(await streamRendered(session, request, spec, window, rows)) }
      : { summary, columns: spec.columns.map(describeColumn), ...streamRows(session, request, spec, window, rows) };
  } catch (error) {
    await session.close();
    throw error;
  }
}

async function readWindow(
  session: CopySession,
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
  session: CopySession,
  { totals, totalled, counted = 'count(*)' }: Totalled,
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
