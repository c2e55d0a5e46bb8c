/** Reads the CSV of a bank or venue: reference, amount and date. One bad row refuses the file; every one is named with its line. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { OutsideRow } from '../../reconciliation/outside/outside-statements.ts';
import { readAmount } from '../compare/amounts.ts';
import { readTheirRows, type TheirRow } from '../compare/their-rows.ts';
import { usage } from '../failure.ts';

const COLUMNS = ['reference', 'amount', 'date'] as const;
const SHOWN = 20;
/** A day, or a time of that day. */
const DAY = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/;

export interface ReadStatement {
  readonly fileSha256: string;
  readonly rows: readonly OutsideRow[];
}

/** @param pairs `YOURS=OURS`. @throws not found, exit 3; a bad file or bad rows, exit 2. */
export async function readStatementFile(
  file: string,
  pairs: readonly string[],
  delimiter?: string,
): Promise<ReadStatement> {
  const theirs = await readTheirRows(file, pairs, delimiter);
  const missing = COLUMNS.filter((column) => !theirs.columns.has(column));
  if (missing.length > 0) {
    throw usage(`${file} has no column ${missing.join(', ')}.`, 'Name the columns with --map YOURS=OURS.');
  }
  const read = theirs.rows.map(readRow);
  const bad = read.filter((row) => typeof row === 'string');
  if (bad.length > 0) {
    const more = bad.length > SHOWN ? `\nand ${bad.length - SHOWN} more` : '';
    throw usage(`${file}: nothing was imported.\n${bad.slice(0, SHOWN).join('\n')}${more}`);
  }
  const rows = read.filter((row) => typeof row !== 'string');
  if (rows.length === 0) {
    throw usage(`${file} has no rows.`);
  }
  return {
    fileSha256: createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
    rows,
  };
}

/** @returns what is wrong with the row, in words, if something is. */
function readRow({ line, cells }: TheirRow): OutsideRow | string {
  const reference = (cells['reference'] ?? '').trim();
  const amount = (cells['amount'] ?? '').trim();
  const date = (cells['date'] ?? '').trim();
  if (reference === '' || reference.length > 200) {
    return `line ${line}: a reference has 1 to 200 characters`;
  }
  const amountMinor = readAmount(amount);
  if (amountMinor === undefined || amountMinor === 0n) {
    return `line ${line}: "${amount}" is not an amount of dollars and cents other than 0`;
  }
  const bookedOn = DAY.exec(date)?.[1];
  if (bookedOn === undefined || !isDay(bookedOn)) {
    return `line ${line}: "${date}" is not a date such as 2026-11-03`;
  }
  return { line, reference, amountMinor, bookedOn };
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
