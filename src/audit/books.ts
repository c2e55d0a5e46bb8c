/**
 * The auditor's tables (schema `audit`), column by column: the type, and the check of the report that names a different value in the
 * service's table. A column without a check is compared in another way, or the service has no such column. Amounts are cents, prices
 * micro-dollars, quantities micro-contracts. Times are text, since a `Date` loses the microseconds.
 */
import { type FieldsOf, type RowType, rowType, snakeCase } from '../db/row-type.ts';
import type { JournalRow, ToldItem } from '../ledger/journal-row.ts';
import type { Finding } from '../wire/reconciliation.ts';

export type CheckName = Finding['check'];
type SqlType = 'text' | 'bigint' | 'numeric' | 'integer' | 'boolean';
type Check = CheckName | null;

interface Column<T> {
  readonly type: SqlType;
  readonly check: Check;
  /** The values of a new row. */
  readonly empty: T;
}

const column =
  <T>(type: SqlType, empty: T) =>
  (check: Check = null): Column<T> => ({ type, check, empty });

const text = column<string>('text', '');
const textOrNull = column<string | null>('text', null);
const count = column<number>('integer', 0);
const countOrNull = column<number | null>('integer', null);
const amount = column<bigint>('bigint', 0n);
const amountOrNull = column<bigint | null>('bigint', null);
const large = column<bigint>('numeric', 0n);
const flag = column<boolean>('boolean', false);

type RowOf<C> = { -readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

export interface BookOf<T> {
  readonly table: string;
  /** The key columns besides the operator. */
  readonly key: readonly string[];
  /** The columns that the service's table has as well, each with its check. */
  readonly checks: ReadonlyMap<string, CheckName>;
  readonly type: RowType<T>;
  readonly empty: Readonly<T>;
}

function book<C extends Readonly<Record<string, Column<unknown>>>>(
  name: string,
  key: readonly (keyof C & string)[],
  columns: C,
): BookOf<RowOf<C>> {
  const listed = Object.entries(columns);
  const each = (value: (one: Column<unknown>) => unknown): unknown =>
    Object.fromEntries(listed.map(([field, one]) => [field, value(one)]));
  return {
    table: `audit.${name}`,
    key: key.map(snakeCase),
    checks: new Map(listed.flatMap(([field, { check }]) => (check === null ? [] : [[snakeCase(field), check]]))),
    type: rowType<RowOf<C>>(each(({ type }) => type) as FieldsOf<RowOf<C>>),
    empty: each(({ empty }) => empty) as RowOf<C>,
  };
}

type Kept<B> = B extends BookOf<infer T> ? T : never;

export const ORDERS = book('orders', ['orderId'], {
  operatorId: text(),
  orderId: text(),
  externalUserId: text('order_terms'),
  clientOrderId: textOrNull('order_terms'),
  executionRef: textOrNull('order_terms'),
  quoteId: textOrNull('order_terms'),
  contractId: textOrNull('order_terms'),
  side: text('order_terms'),
  action: text('order_terms'),
  intent: text('order_terms'),
  status: text('order_terms'),
  transmissionState: text('order_terms'),
  simulated: flag('order_terms'),
  priceMicros: amount('order_terms'),
  slippageMicros: amount('order_terms'),
  feeBps: count('order_terms'),
  authorizationMinor: amount('order_terms'),
  quotedFeeMinor: amount('order_terms'),
  quotedTradeMinor: amount('order_terms'),
  quotedQuantityMicros: amount('order_terms'),
  filledQuantityMicros: amount('order_fills'),
  priceWeight: large('order_fills'),
  tradeMinor: amount('order_money'),
  platformFeeMinor: amount('order_money'),
  venueFeeMinor: amount('order_money'),
  venueFeeKnown: flag('order_money'),
  positionId: textOrNull('order_terms'),
  scenarioId: textOrNull('order_terms'),
  rejectReason: textOrNull('order_terms'),
  routingReason: textOrNull('order_terms'),
  consideredVenues: countOrNull('order_terms'),
  venue: textOrNull('order_terms'),
  reserveReference: textOrNull('order_terms'),
  reserveConfirmedAt: textOrNull('order_terms'),
  cancellationId: textOrNull('order_terms'),
  cancelledAt: textOrNull('order_terms'),
  cancelReason: textOrNull('order_terms'),
  createdAt: text('period_window'),
  transmittedAt: textOrNull('order_terms'),
  // amounts that are held for the order now, and the contracts of a sell that have left the position
  heldMinor: amount(),
  exitedQuantityMicros: amount(),
  // the order as it was sent to a venue
  askedQuantityMicros: amountOrNull(),
  limitMicros: amountOrNull(),
  spendMicros: amountOrNull(),
  ourId: textOrNull(),
  validSeconds: countOrNull(),
});
export type AuditedOrder = Kept<typeof ORDERS>;

/** Fills of orders that were sent. The service keeps no table of them. */
export const FILLS = book('fills', ['orderId', 'fillNo'], {
  operatorId: text(),
  orderId: text(),
  fillNo: count(),
  fillId: text(),
  quantityMicros: amount(),
  priceMicros: amount(),
  feeMicros: amountOrNull(),
  filledAt: text(),
  venueFillId: textOrNull(),
});
export type AuditedFill = Kept<typeof FILLS>;

export const POSITIONS = book('positions', ['positionId'], {
  operatorId: text(),
  positionId: text(),
  externalUserId: text('position_quantity'),
  contractId: text('position_quantity'),
  side: text('position_quantity'),
  simulated: flag('position_quantity'),
  status: text('position_quantity'),
  quantityMicros: amount('position_quantity'),
  heldQuantityMicros: amount('position_quantity'),
  costBasisMinor: amount('position_cost'),
  entryFeesMinor: amount('position_cost'),
  priceWeight: large('position_cost'),
  averagePriceMicros: amount('position_cost'),
  realisedPnlMinor: amount('position_cost'),
  openedAt: text('position_quantity'),
});
export type AuditedPosition = Kept<typeof POSITIONS>;

/** Contracts of a live position by venue. */
export const HOLDINGS = book('holdings', ['positionId', 'venue'], {
  operatorId: text(),
  positionId: text(),
  venue: text(),
  quantityMicros: amount('position_holdings'),
  heldQuantityMicros: amount('position_holdings'),
});
export type AuditedHolding = Kept<typeof HOLDINGS>;

/** The payment of a position and the result it was paid at. The service keeps no table of settlements. */
export const SETTLEMENTS = book('settlements', ['settlementId'], {
  operatorId: text(),
  settlementId: text(),
  positionId: text(),
  contractId: text(),
  side: text(),
  resolution: text(),
  yesWorthMicros: amountOrNull(),
  resolutionVersion: countOrNull(),
});
export type AuditedSettlement = Kept<typeof SETTLEMENTS>;

/** A settlement of the batch that is read, with its money. The items shown for its row are judged by it. */
export interface SettledRow extends AuditedSettlement {
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly settlementCreditMinor: bigint;
  readonly voidCreditMinor: bigint;
  readonly realisedPnlMinor: bigint;
  readonly lifetimeRealisedPnlMinor: bigint;
}

/** Signed cents, a debit positive. */
export const ACCOUNTS = book('accounts', ['accountId'], {
  operatorId: text(),
  accountId: text(),
  balance: large(),
  debits: large(),
  lines: amount(),
});
export type AuditedAccount = Kept<typeof ACCOUNTS>;

/** Movements of the operator's collateral by their references. */
export const MOVEMENTS = book('movements', ['sequence'], {
  operatorId: text(),
  sequence: amount(),
  reference: text('collateral_statement'),
});
export type AuditedMovement = Kept<typeof MOVEMENTS>;

/** Test money that was credited. */
export const DEPOSITS = book('deposits', ['depositId'], {
  operatorId: text(),
  depositId: text(),
  externalUserId: text('wallet_balance'),
  creditedMinor: amount('wallet_balance'),
});
export type AuditedDeposit = Kept<typeof DEPOSITS>;

/** The place up to which the auditor has read, and its counters. */
export const PROGRESS = book('progress', [], {
  operatorId: text(),
  sequence: amount(),
  recordedAt: textOrNull(),
  entries: amount(),
  exits: amount(),
  agrees: amount(),
  disagrees: amount(),
  writes: amount(),
  auditedAt: textOrNull(),
});
export type Progress = Kept<typeof PROGRESS>;

/** Contradictions found while the journal was read. */
export const FINDINGS = book('findings', [], {
  operatorId: text(),
  sequence: amount(),
  checkName: column<CheckName>('text', 'feed_gap')(),
  severity: column<Finding['severity']>('text', 'critical')(),
  detail: text(),
  subjectType: column<Finding['subjectType']>('text', 'record')(),
  subjectId: text(),
  findingNo: amountOrNull(),
  foundAt: textOrNull(),
});

/** A row of the journal as the auditor reads it. */
export interface AuditedRow extends Omit<JournalRow, 'recordedAt' | 'decidedAt' | 'effectiveAt'> {
  readonly recordedAt: string;
  readonly decidedAt: string;
  readonly effectiveAt: string | null;
  /** The digest that is kept of it. */
  readonly digest: bigint;
  /** The items shown to an operator; an error text if the row cannot be rendered. */
  readonly told: readonly ToldItem[] | string;
}

/** The books of one operator, limited to the rows that a batch needs. */
export interface Books {
  /** The operator, or the temporary name under which its books are rebuilt. */
  readonly operatorId: string;
  readonly mode: string;
  readonly progress: Progress;
  readonly orders: Map<string, AuditedOrder>;
  /** By order, sorted by their numbers. */
  readonly fills: Map<string, AuditedFill[]>;
  readonly positions: Map<string, AuditedPosition>;
  /** By position. */
  readonly holdings: Map<string, AuditedHolding[]>;
  readonly accounts: Map<string, AuditedAccount>;
  readonly settlements: SettledRow[];
  readonly movements: AuditedMovement[];
  readonly deposits: Map<string, AuditedDeposit>;
  /** Quotes that orders of the batch took and that are still stored. */
  readonly quotes: ReadonlyMap<string, AuditedQuote>;
  /** Orders whose execution a support person recorded with evidence. */
  readonly attested: ReadonlySet<string>;
  readonly findings: Kept<typeof FINDINGS>[];
}

/** A table of the service that is compared row by row with a book. */
export interface Compared {
  readonly table: string;
  readonly book: Pick<BookOf<never>, 'table' | 'key' | 'checks'>;
  /** The column that identifies the row in a finding. */
  readonly subject: string;
  /** The check for a row that only one side has. */
  readonly missing: CheckName;
  /**
   * Column of the journal that holds the id of the order or position whose row a later command changed. Null if rows of this table never
   * change.
   */
  readonly changedBy: 'order_id' | 'position_id' | null;
  /** Columns that the journal does not decide: docs/ledger.md gives them to readers. One that is on neither side does not exist. */
  readonly undecided: readonly string[];
  /** Which rows of the table count. */
  readonly where?: string;
}

const BY_ORDER = { subject: 'order_id', changedBy: 'order_id' } as const;
const BY_POSITION = { subject: 'position_id', changedBy: 'position_id', missing: 'position_quantity' } as const;
const ADDRESS = ['symbol', 'chain_id', 'address', 'polls', 'received_minor', 'created_at', 'expires_at', 'credited_at'];

export const COMPARED: readonly Compared[] = [
  {
    ...BY_ORDER,
    table: 'orders',
    book: ORDERS,
    missing: 'order_terms',
    undecided: ['armed', 'updated_at', 'version', 'levels'],
  },
  { ...BY_POSITION, table: 'positions', book: POSITIONS, undecided: ['updated_at', 'version'] },
  { ...BY_POSITION, table: 'position_holdings', book: HOLDINGS, missing: 'position_holdings', undecided: [] },
  {
    table: 'collateral_references',
    book: MOVEMENTS,
    subject: 'reference',
    missing: 'collateral_statement',
    changedBy: null,
    undecided: [],
  },
  {
    table: 'sandbox_deposits',
    book: DEPOSITS,
    subject: 'deposit_id',
    missing: 'wallet_balance',
    changedBy: null,
    undecided: ADDRESS,
    where: 'credited_minor is not null',
  },
];

/** The terms that an order takes from its quote, each with its column in `quotes`. */
export const QUOTED = {
  authorizationMinor: 'authorization_minor',
  quotedTradeMinor: 'trade_minor',
  quotedFeeMinor: 'fee_minor',
  quotedQuantityMicros: 'quantity_micros',
  priceMicros: 'price_micros',
  feeBps: 'fee_bps',
  contractId: 'contract_id',
  side: 'side',
  action: 'action',
  externalUserId: 'external_user_id',
  venue: 'venue',
  routingReason: 'routing_reason',
  consideredVenues: 'considered_venues',
} as const;

/** A quote as text. */
export type AuditedQuote = Readonly<Record<keyof typeof QUOTED | 'quoteId' | 'expiresAt', string>>;

/** The accounts of an operator, each with the column of its balance. */
export const HOUSE_ACCOUNTS: readonly (readonly [account: string, column: string])[] = [
  ['stakes', 'stakes'],
  ['result', 'result'],
  ['fees:platform', 'platform_fees'],
  ['fees:venue', 'venue_fees'],
  ['collateral:available', 'collateral_available'],
  ['collateral:committed', 'collateral_committed'],
  ['operator:cash', 'operator_cash'],
  ['sandbox:float', 'sandbox_float'],
  ['deposits', 'deposits'],
  ['overrun', 'overrun'],
  ['fees:returned', 'fees_returned'],
];
