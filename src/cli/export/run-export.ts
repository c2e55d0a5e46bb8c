/** Downloads an export to stdout, or to a file that appears only when it is complete. It uses constant memory. */
import { ApiError, type Destination, ServiceUnreachable } from '../../client/create-client.ts';
import type { ExportHeader } from '../../wire/reconciliation.ts';
import { Failure, usage } from '../failure.ts';
import { askExport, type ExportOrder } from './ask-export.ts';
import { type AnsweredExport, convertRows, isConverted, type Written } from './converted.ts';
import { freePassingBuffers, RowMeter, startProgress } from './rows.ts';
import { WholeFile } from './whole-file.ts';

export interface ExportResult extends ExportHeader {
  /** Null for stdout. */
  readonly file: string | null;
  readonly bytes: number;
  readonly sha256: string;
}

interface Note {
  readonly order: ExportOrder;
  /** End of the range of the first attempt, which a continued one must keep. */
  readonly to: string;
}

/**
 * @param options.signal ends the export early; the rows so far are kept for `--resume` if the export can be continued
 * @throws Failure export_broken_off or interrupted; ApiError, ServiceUnreachable
 */
export async function exportToFile(
  service: Destination,
  order: ExportOrder,
  path: string,
  options: { readonly resume: boolean; readonly signal: AbortSignal },
): Promise<ExportResult> {
  const file = new WholeFile(path);
  const note = options.resume ? await readNote(file, order) : undefined;
  const quoted = order.format === 'csv';
  const meter = note === undefined ? new RowMeter(quoted) : await file.resume(() => new RowMeter(quoted));
  const headers = quoted && meter.rows > 0 ? 1 : 0;
  const skip = Math.max(0, meter.rows - headers);
  const answered = await askExport(service, { ...order, to: note?.to ?? order.to }, skip, options.signal);
  const { header } = answered;
  if (note === undefined) {
    await file.begin({ order, to: header.to } satisfies Note);
  }
  const keep = header.appendOnly && (order.format === 'csv' || order.format === 'jsonl');
  try {
    const write = (chunk: Uint8Array) => file.write(chunk);
    const { bytes, sha256 } = isConverted(order.format)
      ? await convertRows(order.format, answered, write, order.timeZone)
      : await drain(answered, meter, quoted, write);
    await file.complete(sha256, sumFacts(header));
    return { ...header, file: path, bytes, sha256 };
  } catch (error) {
    await file.close().catch(() => {});
    if (!keep) {
      await file.discard();
    }
    throw brokenOff(error, keep ? file.part : undefined, options.signal);
  }
}

export async function exportToStdout(
  service: Destination,
  order: ExportOrder,
  signal: AbortSignal,
): Promise<ExportResult> {
  const quoted = order.format === 'csv';
  const meter = new RowMeter(quoted);
  const answered = await askExport(service, order, 0, signal);
  const { header } = answered;
  const write = async (chunk: Uint8Array) => {
    if (!process.stdout.write(chunk)) {
      await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
  };
  const { bytes, sha256 } = isConverted(order.format)
    ? await convertRows(order.format, answered, write, order.timeZone)
    : await drain(answered, meter, quoted, write);
  return { ...header, file: null, bytes, sha256 };
}

/** Writes the bytes of the service unchanged. @throws if fewer rows arrived than were announced */
async function drain(
  { response, header }: AnsweredExport,
  meter: RowMeter,
  quoted: boolean,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Written> {
  const progress = startProgress(header.kind, header.rows);
  const passed = freePassingBuffers();
  // CSV begins with its header, a JSON document has a line before and after its rows
  const frame = quoted ? 1 : header.format === 'json' ? 2 : 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      await write(chunk);
      meter.add(chunk);
      passed(chunk.length);
      progress.update(Math.max(0, Math.min(header.rows, meter.rows - frame)));
    }
  } finally {
    progress.end();
  }
  if (meter.rows - frame !== header.rows) {
    throw new Error(`${meter.rows - frame} of ${header.rows} rows came`);
  }
  return { bytes: meter.bytes, sha256: meter.sha256() };
}

const sumFacts = (header: ExportHeader) => ({
  rows: header.rows,
  from: header.from ?? '-',
  to: header.to,
  ...header.totals,
});

async function readNote(file: WholeFile, order: ExportOrder): Promise<Note | undefined> {
  const note = (await file.readNote()) as Note | undefined;
  if (note === undefined) {
    return undefined;
  }
  if (JSON.stringify(note.order) !== JSON.stringify(order)) {
    throw usage(`${file.part} was started with other flags.`, 'Use the same flags again, or omit --resume.');
  }
  return order.format === 'csv' || order.format === 'jsonl' ? note : undefined;
}

function brokenOff(error: unknown, part: string | undefined, signal: AbortSignal): unknown {
  if (error instanceof Failure || error instanceof ApiError || error instanceof ServiceUnreachable) {
    return error;
  }
  const next =
    part === undefined
      ? 'Nothing was kept; run the command again.'
      : `${part} has the rows received so far; add --resume to continue from there.`;
  if (signal.aborted) {
    return new Failure('interrupted', 'Interrupted.', { exitCode: 130, next });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure('export_broken_off', `The export was interrupted: ${reason}.`, { next });
}
