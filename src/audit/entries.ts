/** Books the double entry of a journal row in the auditor's tables, and records the findings of rows. */
import type { Finding } from '../wire/reconciliation.ts';
import { ACCOUNTS, type AuditedAccount, type AuditedRow, type Books, type CheckName, FINDINGS } from './books.ts';

/** The lines of a row's entry: the column, and the account it belongs to. */
export const COLUMNS = ['available', 'held', 'stakes', 'result', 'platformFees', 'venueFees', 'other'] as const;
type Column = (typeof COLUMNS)[number];

/** The kinds of rows that must move money. A settlement may pay nothing. */
const ENTRIES: readonly string[] = [
  'contracts_bought',
  'overrun_posted',
  'authorization_released',
  'wallet_funded',
  'collateral_moved',
];

export type Money = Partial<Record<Column, bigint>>;

/** Records a contradiction of the books. */
export function find(
  books: Books,
  row: Pick<AuditedRow, 'sequence'>,
  checkName: CheckName,
  subjectId: string,
  detail: string,
  subjectType: Finding['subjectType'] = 'record',
): void {
  books.findings.push({
    ...FINDINGS.empty,
    operatorId: books.operatorId,
    sequence: row.sequence,
    checkName,
    severity: 'critical',
    detail,
    subjectType,
    subjectId,
  });
}

export const dollars = (minor: bigint): string => {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/**
 * Books the double entry. It balances, each balance is the one before plus the amount, and no customer's or operator's account is
 * overdrawn.
 */
export function postEntry(books: Books, row: AuditedRow): void {
  const lines = COLUMNS.filter((column) => row[column]);
  const sum = lines.reduce((total, column) => total + (row[column] ?? 0n), 0n);
  const entryId = entryOf(row);
  if (sum !== 0n) {
    const detail = `The entry at ${row.sequence} does not balance: its debits exceed its credits by ${dollars(sum)}.`;
    find(books, row, 'trial_balance', entryId, detail);
  }
  if (lines.length > 0) {
    books.progress.entries += 1n;
    if (row.funds && (row.funds === 'wallet') !== (books.mode === 'sandbox')) {
      const detail = `The row at ${row.sequence} moves ${row.funds} of a ${books.mode} operator.`;
      find(books, row, 'account_balance', entryId, detail);
    }
  } else if (ENTRIES.includes(row.kind)) {
    find(books, row, 'account_balance', entryId, `The row at ${row.sequence} is ${row.kind}, but moves no money.`);
  }
  for (const column of lines) {
    const amount = row[column] ?? 0n;
    const account = accountOf(books, row, column);
    account.balance += amount;
    account.lines += 1n;
    account.debits += amount > 0n ? amount : 0n;
    if (account.balance > 0n && /^(wallet|hold|collateral):/.test(account.accountId)) {
      const detail = `At ${row.sequence} the account is overdrawn by ${dollars(account.balance)}.`;
      find(books, row, 'account_balance', account.accountId, detail);
    }
  }
  expectBalances(books, row);
}

/** The balances after a row are those of the accounts that it moved, and of every other account that it shows. */
function expectBalances(books: Books, row: AuditedRow): void {
  for (const column of COLUMNS) {
    const after = row[`${column}After`];
    const accountId = nameOf(row, column);
    const balance = books.accounts.get(accountId)?.balance ?? 0n;
    if (after === null ? Boolean(row[column]) : after !== balance) {
      const told = after === null ? 'missing' : dollars(-after);
      const detail = `At ${row.sequence} the balance after the row is ${told}; the lines sum to ${dollars(-balance)}.`;
      find(books, row, 'account_balance', accountId, detail);
    }
  }
}

export const entryOf = ({ digits, orderId }: AuditedRow) => `ent_${digits ?? orderId?.slice(4) ?? ''}`;

function accountOf(books: Books, row: AuditedRow, column: Column): AuditedAccount {
  const accountId = nameOf(row, column);
  const known = books.accounts.get(accountId);
  if (known !== undefined) {
    return known;
  }
  const account = { ...ACCOUNTS.empty, operatorId: books.operatorId, accountId };
  books.accounts.set(accountId, account);
  return account;
}

/** The account of a line. Money without a customer is on an account that no customer has. */
export function nameOf({ funds, externalUserId, otherAccount }: AuditedRow, column: Column): string {
  const [cash, collateral] = [funds === 'cash', funds === 'collateral'];
  const customer = externalUserId ?? '';
  return {
    available: cash ? 'operator:cash' : collateral ? 'collateral:available' : `wallet:${customer}`,
    held: cash ? 'operator:cash' : collateral ? 'collateral:committed' : `hold:${customer}`,
    stakes: 'stakes',
    result: 'result',
    platformFees: 'fees:platform',
    venueFees: 'fees:venue',
    other: otherAccount ?? '',
  }[column];
}

/** The row moves these amounts and no others. */
export function expectMoney(books: Books, row: AuditedRow, expected: Money, checkName: CheckName, subjectId: string) {
  for (const column of COLUMNS) {
    const [amount, due] = [row[column] ?? 0n, expected[column] ?? 0n];
    if (amount !== due) {
      const moves = `${nameOf(row, column)} moves by ${dollars(-amount)}`;
      find(books, row, checkName, subjectId, `At ${row.sequence} ${moves}; ${dollars(-due)} follows.`);
    }
  }
}
