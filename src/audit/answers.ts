/**
 * The service's tables that the journal decides: the book that says what is in each, and the columns that the journal does not decide.
 * A column that is on neither side does not exist (test/audit/columns.test.ts); docs/ledger.md gives the second list to readers.
 */
import {
  type BookTable,
  type CheckName,
  DEPOSITS,
  FILLS,
  HOLDINGS,
  MOVEMENTS,
  ORDERS,
  POSITIONS,
  SETTLEMENTS,
} from './books.ts';

/** A table of the service that is compared row by row. */
export interface Compared {
  readonly table: string;
  readonly book: BookTable;
  /** The column that a finding names. */
  readonly subject: string;
  /** A row that only one of the two has. */
  readonly missing: CheckName;
  readonly undecided: readonly string[];
  /** The column of the journal that says whose rows a later command has changed; null if rows never change. */
  readonly changedBy: 'order_id' | 'position_id' | null;
  /** Which rows of the table count. */
  readonly where?: string;
}

export const COMPARED: readonly Compared[] = [
  {
    table: 'orders',
    book: ORDERS,
    subject: 'order_id',
    missing: 'order_terms',
    undecided: ['armed', 'updated_at', 'version', 'filled_at_once'],
    changedBy: 'order_id',
  },
  {
    table: 'fills',
    book: FILLS,
    subject: 'order_id',
    missing: 'order_fills',
    undecided: ['venue_fill_id'],
    changedBy: 'order_id',
  },
  {
    table: 'positions',
    book: POSITIONS,
    subject: 'position_id',
    missing: 'position_quantity',
    undecided: ['updated_at', 'version'],
    changedBy: 'position_id',
  },
  {
    table: 'position_holdings',
    book: HOLDINGS,
    subject: 'position_id',
    missing: 'position_holdings',
    undecided: [],
    changedBy: 'position_id',
  },
  {
    table: 'settlements',
    book: SETTLEMENTS,
    subject: 'settlement_id',
    missing: 'settlement_once',
    undecided: [],
    changedBy: 'position_id',
  },
  {
    table: 'collateral_movements',
    book: MOVEMENTS,
    subject: 'reference',
    missing: 'collateral_statement',
    undecided: [],
    changedBy: null,
  },
  {
    table: 'sandbox_deposits',
    book: DEPOSITS,
    subject: 'deposit_id',
    missing: 'wallet_balance',
    undecided: ['symbol', 'chain_id', 'address', 'polls', 'received_minor', 'created_at', 'expires_at', 'credited_at'],
    changedBy: null,
    where: 'credited_minor is not null',
  },
];

/** The terms of an order, and the columns of the quote that it accepted. */
export const QUOTED: readonly (readonly [order: string, quote: string])[] = [
  ['authorization_minor', 'authorization_minor'],
  ['quoted_trade_minor', 'trade_minor'],
  ['quoted_fee_minor', 'fee_minor'],
  ['quoted_quantity', 'quantity'],
  ['price_micros', 'price_micros'],
  ['fee_bps', 'fee_bps'],
  ['contract_id', 'contract_id'],
  ['side', 'side'],
  ['action', 'action'],
  ['external_user_id', 'external_user_id'],
  ['venue', 'venue'],
  ['routing_reason', 'routing_reason'],
  ['considered_venues', 'considered_venues'],
];

/** The accounts of an operator, each with the column of its balance, and the check of a balance that only a correction explains. */
export const HOUSE_ACCOUNTS: readonly (readonly [account: string, column: string, corrected: CheckName])[] = [
  ['stakes', 'stakes', 'position_cost'],
  ['result', 'result', 'account_balance'],
  ['fees:platform', 'platform_fees', 'order_money'],
  ['fees:venue', 'venue_fees', 'order_money'],
  ['collateral:available', 'collateral_available', 'collateral_statement'],
  ['collateral:committed', 'collateral_committed', 'collateral_statement'],
  ['operator:cash', 'operator_cash', 'account_balance'],
  ['sandbox:float', 'sandbox_float', 'cash_statement'],
  ['deposits', 'deposits', 'collateral_statement'],
  ['overrun', 'overrun', 'order_money'],
  ['fees:returned', 'fees_returned', 'settlement_amount'],
];
