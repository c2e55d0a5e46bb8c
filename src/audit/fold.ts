/**
 * The auditor's bookkeeping: each row of the journal in turn changes the auditor's own books. A row that the specification does not allow,
 * or that does not follow from the books, is a finding. The books then follow the row, so that one wrong row is one finding. Pure.
 */
import { smaller } from './arithmetic.ts';
import type { AuditedRow, Books, CheckName } from './books.ts';
import { dollars, entryOf, expectMoney, find, postEntry } from './entries.ts';
import { Command } from './orders.ts';
import { settlePosition } from './positions.ts';
import { judgeTold } from './told.ts';

const OPENING_CREDIT = 1_000_000n;

/**
 * Books the rows.
 * @param rows rows of one operator by sequence, beginning right after the last row that was read
 */
export function fold(books: Books, rows: readonly AuditedRow[]): void {
  let command: Command | undefined;
  for (const row of rows) {
    if (command !== undefined && !command.continues(row)) {
      command.end();
      command = undefined;
    }
    placeRow(books, row);
    postEntry(books, row);
    if (row.orderId !== null && row.orderId !== undefined) {
      command ??= new Command(books, row);
      command.take(row);
    } else {
      applyOther(books, row);
    }
    judgeTold(books, row);
  }
  command?.end();
}

/** Sequences are dense, and times never go back. */
function placeRow(books: Books, row: AuditedRow): void {
  const { progress } = books;
  const expected = progress.sequence + 1n;
  if (row.sequence !== expected) {
    const missing = `Items ${expected} to ${row.sequence - 1n} are missing.`;
    const detail = row.sequence < expected ? `Two rows are at ${row.sequence}.` : missing;
    find(books, row, 'feed_gap', `${smaller(expected, row.sequence)}`, detail);
  }
  if (progress.recordedAt !== null && row.recordedAt < progress.recordedAt) {
    const detail = `The row was recorded at ${row.recordedAt}, earlier than the row before it (${progress.recordedAt}).`;
    find(books, row, 'feed_gap', `${row.sequence}`, detail);
  }
  progress.sequence = row.sequence + BigInt(row.items) - 1n;
  progress.recordedAt = row.recordedAt;
}

/** Rows that belong to no order. */
function applyOther(books: Books, row: AuditedRow): void {
  switch (row.kind) {
    case 'position_settled':
      settlePosition(books, row);
      return;
    case 'wallet_funded':
      fund(books, row);
      return;
    case 'collateral_moved':
      expectCredit(books, row, 'collateral_statement', row.operatorId, 'collateral', 'deposits');
      moveCollateral(books, row);
      return;
    case 'resolution_changed':
      expectMoney(books, row, {}, 'account_balance', `${row.sequence}`);
      return;
    default: {
      const detail = `The row at ${row.sequence} is ${row.kind}, but names no order.`;
      find(books, row, 'order_terms', `${row.sequence}`, detail);
    }
  }
}

/** Money from outside the books comes from one account and goes to one account. */
function expectCredit(
  books: Books,
  row: AuditedRow,
  check: CheckName,
  subject: string,
  funds: string,
  other: string,
): void {
  const amount = row.other ?? 0n;
  expectMoney(books, row, { available: -amount, other: amount }, check, subject);
  if (row.funds !== funds || row.otherAccount !== other) {
    const detail = `At ${row.sequence} a ${row.kind} moves between ${row.funds} and ${row.otherAccount}.`;
    find(books, row, 'account_balance', entryOf(row), detail);
  }
}

/** A sandbox customer receives 10,000.00 once. Every other credit is a deposit with its own id. */
function fund(books: Books, row: AuditedRow): void {
  const user = row.externalUserId ?? '';
  const amount = row.other ?? 0n;
  expectCredit(books, row, 'wallet_balance', user, 'wallet', 'sandbox:float');
  const depositId = row.reference ?? null;
  if (depositId === null) {
    const before = (books.accounts.get(`wallet:${user}`)?.lines ?? 0n) > 1n;
    if (before || amount !== OPENING_CREDIT || books.mode !== 'sandbox') {
      const who = before ? 'has one already' : 'may not get it';
      const detail = `At ${row.sequence} an opening credit of ${dollars(amount)} to a customer who ${who}.`;
      find(books, row, 'wallet_balance', user, detail, 'user');
    }
    return;
  }
  if (books.deposits.has(depositId) || amount <= 0n) {
    find(books, row, 'wallet_balance', user, `At ${row.sequence} the deposit ${depositId} is credited again.`, 'user');
  }
  const { operatorId } = books;
  books.deposits.set(depositId, { operatorId, depositId, externalUserId: user, creditedMinor: amount });
}

/** A movement is identified by its reference. Its item comes after the item of the entry. */
function moveCollateral({ operatorId, movements }: Books, { reference, sequence }: AuditedRow): void {
  movements.push({ operatorId, sequence: sequence + 1n, reference: reference ?? '' });
}
