/** Formats that are made here from JSON lines, beside those that the service writes. */
import { createHash } from 'node:crypto';
import type { ExportColumnName, ExportHeader } from '../../wire/reconciliation.ts';
import type { ApiStream } from '../service/api-stream.ts';
import { startProgress } from '../terminal/progress.ts';
import { createJournal } from './journal.ts';
import { freePassingBuffers } from './passing-buffers.ts';
import { type RowWriter, readRows } from './row-writer.ts';
import { createWorkbook } from './workbook.ts';

export const CONVERTED = ['xlsx', 'hledger'] as const;
export type ConvertedFormat = (typeof CONVERTED)[number];

export function isConverted(format: string): format is ConvertedFormat {
  return (CONVERTED as readonly string[]).includes(format);
}

export interface AnsweredExport {
  readonly response: ApiStream;
  readonly header: ExportHeader;
  readonly columns: readonly ExportColumnName[];
}

/** What was written. */
export interface Written {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * @param timeZone of the times in a workbook
 * @throws Error if fewer rows arrive than were announced, Failure if there are too many for the format
 */
export async function convertRows(
  format: ConvertedFormat,
  { response, header, columns }: AnsweredExport,
  write: (chunk: Uint8Array) => Promise<void>,
  timeZone = 'UTC',
): Promise<Written> {
  try {
    return await writeRows(response, header, createWriter(format, header, columns, timeZone), write);
  } catch (error) {
    response.body.destroy();
    throw error;
  }
}

function createWriter(
  format: ConvertedFormat,
  header: ExportHeader,
  columns: readonly ExportColumnName[],
  timeZone: string,
): RowWriter {
  return format === 'xlsx' ? createWorkbook({ header, columns, timeZone }) : createJournal(header.from);
}

async function writeRows(
  response: ApiStream,
  { kind, rows: expected }: ExportHeader,
  writer: RowWriter,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  let rows = 0;
  const put = async (part: Uint8Array | string | undefined) => {
    if (part !== undefined && part.length > 0) {
      const chunk = typeof part === 'string' ? Buffer.from(part) : part;
      hash.update(chunk);
      bytes += chunk.length;
      await write(chunk);
    }
  };
  const progress = startProgress(kind, expected);
  const passed = freePassingBuffers();
  try {
    for await (const page of readRows(response.body as AsyncIterable<Buffer>)) {
      const texts: string[] = [];
      for (const row of page.rows) {
        const part = writer.add(row);
        if (typeof part === 'string') {
          texts.push(part);
        } else {
          await put(part);
        }
      }
      await put(texts.join(''));
      rows += page.rows.length;
      passed(page.bytes);
      progress.update(rows);
    }
  } finally {
    progress.end();
  }
  if (rows !== expected) {
    throw new Error(`${rows} of ${expected} rows came`);
  }
  await put(await writer.end());
  return { bytes, sha256: hash.digest('hex') };
}
