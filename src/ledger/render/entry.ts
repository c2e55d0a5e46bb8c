/**
 * The ledger entry of a journal row: its accounts, the order of its lines, its words and its id, with the chart of accounts
 * (docs/ledger.md). The feed, the ledger pages, the exports and the statements show the double entry from here. Pure. Statements that
 * only sum in SQL read the same names from the view `ledger_lines`.
 */
import type { IdPrefix } from '../../core/ids.ts';
import type { JournalAmounts, JournalEntry, JournalKind, JournalRow } from '../journal-row.ts';

export type MovementType =
  | 'SANDBOX_CREDIT'
  | 'ORDER_HOLD'
  | 'ORDER_RELEASE'
  | 'ORDER_FILL'
  | 'POSITION_EXIT'
  | 'POSITION_SETTLEMENT'
  | 'COLLATERAL_DEPOSIT'
  | 'COLLATERAL_WITHDRAWAL'
  | 'VENUE_OVERRUN';

export interface LedgerLine {
  readonly accountId: string;
  /** Signed cents: a debit is positive, a credit negative. */
  readonly amountMinor: bigint;
  /** The balance of the account after the row, signed the same; null before the row is recorded. */
  readonly balanceAfterMinor: bigint | null;
}

export interface LedgerEntry {
  readonly entryId: string;
  readonly movementType: MovementType;
  readonly memo: string;
  readonly referenceType: 'order' | 'position' | 'customer' | 'operator' | 'deposit';
  readonly referenceId: string;
  readonly effectiveAt: Date | null;
  readonly lines: readonly LedgerLine[];
}

type Column = keyof JournalAmounts;

const BUY: readonly Column[] = ['available', 'held', 'stakes', 'platformFees', 'venueFees'];
const SELL: readonly Column[] = ['stakes', 'result', 'available', 'platformFees', 'venueFees'];
const HOLD: readonly Column[] = ['available', 'held'];
const RELEASE: readonly Column[] = ['held', 'available'];

/** The lines of an entry, in their order. Kinds that are missing here have no entry. */
const LINES: Partial<Record<JournalKind, readonly Column[]>> = {
  order_recorded: HOLD,
  reserve_confirmed: HOLD,
  order_withdrawn: RELEASE,
  authorization_released: RELEASE,
  contracts_bought: BUY,
  contracts_sold: SELL,
  overrun_posted: ['other', 'venueFees'],
  position_settled: ['stakes', 'other', 'result', 'available'],
  wallet_funded: ['other', 'available'],
  collateral_moved: ['other', 'available'],
};

function columnsOf(row: JournalEntry): readonly Column[] {
  if (row.kind === 'order_executed') {
    return row.action === 'buy' ? BUY : SELL;
  }
  return LINES[row.kind] ?? [];
}

/** Whether the row has a ledger entry: at least one of its amounts is not zero. */
export function hasEntry(row: JournalEntry): boolean {
  return columnsOf(row).some((column) => Boolean(row[column]));
}

/**
 * @param row a recorded row has its `operatorId`; others need none
 * @returns null if the row moves no money
 */
export function entryOf(row: JournalEntry & Partial<JournalRow>): LedgerEntry | null {
  return hasEntry(row) ? { entryId: itemIdOf('ent', row), ...wordsOf(row), lines: linesOf(row) } : null;
}

function linesOf(row: JournalEntry & Partial<JournalRow>): LedgerLine[] {
  return columnsOf(row).flatMap((column) => {
    const amountMinor = row[column];
    return amountMinor
      ? [{ accountId: accountOf(row, column), amountMinor, balanceAfterMinor: row[`${column}After`] ?? null }]
      : [];
  });
}

function accountOf(row: JournalEntry, column: Column): string {
  switch (column) {
    case 'available':
      return fundsOf(row).available;
    case 'held':
      return fundsOf(row).held;
    case 'stakes':
      return ACCOUNTS.stakes;
    case 'result':
      return ACCOUNTS.result;
    case 'platformFees':
      return ACCOUNTS.platformFees;
    case 'venueFees':
      return ACCOUNTS.venueFees;
    case 'other':
      return row.otherAccount ?? '';
  }
}

function fundsOf({ funds, externalUserId }: JournalEntry): Funds {
  switch (funds) {
    case 'collateral':
      return collateralFunds;
    case 'cash':
      return operatorCashFunds;
    default:
      return walletFunds(externalUserId ?? '');
  }
}

function wordsOf(row: JournalEntry & Partial<JournalRow>): Omit<LedgerEntry, 'entryId' | 'lines'> {
  const plain = { effectiveAt: row.effectiveAt ?? null };
  const order = { referenceType: 'order', referenceId: row.orderId ?? '', ...plain } as const;
  switch (row.kind) {
    case 'order_recorded':
    case 'reserve_confirmed':
      return { movementType: 'ORDER_HOLD', memo: 'Authorization held', ...order };
    case 'order_withdrawn':
    case 'authorization_released':
      return { movementType: 'ORDER_RELEASE', memo: 'Authorization released', ...order };
    case 'overrun_posted':
      return { movementType: 'VENUE_OVERRUN', memo: overrunMemo(row), ...order };
    case 'position_settled': {
      const memo = `Position settled: ${row.outcome}`;
      return {
        movementType: 'POSITION_SETTLEMENT',
        memo,
        referenceType: 'position',
        referenceId: row.positionId ?? '',
        ...plain,
      };
    }
    case 'wallet_funded':
      return { movementType: 'SANDBOX_CREDIT', memo: row.memo ?? '', ...fundedBy(row), ...plain };
    case 'collateral_moved': {
      const deposited = (row.other ?? 0n) > 0n;
      const reference = { referenceType: 'operator', referenceId: row.operatorId ?? '' } as const;
      return deposited
        ? { movementType: 'COLLATERAL_DEPOSIT', memo: 'Collateral deposited', ...reference, ...plain }
        : { movementType: 'COLLATERAL_WITHDRAWAL', memo: 'Collateral withdrawn', ...reference, ...plain };
    }
    default:
      return row.action === 'sell'
        ? { movementType: 'POSITION_EXIT', memo: 'Contracts sold', ...order }
        : { movementType: 'ORDER_FILL', memo: 'Contracts bought', ...order };
  }
}

const overrunMemo = ({ other }: JournalEntry) =>
  (other ?? 0n) > 0n ? 'Taken by the venue beyond the amount sent' : 'Paid by the venue beyond the quantity sent';

/** The opening credit belongs to the customer, every other one to its deposit. */
const fundedBy = ({ reference, externalUserId }: JournalEntry) =>
  reference
    ? ({ referenceType: 'deposit', referenceId: reference } as const)
    : ({ referenceType: 'customer', referenceId: externalUserId ?? '' } as const);

const DIGITS = 32;

/**
 * The id of an item of the row: all of them have the digits of the row, each under the prefix of its kind.
 * @returns the prefix, an underscore, and 32 hexadecimal digits, which are those of the order if the row has none
 */
export function itemIdOf(prefix: IdPrefix, { digits, orderId }: Pick<JournalEntry, 'digits' | 'orderId'>): string {
  return `${prefix}_${digits ?? orderId?.slice(orderId.indexOf('_') + 1) ?? ''}`;
}

/** The id of a second item of the same kind in one row: the number after the first. */
export function secondItemIdOf(prefix: IdPrefix, row: Pick<JournalEntry, 'digits' | 'orderId'>): string {
  const first = itemIdOf(prefix, row).slice(-DIGITS);
  const next = (BigInt(`0x${first}`) + 1n).toString(16).padStart(DIGITS, '0');
  return `${prefix}_${next}`;
}

/** Simulated money of a sandbox customer, free to stake. */
export const walletAccount = (externalUserId: string): string => `wallet:${externalUserId}`;
/** Simulated money of a sandbox customer, held for an open order. */
export const holdAccount = (externalUserId: string): string => `hold:${externalUserId}`;

/** The chart of accounts. Accounts that hold someone's money are liabilities and are never overdrawn. */
export const ACCOUNTS = {
  /** Test money that was issued. */
  sandboxFloat: 'sandbox:float',
  /** The operator's deposits with the service, and their two uses. */
  collateralDeposits: 'deposits',
  collateralAvailable: 'collateral:available',
  collateralCommitted: 'collateral:committed',
  /** The operator's own cash, for simulated orders of a live tenant, which move neither wallet nor collateral. */
  operatorCash: 'operator:cash',
  /** The cost of open positions, without fees. */
  stakes: 'stakes',
  platformFees: 'fees:platform',
  venueFees: 'fees:venue',
  /** Fees that an annulled market gave back. */
  feesReturned: 'fees:returned',
  /** The gain or loss of markets against the stakes placed in them. */
  result: 'result',
  /** Money that a venue took beyond the amount sent to it; the service bears it. */
  overrun: 'overrun',
} as const;

/** The accounts of an order's money: free, and held while the order is open. */
interface Funds {
  readonly available: string;
  readonly held: string;
}

export function walletFunds(externalUserId: string): Funds {
  return { available: walletAccount(externalUserId), held: holdAccount(externalUserId) };
}

export const collateralFunds: Funds = { available: ACCOUNTS.collateralAvailable, held: ACCOUNTS.collateralCommitted };
export const operatorCashFunds: Funds = { available: ACCOUNTS.operatorCash, held: ACCOUNTS.operatorCash };
