/**
 * An order: the columns of its row, each once. What is read, what a money statement takes (`ORDER_ROW`) and what the journal says of
 * an order follow from this list; the functions in SQL take rows of it. A new column of `orders` is added to the
 * table, here, and to update_orders (sql/functions/trading/move_orders.sql) if it changes later (docs/ledger.md, "The write path").
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { Action, OrderStatus, Side } from '../../core/terms.ts';
import { rowType } from '../../db/row-type.ts';
import type { OrderMoney } from '../../money/blocks.ts';
import type { Action as VenueAction } from '../../venues/port.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import type { RoutingReason } from '../quotes/routing.ts';

export type Intent = 'record_intent' | 'simulate';

/** Every column that is decided here. Amounts are cents, prices micro-dollars, quantities micro-contracts. */
export interface Order extends OrderMoney {
  readonly operatorId: string;
  readonly orderId: string;
  readonly externalUserId: string;
  readonly clientOrderId: string;
  readonly executionRef: string;
  readonly quoteId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly intent: Intent;
  readonly simulated: boolean;
  readonly priceMicros: bigint;
  readonly slippageMicros: bigint;
  readonly feeBps: number;
  readonly quotedFeeMinor: bigint;
  readonly quotedTradeMinor: bigint;
  readonly quotedQuantity: bigint;
  readonly filledQuantity: bigint;
  /** The sum of price times quantity over its fills, as text. */
  readonly priceWeight: string;
  readonly debitMinor: bigint;
  readonly releaseMinor: bigint;
  readonly proceedsMinor: bigint;
  /** What a venue paid for more than a sell could deliver: the service's own. */
  readonly venueGainMinor: bigint;
  /** What counts against the customer's limit of a period. */
  readonly countedStakeMinor: bigint;
  /** The position that a sell exits, or that a buy is in. */
  readonly positionId: string | null;
  readonly scenarioId: string | null;
  readonly rejectReason: string | null;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly venue: string;
  readonly armed: boolean;
  readonly reserveReference: string | null;
  readonly cancellationId: string | null;
  readonly cancelReason: string | null;
  /** Raised by every transition. */
  readonly version: bigint;
  /** Fills of a sell that have left the position. */
  readonly exitedFills: number;
  /** Whether its one fill is part of its row. */
  readonly filledAtOnce: boolean;
}

/** What the money statements give an order. */
interface OrderTimes {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly reserveConfirmedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly transmittedAt: Date | null;
}

/** A row of `orders` as it is read. */
export interface OrderRow extends Order, OrderTimes {}

/** The row as the money statements take it: every column of the table, in its order. */
export const ORDER_ROW = rowType<Order & Partial<OrderTimes>>({
  operatorId: 'text',
  orderId: 'text',
  externalUserId: 'text',
  clientOrderId: 'text',
  executionRef: 'text',
  quoteId: 'text',
  contractId: 'text',
  side: 'text',
  action: 'text',
  intent: 'text',
  status: 'text',
  transmissionState: 'text',
  simulated: 'boolean',
  priceMicros: 'bigint',
  slippageMicros: 'bigint',
  feeBps: 'integer',
  authorizationMinor: 'bigint',
  quotedFeeMinor: 'bigint',
  quotedTradeMinor: 'bigint',
  quotedQuantity: 'bigint',
  filledQuantity: 'bigint',
  priceWeight: 'numeric',
  tradeMinor: 'bigint',
  platformFeeMinor: 'bigint',
  venueFeeMinor: 'bigint',
  venueFeeKnown: 'boolean',
  debitMinor: 'bigint',
  releaseMinor: 'bigint',
  proceedsMinor: 'bigint',
  venueGainMinor: 'bigint',
  countedStakeMinor: 'bigint',
  positionId: 'text',
  scenarioId: 'text',
  rejectReason: 'text',
  routingReason: 'text',
  consideredVenues: 'integer',
  venue: 'text',
  armed: 'boolean',
  reserveReference: 'text',
  cancellationId: 'text',
  cancelReason: 'text',
  version: 'bigint',
  exitedFills: 'integer',
  filledAtOnce: 'boolean',
  createdAt: 'timestamp with time zone',
  updatedAt: 'timestamp with time zone',
  reserveConfirmedAt: 'timestamp with time zone',
  cancelledAt: 'timestamp with time zone',
  transmittedAt: 'timestamp with time zone',
});

export interface FillRow {
  readonly fillId: string;
  readonly quantity: bigint;
  readonly priceMicros: bigint;
  readonly filledAt: Date;
}

/** What an operator's own cancel is recorded with. */
export const OPERATOR_REQUEST = 'operator_request';

// A command of an order, that `place_orders` or `move_orders` verifies and writes: the order's row, and what else it
// does.

/** `sending` until the venue answered, `reading_fee` while the fee of a fill is unknown, `done` when nothing is left to ask. */
export type AttemptState = 'sending' | 'unknown' | 'working' | 'reading_fee' | 'done';

/** The attempt that a transition to `submitted` begins. */
export interface NewAttempt {
  readonly ourId: string;
  readonly venue: string;
  readonly listingId: string;
  readonly side: Side;
  readonly action: VenueAction;
  readonly quantity: bigint;
  readonly limitPriceMicros: bigint;
  readonly maxCostMicros: bigint | null;
  /** What a buy spends before fees, if the venue takes dollars. */
  readonly spendMicros: bigint | null;
  /** The order's id at the venue, if it is known before the order is sent. */
  readonly venueRef: string | null;
  readonly validSeconds: number;
}

/** A fill to record; one that is recorded already only gets the fee that became known. */
export interface NewFill {
  readonly fillNo: number;
  readonly fillId: string;
  readonly quantity: bigint;
  readonly priceMicros: bigint;
  readonly feeMicros: bigint | null;
  /** The part of the fee that the venue collects for the service operator. */
  readonly earnedMicros: bigint;
  readonly venueFillId: string | null;
}

/** What a command does beside writing its order, and what it was decided on. What is left out or null does nothing. */
export interface OrderEffects {
  /** The version of the position that an exit, or a late fee, was decided on. */
  readonly positionVersion?: bigint | null;
  /** The revision of the book that the order was decided on; null if the contract is not on the board. */
  readonly bookRevision?: bigint | null;
  /** What the market refuses; reported after everything that concerns the operator, the customer and the quote. */
  readonly refusal?: ErrorCode | null;
  /** Reported after limits and before funds. */
  readonly lateRefusal?: ErrorCode | null;

  /** Taken from the simulated wallet, or held in it. */
  readonly walletMinor?: bigint;
  /** Committed of the operator's collateral. */
  readonly collateralMinor?: bigint;
  /** By how much the open exposure of the customer and of the operator changes. */
  readonly exposureMinor?: bigint;

  /** The position that bought contracts open if none is open. */
  readonly opensPositionId?: string;
  readonly addQuantity?: bigint;
  readonly addCostMinor?: bigint;
  readonly addFeesMinor?: bigint;
  readonly addWeight?: bigint;
  readonly takeQuantity?: bigint;
  readonly costShareMinor?: bigint;
  readonly feeShareMinor?: bigint;
  readonly weightShare?: bigint;
  readonly addRealisedMinor?: bigint;
  /** Contracts of a sell that are held back from now on, or below zero that are let go. */
  readonly holdQuantity?: bigint;

  /** The transition begins a transmission: gates and caps are checked under their locks. */
  readonly begins?: boolean;
  /** The order is at the venue already, so gates and caps are not checked. */
  readonly adopts?: boolean;
  readonly attempt?: NewAttempt | null;
  readonly attemptState?: AttemptState | null;
  readonly attemptNotFound?: number;
  /** Seconds until the venue is asked about the attempt. */
  readonly lookupInSeconds?: number;
  readonly fills?: readonly NewFill[];
}

/** The order as it is after the command; its `version` is the one that the command was decided on. */
export interface OrderCommand extends Order, OrderEffects {
  /** Recorded with the command, in this order. */
  readonly journal: readonly JournalEntry[];
}

export const NEW_ATTEMPT = rowType<NewAttempt>({
  ourId: 'text',
  venue: 'text',
  listingId: 'text',
  side: 'text',
  action: 'text',
  quantity: 'bigint',
  limitPriceMicros: 'bigint',
  maxCostMicros: 'bigint',
  spendMicros: 'bigint',
  venueRef: 'text',
  validSeconds: 'double precision',
});

export const NEW_FILL = rowType<NewFill>({
  fillNo: 'integer',
  fillId: 'text',
  quantity: 'bigint',
  priceMicros: 'bigint',
  feeMicros: 'bigint',
  earnedMicros: 'bigint',
  venueFillId: 'text',
});

export const ORDER_EFFECTS = rowType<OrderEffects>({
  positionVersion: 'bigint',
  bookRevision: 'bigint',
  refusal: 'text',
  lateRefusal: 'text',
  walletMinor: 'bigint',
  collateralMinor: 'bigint',
  exposureMinor: 'bigint',
  opensPositionId: 'text',
  addQuantity: 'bigint',
  addCostMinor: 'bigint',
  addFeesMinor: 'bigint',
  addWeight: 'numeric',
  takeQuantity: 'bigint',
  costShareMinor: 'bigint',
  feeShareMinor: 'bigint',
  weightShare: 'numeric',
  addRealisedMinor: 'bigint',
  holdQuantity: 'bigint',
  begins: 'boolean',
  adopts: 'boolean',
  attempt: { record: NEW_ATTEMPT },
  attemptState: 'text',
  attemptNotFound: 'integer',
  lookupInSeconds: 'double precision',
  fills: { listOf: NEW_FILL },
});

// Every transition that an order can make (contract 12.2 to 12.15), checked before a transition is written. The table
// `order_transitions` has the same list, and the database checks it again.

/** By the state before; '' is the state of an order that is not recorded yet. */
export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus | '', readonly OrderStatus[]>> = {
  '': ['reserve_pending', 'pending_venue_execution', 'filled', 'partially_filled', 'rejected', 'cancelled'],
  reserve_pending: ['pending_venue_execution', 'cancelled'],
  pending_venue_execution: ['cancelled', 'submitted'],
  submitted: ['partially_filled', 'filled', 'rejected', 'cancelled'],
  partially_filled: ['filled'],
  filled: [],
  rejected: [],
  cancelled: [],
  pending: [],
};

/** An order may stay in its state while its transmission or its money goes on. @throws where nothing leads from one to the other. */
export function assertTransition(from: OrderStatus | null, to: OrderStatus): void {
  if (from !== to && !ORDER_TRANSITIONS[from ?? ''].includes(to)) {
    throw new Error(`no transition of an order from ${from ?? 'none'} to ${to}`);
  }
}

/** Columns of the quote are null if this customer has no such quote. */
export interface OrderContext {
  readonly customerSuspended: boolean;
  readonly existingOrderId: string | null;
  readonly quoteId: string | null;
  readonly contractId: string;
  readonly side: Side;
  readonly action: Action;
  readonly priceMicros: bigint;
  readonly feeBps: number;
  readonly authorizationMinor: bigint;
  readonly feeMinor: bigint;
  readonly tradeMinor: bigint;
  readonly quantity: bigint;
  readonly simulated: boolean;
  readonly venue: string;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly positionId: string | null;
  readonly positionQuantity: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly priceWeight: string;
  readonly averagePriceMicros: bigint;
  readonly positionVersion: bigint;
  readonly scenarioId: string | null;
  readonly fillFraction: string | null;
  readonly fillAmountMinor: bigint | null;
}
