/**
 * The journal: one row for each change of an operator's money, orders or positions, in integers, closed words and ids. A row
 * takes as many consecutive positions of the operator's feed as it has items. src/ledger/render renders everything that is
 * shown of it (feed items, ledger entries, webhook events, exports, leaves of the log) from the row (docs/ledger.md).
 */
import type { Action, FeedItemType, OrderStatus, Resolution, Side, TransmissionState } from '../core/terms.ts';
import {
  bigint,
  boolean,
  integer,
  json,
  nullable,
  numeric,
  optional,
  type RowOf,
  rowOf,
  smallint,
  text,
  timestamp,
} from '../db/row-type.ts';

export const JOURNAL_KINDS = [
  'order_executed',
  'order_recorded',
  'reserve_confirmed',
  'order_withdrawn',
  'order_sent',
  'order_answered',
  'order_filled',
  'contracts_bought',
  'contracts_sold',
  'overrun_posted',
  'authorization_released',
  'order_ended',
  'position_settled',
  'wallet_funded',
  'collateral_moved',
  'resolution_changed',
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** The owner of the money in the columns `available` and `held`: a simulated wallet, the operator's collateral, or its own cash. */
export type Funds = 'wallet' | 'collateral' | 'cash';

/** Accounts that few rows touch; a row touches at most one of them, in the column `other`. */
export type OtherAccount = 'sandbox:float' | 'deposits' | 'overrun' | 'fees:returned';

/** The columns that the command decides. Amounts are cents, prices micro-dollars, quantities micro-contracts. */
const DECIDED = {
  /** The number of feed items of the row. */
  items: smallint(),
  kind: text<JournalKind>(),
  externalUserId: optional(text()),
  orderId: optional(text()),
  positionId: optional(text()),
  contractId: optional(text()),
  /** The 32 hexadecimal digits that the ids of its items share; null if they are those of the order. */
  digits: optional(text()),

  /** The order after the row, and its status before. */
  side: optional(text<Side>()),
  action: optional(text<Action>()),
  status: optional(text<OrderStatus>()),
  fromStatus: optional(text<OrderStatus>()),
  transmissionState: optional(text<TransmissionState>()),
  simulated: optional(boolean()),
  clientOrderId: optional(text()),
  executionRef: optional(text()),
  feeBps: optional(smallint()),
  authorizationMinor: optional(bigint()),
  /** On `overrun_posted`: a venue's payment for more contracts than a sell could deliver. */
  tradeMinor: optional(bigint()),
  platformFeeMinor: optional(bigint()),
  venueFeeMinor: optional(bigint()),
  venueFeeKnown: optional(boolean()),
  filledQuantityMicros: optional(bigint()),
  /** The sum of price times quantity over its fills. */
  priceWeight: optional(numeric()),

  /** The terms of an order as it is recorded. */
  quoteId: optional(text()),
  intent: optional(text<'record_intent' | 'simulate'>()),
  quotedPriceMicros: optional(bigint()),
  slippageMicros: optional(bigint()),
  quotedFeeMinor: optional(bigint()),
  quotedTradeMinor: optional(bigint()),
  quotedQuantityMicros: optional(bigint()),
  venue: optional(text()),
  routingReason: optional(text()),
  consideredVenues: optional(smallint()),
  scenarioId: optional(text()),

  /** The attempt of `order_sent` at a venue, beside its quantity and limit: the dollars of a buy that spends dollars, in millionths. */
  spendMicros: optional(bigint()),
  /** Our id of the order there. */
  ourId: optional(text()),
  /** After so many seconds the venue itself refuses the order. */
  validSeconds: optional(smallint()),

  /** The fill of the row; of `order_ended`, how many fills there were. */
  fillNo: optional(integer()),
  /** The quantity of the fill; on `order_sent` the quantity that the order asks for. */
  quantityMicros: optional(bigint()),
  /** The price of the fill; on `order_sent` the limit. */
  priceMicros: optional(bigint()),
  /** The order's money that this fill adds: the difference of two cumulatives. */
  fillTradeMinor: optional(bigint()),
  fillPlatformFeeMinor: optional(bigint()),
  fillVenueFeeMinor: optional(bigint()),
  fillFeeKnown: optional(boolean()),
  /** The venue's fee on the fill, micro-dollars; null while it is unknown. */
  fillFeeMicros: optional(bigint()),
  /** The venue's id of the fill; null if the service filled the order itself. */
  venueFillId: optional(text()),
  /** The part of the fee that the venue collects for the service operator, micro-dollars; null if there is none or it is unknown. */
  earnedMicros: optional(bigint()),
  /** Whether less is matched than the order asked for. */
  partial: optional(boolean()),

  /** Contracts that leave a position by an exit or a settlement: their share of the entry fees, and the rest. */
  feeShareMinor: optional(bigint()),
  remainingQuantityMicros: optional(bigint()),
  entryPriceMicros: optional(bigint()),
  venueAgrees: optional(boolean()),
  /** A fee that lowers the profit of a position that holds nothing any more. */
  isLoss: optional(boolean()),

  resolution: optional(text<Resolution>()),
  yesWorthMicros: optional(bigint()),
  /** The version of the resolution that is paid, or that is reported as a change; null if a sandbox tester requested it. */
  resolutionVersion: optional(integer()),
  outcome: optional(text<'won' | 'lost' | 'void'>()),
  lifetimePnlMinor: optional(bigint()),

  funds: optional(text<Funds>()),
  otherAccount: optional(text<OtherAccount>()),

  /** The lines of the row's double entry: signed cents of each account, a debit positive. They sum to zero. */
  available: optional(bigint()),
  held: optional(bigint()),
  stakes: optional(bigint()),
  result: optional(bigint()),
  platformFees: optional(bigint()),
  venueFees: optional(bigint()),
  other: optional(bigint()),

  /** The date of an entry that an administrator dated. */
  effectiveAt: optional(timestamp()),

  /** Why the order changed, in public words. */
  reason: optional(text()),
  cancellationId: optional(text()),
  memo: optional(text()),
  /** On a deposit of test money its id; on a reserve and on a movement of collateral the given reference. */
  reference: optional(text()),
  /** Words of a rare kind; of `order_answered` the fees that became known of fills that were recorded before (`LateFees`). */
  detail: optional(json<object>()),
};

/** The columns that `append_to_journal` adds. */
const ADDED = {
  /** The position of its first item. */
  sequence: bigint(),
  recordedAt: timestamp(),
  /** The time that the command wrote to the state beside the row; not after `recordedAt`. */
  decidedAt: timestamp(),
  /** The balance of each account that the row moved. */
  availableAfter: nullable(bigint()),
  heldAfter: nullable(bigint()),
  stakesAfter: nullable(bigint()),
  resultAfter: nullable(bigint()),
  platformFeesAfter: nullable(bigint()),
  venueFeesAfter: nullable(bigint()),
  otherAfter: nullable(bigint()),
};

/** A row as a command decides it. */
export interface JournalEntry extends RowOf<typeof DECIDED> {}

export type JournalAmounts = Pick<
  JournalEntry,
  'available' | 'held' | 'stakes' | 'result' | 'platformFees' | 'venueFees' | 'other'
>;

const SENT = { operatorId: text(), ...DECIDED };

/** A row as it is sent. */
export interface SentEntry extends RowOf<typeof SENT> {}
/** Its columns are those of the view `journal_row`, in its order. */
export const JOURNAL_ENTRY = rowOf(SENT);

/** A row as it is stored. */
export interface JournalRow extends SentEntry, RowOf<typeof ADDED> {}

export const JOURNAL_FIELDS: readonly string[] = Object.keys({ ...SENT, ...ADDED });

/** Micro-dollars as text, by the numbers of the fills: their fees, and the parts of them that are the service operator's, if any. */
export interface LateFees {
  readonly fees: Readonly<Record<string, string>>;
  readonly earned?: Readonly<Record<string, string>>;
}

/** The values that an item of the feed shows of a row: its amounts, and the lines of an entry, by their names. */
export interface ToldItem {
  readonly type: FeedItemType;
  readonly amounts: Readonly<Record<string, string>>;
}

/** Renders a row. */
export type Tell = (row: JournalRow) => readonly ToldItem[];

/** The lines of an entry in the order of their texts; new names for each account would cost more than the comparison. */
export const LINE_NAMES = ['line 1', 'line 2', 'line 3', 'line 4', 'line 5', 'line 6', 'line 7'] as const;

export const lineText = (account: string, debit: string, credit: string, balance: string): string =>
  `${account}: debit ${debit}, credit ${credit}, balance ${balance}`;

const named = new Map<string, Map<string, string>>();

/** The name of an amount in a block that is part of an item. It is made once for each block and amount. */
export function nameWithin(block: string, amount: string): string {
  const names = named.get(block) ?? new Map<string, string>();
  const name = names.get(amount) ?? `${block}.${amount}`;
  named.set(block, names.set(amount, name));
  return name;
}
