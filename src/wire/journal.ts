/**
 * The journal: one row for each change of an operator's money, orders or positions, in integers, closed words and ids. A row
 * takes as many consecutive positions of the operator's feed as it has items. src/ledger/render renders everything that is
 * shown of it (feed items, ledger entries, webhook events, exports, leaves of the log) from the row (docs/ledger.md).
 */
import type { Action, FeedItemType, OrderStatus, Resolution, Side, TransmissionState } from '../core/terms.ts';

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

/** Whose money the columns `available` and `held` are: a simulated wallet, the operator's collateral, or its own cash. */
export type Funds = 'wallet' | 'collateral' | 'cash';

/** Accounts that few rows touch; a row touches at most one of them, in the column `other`. */
export type OtherAccount = 'sandbox:float' | 'deposits' | 'overrun' | 'fees:returned';

/** The lines of a row's double entry: signed cents of each account, a debit positive. They sum to zero. */
export interface JournalAmounts {
  readonly available?: bigint | null;
  readonly held?: bigint | null;
  readonly stakes?: bigint | null;
  readonly result?: bigint | null;
  readonly platformFees?: bigint | null;
  readonly venueFees?: bigint | null;
  readonly other?: bigint | null;
}

/** The fields of a row that the command decides. Amounts are cents, prices micro-dollars, quantities micro-contracts. */
export interface JournalEntry extends JournalAmounts {
  readonly kind: JournalKind;
  /** The number of feed items of the row. */
  readonly items: number;
  readonly externalUserId?: string | null;
  readonly orderId?: string | null;
  readonly positionId?: string | null;
  readonly contractId?: string | null;
  /** The 32 hexadecimal digits that the ids of its items share; null if they are those of the order. */
  readonly digits?: string | null;

  /** The order after the row, and its status before. */
  readonly side?: Side | null;
  readonly action?: Action | null;
  readonly status?: OrderStatus | null;
  readonly fromStatus?: OrderStatus | null;
  readonly transmissionState?: TransmissionState | null;
  readonly simulated?: boolean | null;
  readonly clientOrderId?: string | null;
  readonly executionRef?: string | null;
  readonly feeBps?: number | null;
  readonly authorizationMinor?: bigint | null;
  /** Of `overrun_posted`, what a venue paid for more than a sell could deliver. */
  readonly tradeMinor?: bigint | null;
  readonly platformFeeMinor?: bigint | null;
  readonly venueFeeMinor?: bigint | null;
  readonly venueFeeKnown?: boolean | null;
  readonly filledQuantity?: bigint | null;
  /** The sum of price times quantity over its fills. */
  readonly priceWeight?: bigint | null;

  /** The terms of an order as it is recorded. */
  readonly quoteId?: string | null;
  readonly intent?: 'record_intent' | 'simulate' | null;
  readonly quotedPriceMicros?: bigint | null;
  readonly slippageMicros?: bigint | null;
  readonly quotedFeeMinor?: bigint | null;
  readonly quotedTradeMinor?: bigint | null;
  readonly quotedQuantity?: bigint | null;
  readonly venue?: string | null;
  readonly routingReason?: string | null;
  readonly consideredVenues?: number | null;
  readonly scenarioId?: string | null;

  /** The attempt of `order_sent` at a venue, beside its quantity and limit: the dollars of a buy that spends dollars, in millionths. */
  readonly spendMicros?: bigint | null;
  /** Our id of the order there. */
  readonly ourId?: string | null;
  /** After so many seconds the venue itself refuses the order. */
  readonly validSeconds?: number | null;

  /** The fill of the row; of `order_ended`, how many fills there were. */
  readonly fillNo?: number | null;
  /** Of the fill; of `order_sent` the quantity that is asked for. */
  readonly quantity?: bigint | null;
  /** Of the fill; of `order_sent` the limit. */
  readonly priceMicros?: bigint | null;
  /** The order's money that this fill adds: the difference of two cumulatives. */
  readonly fillTradeMinor?: bigint | null;
  readonly fillPlatformFeeMinor?: bigint | null;
  readonly fillVenueFeeMinor?: bigint | null;
  readonly fillFeeKnown?: boolean | null;
  /** What the venue took of the fill, micro-dollars; null while it is unknown. */
  readonly fillFeeMicros?: bigint | null;
  /** The venue's id of the fill; null if the service filled the order itself. */
  readonly venueFillId?: string | null;
  /** The part of the fee that the venue collects for the service operator, micro-dollars; null if there is none or it is unknown. */
  readonly earnedMicros?: bigint | null;
  /** Whether less is matched than was asked for. */
  readonly partial?: boolean | null;

  /** Contracts that leave a position by an exit or a settlement: their share of the entry fees, and what remains. */
  readonly feeShareMinor?: bigint | null;
  readonly remainingQuantity?: bigint | null;
  readonly entryPriceMicros?: bigint | null;
  readonly venueAgrees?: boolean | null;
  /** A fee that lowers the profit of a position that holds nothing any more. */
  readonly isLoss?: boolean | null;

  readonly resolution?: Resolution | null;
  readonly yesWorthMicros?: bigint | null;
  /** Of the contract's resolution that is paid, or that is reported as a change; null if a sandbox tester asked for it. */
  readonly resolutionVersion?: number | null;
  readonly outcome?: 'won' | 'lost' | 'void' | null;
  readonly lifetimePnlMinor?: bigint | null;

  readonly funds?: Funds | null;
  readonly otherAccount?: OtherAccount | null;
  /** The date of an entry that a person dated. */
  readonly effectiveAt?: Date | null;

  /** Why the order changed, in public words. */
  readonly reason?: string | null;
  readonly cancellationId?: string | null;
  readonly memo?: string | null;
  /** Of a deposit of test money its id; of a reserve and of a movement of collateral the reference that was given. */
  readonly reference?: string | null;
  /** Words of a rare kind; of `order_answered` the fees that became known of fills that were recorded before (`LateFees`). */
  readonly detail?: object | null;
}

/** Micro-dollars as text, by the numbers of the fills: their fees, and the parts of them that are the service operator's, if any. */
export interface LateFees {
  readonly fees: Readonly<Record<string, string>>;
  readonly earned?: Readonly<Record<string, string>>;
}

/** A row as it is stored: the command's fields, its place, and the balance of each account that it moved. */
export interface JournalRow extends JournalEntry {
  readonly operatorId: string;
  /** The position of its first item. */
  readonly sequence: bigint;
  readonly recordedAt: Date;
  /** The time that the command wrote to the state beside the row; not after `recordedAt`. */
  readonly decidedAt: Date;
  readonly availableAfter: bigint | null;
  readonly heldAfter: bigint | null;
  readonly stakesAfter: bigint | null;
  readonly resultAfter: bigint | null;
  readonly platformFeesAfter: bigint | null;
  readonly venueFeesAfter: bigint | null;
  readonly otherAfter: bigint | null;
}

/** What an operator is told of a row in one item of the feed: its amounts, by their names. */
export interface ToldItem {
  readonly type: FeedItemType;
  readonly amounts: Readonly<Record<string, string>>;
}

/** Renders a row. */
export type Tell = (row: JournalRow) => readonly ToldItem[];
