/**
 * The ledger as a journal of hledger (plain-text accounting). Every entry is a transaction, every line a posting with an
 * assertion of the balance after it, so `hledger check` proves the running balances of the whole export.
 *
 * The rows of an entry follow one another. An export that starts later than the books begins each account with its balance.
 */
import { formatMinor, parseMinor } from '../../money/usd.ts';
import type { JsonRow, RowWriter } from './row-writer.ts';

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
  readonly correctsEntryId: string | null;
  readonly accountId: string;
  readonly debit: string;
  readonly credit: string;
  readonly balanceAfter: string;
}

/** @param from start of the export; null if it starts with the first entry, where every account is empty */
export function createJournal(from: string | null): RowWriter {
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
    ...(first.correctsEntryId === null ? [] : [`corrects:${first.correctsEntryId}`]),
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

/** Characters that mean something to hledger, or that would split a customer's account, as percent codes. */
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
