/**
 * The auditor's books (schema `audit`), column by column: the type, and the check of the report under which another value in the
 * service's table of the same name is found. A column without a check is compared otherwise, or the service has none like it.
 * Amounts are cents, prices micro-dollars, quantities micro-contracts. Times are text, since a `Date` loses the microseconds.
 */
import { type FieldsOf, type RowType, rowType, snakeCase } from '../db/row-type.ts';
import type { JournalRow } from '../wire/journal.ts';
import type { Finding } from '../wire/reconciliation/report.ts';

export type CheckName = Finding['check'];

interface Column<T> {
  readonly type: 'text' | 'bigint' | 'numeric' | 'integer' | 'boolean';
  readonly check: CheckName | null;
  /** What a new row has. */
  readonly empty: T;
}

const text = (check: CheckName | null = null): Column<string> => ({ type: 'text', check, empty: '' });
const textOrNull = (check: CheckName | null = null): Column<string | null> => ({ type: 'text', check, empty: null });
const count = (check: CheckName | null = null): Column<number> => ({ type: 'integer', check, empty: 0 });
const countOrNull = (check: CheckName | null = null): Column<number | null> => ({
  type: 'integer',
  check,
  empty: null,
});
const amount = (check: CheckName | null = null): Column<bigint> => ({ type: 'bigint', check, empty: 0n });
const amountOrNull = (check: CheckName | null = null): Column<bigint | null> => ({
  type: 'bigint',
  check,
  empty: null,
});
const large = (check: CheckName | null = null): Column<bigint> => ({ type: 'numeric', check, empty: 0n });
const flag = (check: CheckName | null = null): Column<boolean> => ({ type: 'boolean', check, empty: false });

type RowOf<C> = { -readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

/** A book as SQL names it. */
export interface BookTable {
  readonly table: string;
  /** Besides the operator. */
  readonly key: readonly string[];
  /** The columns that the service's table has too, each with its check. */
  readonly checks: ReadonlyMap<string, CheckName>;
}

export interface BookOf<T> extends BookTable {
  readonly type: RowType<T>;
  readonly empty: Readonly<T>;
}

function book<C extends Readonly<Record<string, Column<unknown>>>>(
  name: string,
  key: readonly (keyof C & string)[],
  columns: C,
): BookOf<RowOf<C>> {
  const listed = Object.entries(columns);
  return {
    table: `audit.${name}`,
    key: key.map(snakeCase),
    checks: new Map(listed.flatMap(([field, { check }]) => (check === null ? [] : [[snakeCase(field), check]]))),
    type: rowType<RowOf<C>>(
      Object.fromEntries(listed.map(([field, { type }]) => [field, type])) as unknown as FieldsOf<RowOf<C>>,
    ),
    empty: Object.fromEntries(listed.map(([field, { empty }]) => [field, empty])) as RowOf<C>,
  };
}

type Kept<B> = B extends BookOf<infer T> ? T : never;

export const ORDERS = book('orders', ['orderId'], {
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
  quotedQuantity: amount('order_terms'),
  filledQuantity: amount('order_fills'),
  priceWeight: large('order_fills'),
  tradeMinor: amount('order_money'),
  platformFeeMinor: amount('order_money'),
  venueFeeMinor: amount('order_money'),
  venueFeeKnown: flag('order_money'),
  debitMinor: amount('order_money'),
  releaseMinor: amount('order_money'),
  proceedsMinor: amount('order_money'),
  countedStakeMinor: amount('period_window'),
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
  exitedFills: count('order_fills'),
  venueGainMinor: amount('order_money'),
  // what is held of it now, and the contracts of a sell that have left the position
  heldMinor: amount(),
  exitedQuantity: amount(),
});
export type AuditedOrder = Kept<typeof ORDERS>;

export const FILLS = book('fills', ['orderId', 'fillNo'], {
  orderId: text(),
  fillNo: count(),
  fillId: text('order_fills'),
  quantity: amount('order_fills'),
  priceMicros: amount('order_fills'),
  feeMicros: amountOrNull('order_money'),
  filledAt: text('order_fills'),
});
export type AuditedFill = Kept<typeof FILLS>;

export const POSITIONS = book('positions', ['positionId'], {
  positionId: text(),
  externalUserId: text('position_quantity'),
  contractId: text('position_quantity'),
  side: text('position_quantity'),
  simulated: flag('position_quantity'),
  status: text('position_quantity'),
  quantity: amount('position_quantity'),
  heldQuantity: amount('position_quantity'),
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
  positionId: text(),
  venue: text(),
  quantity: amount('position_holdings'),
  heldQuantity: amount('position_holdings'),
});
export type AuditedHolding = Kept<typeof HOLDINGS>;

export const SETTLEMENTS = book('settlements', ['settlementId'], {
  settlementId: text(),
  positionId: text('settlement_once'),
  sequence: amount('settlement_once'),
  externalUserId: text('settlement_amount'),
  contractId: text('settlement_amount'),
  side: text('settlement_amount'),
  resolution: text('settlement_amount'),
  yesWorthMicros: amountOrNull('settlement_amount'),
  resolutionVersion: countOrNull('settlement_amount'),
  outcome: text('settlement_amount'),
  quantity: amount('settlement_amount'),
  costBasisMinor: amount('settlement_amount'),
  entryFeesMinor: amount('settlement_amount'),
  settlementCreditMinor: amount('settlement_amount'),
  voidCreditMinor: amount('settlement_amount'),
  realisedPnlMinor: amount('settlement_amount'),
  lifetimeRealisedPnlMinor: amount('settlement_amount'),
  simulated: flag('settlement_amount'),
  settledAt: text('settlement_once'),
});
export type AuditedSettlement = Kept<typeof SETTLEMENTS>;

/** Signed cents, a debit positive; `corrected` is what of the balance only corrections explain. */
export const ACCOUNTS = book('accounts', ['accountId'], {
  accountId: text(),
  balance: large(),
  debits: large(),
  lines: amount(),
  corrected: large(),
});
export type AuditedAccount = Kept<typeof ACCOUNTS>;

/** Of the operator's collateral, each with both balances after it. */
export const MOVEMENTS = book('movements', ['sequence'], {
  reference: text('collateral_statement'),
  kind: text('collateral_statement'),
  amountMinor: amount('collateral_statement'),
  sequence: amount(),
  recordedAt: text('collateral_statement'),
  availableMinor: amount('collateral_statement'),
  committedMinor: amount('collateral_statement'),
});
export type AuditedMovement = Kept<typeof MOVEMENTS>;

/** Test money that was credited. */
export const DEPOSITS = book('deposits', ['depositId'], {
  depositId: text(),
  externalUserId: text('wallet_balance'),
  creditedMinor: amount('wallet_balance'),
});
export type AuditedDeposit = Kept<typeof DEPOSITS>;

/** How far the auditor has read, and what it counted on the way. */
export const PROGRESS = book('progress', [], {
  sequence: amount(),
  recordedAt: textOrNull(),
  entries: amount(),
  exits: amount(),
  agrees: amount(),
  disagrees: amount(),
});
export type Progress = Kept<typeof PROGRESS>;

export interface AuditFinding {
  readonly sequence: bigint;
  readonly checkName: CheckName;
  readonly severity: Finding['severity'];
  readonly detail: string;
  readonly subjectType: Finding['subjectType'];
  readonly subjectId: string;
}

/** A row of the journal as the auditor reads it. */
export interface AuditedRow extends Omit<JournalRow, 'recordedAt' | 'decidedAt' | 'effectiveAt'> {
  readonly recordedAt: string;
  readonly decidedAt: string;
  readonly effectiveAt: string | null;
}

/** The books of one operator, as far as a batch of its rows needs them. */
export interface Books {
  readonly operatorId: string;
  readonly mode: string;
  readonly progress: Progress;
  readonly orders: Map<string, AuditedOrder>;
  /** Of an order, in the order of their numbers. */
  readonly fills: Map<string, AuditedFill[]>;
  readonly positions: Map<string, AuditedPosition>;
  /** Of a position. */
  readonly holdings: Map<string, AuditedHolding[]>;
  readonly accounts: Map<string, AuditedAccount>;
  readonly settlements: AuditedSettlement[];
  readonly movements: AuditedMovement[];
  readonly deposits: Map<string, AuditedDeposit>;
  /** Rows that corrections of the batch name, by the ids of their entries; and entries that were corrected before. */
  readonly entries: Map<string, AuditedRow>;
  readonly corrected: Set<string>;
  readonly findings: AuditFinding[];
}
