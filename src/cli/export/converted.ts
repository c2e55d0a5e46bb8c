/**
 * The formats of an export that the service does not write and that are made here from JSON lines: a workbook (`workbook.ts`), and a
 * journal of hledger, which is written below.
 */
import { createHash } from 'node:crypto';
import { formatMinor, parseMinor } from '../../money/usd.ts';
import type { ExportColumnName, ExportHeader } from '../../wire/reconciliation.ts';
import type { ApiStream } from '../service/api.ts';
import { freePassingBuffers, type JsonRow, type RowWriter, readRows, startProgress } from './rows.ts';
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

const HEAD = `; Ledger of Inlay. Debits are positive, credits negative.
decimal-mark .
commodity 1000.00 USD

`;
/** The other side of opening balances. */
const OPENING = 'equity:opening';

interface LedgerRow {
  readonly entryId: string;
  readonly sequence: number;
  readonly recordedAt: string;
  readonly movementType: string;
  readonly memo: string | null;
  readonly referenceType: string | null;
  readonly referenceId: string | null;
  readonly accountId: string;
  readonly debit: string;
  readonly credit: string;
  readonly balanceAfter: string;
}

/**
 * The ledger as a journal of hledger (plain-text accounting). Every entry is a transaction and every line a posting with an assertion
 * of the balance after it, so that `hledger check` proves the running balances of the whole export. The rows of an entry follow one
 * another. An export that starts later than the books begins each account with its balance.
 * @param from start of the export; null if it starts with the first entry, when every account is empty
 */
function createJournal(from: string | null): RowWriter {
  const opened = from === null ? null : new Set<string>();
  let current: LedgerRow[] = [];
  let started = false;

  const flush = (): string => {
    const head = started ? '' : HEAD;
    started = true;
    const text = current.length === 0 ? '' : transaction(current, opened);
    current = [];
    return head + text;
  };

  return {
    add(row: JsonRow) {
      const line = row as unknown as LedgerRow;
      const text = current.length > 0 && current[0]?.entryId !== line.entryId ? flush() : undefined;
      current.push(line);
      return text;
    },
    end: flush,
  };
}

function transaction(lines: readonly LedgerRow[], opened: Set<string> | null): string {
  const [first] = lines as [LedgerRow];
  const { sequence, recordedAt, entryId, movementType } = first;
  const day = recordedAt.slice(0, 10);
  const comments = [
    `sequence:${sequence}, recorded:${recordedAt}`,
    ...(first.referenceId === null ? [] : [`${first.referenceType ?? 'reference'}:${oneLine(first.referenceId)}`]),
    ...(first.memo === null ? [] : [`memo:${oneLine(first.memo)}`]),
  ].map((comment) => `    ; ${comment}\n`);
  const postings = lines.map(
    (line) => `    ${accountName(line.accountId)}  ${signed(line)} USD = ${line.balanceAfter} USD\n`,
  );
  const openings = opened === null ? '' : lines.map((line) => opening(line, day, opened)).join('');
  return `${openings}${day} * (${entryId}) ${movementType}\n${comments.join('')}${postings.join('')}\n`;
}

/** The balance that an account had before its first line in the export. */
function opening(line: LedgerRow, day: string, opened: Set<string>): string {
  if (opened.has(line.accountId)) {
    return '';
  }
  opened.add(line.accountId);
  const cents = parseMinor(line.balanceAfter) - parseMinor(line.debit) + parseMinor(line.credit);
  if (cents === 0n) {
    return '';
  }
  const name = accountName(line.accountId);
  return `${day} * Opening balance of ${name}\n    ${name}  ${formatMinor(cents)} USD\n    ${OPENING}  ${formatMinor(-cents)} USD\n\n`;
}

function signed({ debit, credit }: LedgerRow): string {
  return formatMinor(parseMinor(debit) - parseMinor(credit));
}

/** @returns the name with percent codes for characters that have a meaning in hledger or would split a customer's account */
export function accountName(accountId: string): string {
  const [kind = '', ...rest] = accountId.split(':');
  if (rest.length === 0) {
    return kind;
  }
  return `${kind}:${rest.join(':').replace(/[^\p{L}\p{N}._@+-]/gu, encodeURIComponent)}`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{C}\s,]+/gu, ' ').trim();
}
