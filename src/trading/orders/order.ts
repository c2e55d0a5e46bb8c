/**
 * An order: the columns of its row, the command that writes it, its states and the moves between them. Each column is listed once
 * here; a new column of `orders` is added to the table, here, and to update_orders (sql/functions/trading/move_orders.sql) if it
 * changes later (docs/ledger.md, "The write path").
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { Action, OrderStatus, Side } from '../../core/terms.ts';
import { rowType } from '../../db/row-type.ts';
import type { OrderMoney } from '../../money/blocks.ts';
import type { Action as VenueAction } from '../../venues/port.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import type { QuotedLevel } from '../quotes/price-quote.ts';
import type { RoutingReason } from '../quotes/routing.ts';

export type Intent = 'record_intent' | 'simulate';

/** Every column that TypeScript decides. Amounts are cents, prices micro-dollars, quantities micro-contracts. */
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
  /** The position that a sell exits, or that a buy has opened or extended. */
  readonly positionId: string | null;
  readonly scenarioId: string | null;
  readonly rejectReason: string | null;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly venue: string;
  /** The levels of the book that its quote took. */
  readonly levels: readonly QuotedLevel[];
  readonly armed: boolean;
  readonly reserveReference: string | null;
  readonly cancellationId: string | null;
  readonly cancelReason: string | null;
  /** Every transition raises it. */
  readonly version: bigint;
}

/** The columns that the money statements set. */
interface OrderTimes {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly reserveConfirmedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly transmittedAt: Date | null;
}

/** A row of `orders` as it is read from the database. */
export interface OrderRow extends Order, OrderTimes {}

/** The row as the money statements take it: every column of the table that is written, in its order. */
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
  positionId: 'text',
  scenarioId: 'text',
  rejectReason: 'text',
  routingReason: 'text',
  consideredVenues: 'integer',
  venue: 'text',
  levels: 'jsonb',
  armed: 'boolean',
  reserveReference: 'text',
  cancellationId: 'text',
  cancelReason: 'text',
  version: 'bigint',
  createdAt: 'timestamp with time zone',
  updatedAt: 'timestamp with time zone',
  reserveConfirmedAt: 'timestamp with time zone',
  cancelledAt: 'timestamp with time zone',
  transmittedAt: 'timestamp with time zone',
});

/** The reason that is recorded with an operator's own cancel. */
export const OPERATOR_REQUEST = 'operator_request';

/**
 * State of the attempt at a venue: `sending` until the venue answers, `reading_fee` while the fee of a fill is unknown, `done` once no
 * look-up is needed.
 */
export type AttemptState = 'sending' | 'unknown' | 'working' | 'reading_fee' | 'done';

/** The attempt that a transition to `submitted` records. */
export interface NewAttempt {
  readonly ourId: string;
  readonly venue: string;
  readonly listingId: string;
  readonly side: Side;
  readonly action: VenueAction;
  readonly quantity: bigint;
  readonly limitPriceMicros: bigint;
  /** The amount that a buy spends before fees, if the venue takes dollars. */
  readonly spendMicros: bigint | null;
  /** The order's id at the venue, if it is known before the order is sent. */
  readonly venueRef: string | null;
  /** The venue's terms with which it was prepared, on which its fees depend. */
  readonly venueTerms: string | null;
  readonly validSeconds: number;
}

/** What a command does besides writing its order, and what it was decided on. A field that is missing or null has no effect. */
export interface OrderEffects {
  /** The version of the position on which an exit, or a late fee, was decided. */
  readonly positionVersion?: bigint | null;
  /** The revision of the book on which the order was decided; null if the contract is not on the board. */
  readonly bookRevision?: bigint | null;
  /** The market's refusal, which is reported after all checks of the operator, the customer and the quote. */
  readonly refusal?: ErrorCode | null;
  /** A refusal that is reported after the limits and before the funds. */
  readonly lateRefusal?: ErrorCode | null;

  /** Cents that are taken from the simulated wallet, or held in it. */
  readonly walletMinor?: bigint;
  /** Cents of the operator's collateral that are committed. */
  readonly collateralMinor?: bigint;
  /** The change of the open exposure of the customer and of the operator, in cents. */
  readonly exposureMinor?: bigint;

  /** Id of the position that bought contracts open, unless one is open already. */
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
  /** Contracts of a sell that are held back from now on; below zero, contracts that are released. */
  readonly holdQuantity?: bigint;

  /** Whether the transition begins a transmission, so that gates and caps are checked under their locks. */
  readonly begins?: boolean;
  /** Whether the order is at the venue already, so that gates and caps are not checked. */
  readonly adopts?: boolean;
  readonly attempt?: NewAttempt | null;
  readonly attemptState?: AttemptState | null;
  readonly attemptNotFound?: number;
  /** Seconds until the attempt is looked up at the venue. */
  readonly lookupInSeconds?: number;
}

/**
 * A command that `place_orders` or `move_orders` verifies and writes: the order as it is afterwards. Its `version` is the one on which the
 * command was decided.
 */
export interface OrderCommand extends Order, OrderEffects {
  /** The rows that are recorded with the command, in this order. */
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
  spendMicros: 'bigint',
  venueRef: 'text',
  venueTerms: 'text',
  validSeconds: 'integer',
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
});

/**
 * Every transition that an order can make (contract 12.2 to 12.15), by the state before; '' is the state of an order that is not
 * recorded yet. The table `order_transitions` has the same list, and the database checks each transition again.
 */
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

/** An order may keep its status while its transmission or its money changes. @throws Error if there is no such transition */
export function assertTransition(from: OrderStatus | null, to: OrderStatus): void {
  if (from !== to && !ORDER_TRANSITIONS[from ?? ''].includes(to)) {
    throw new Error(`no transition of an order from ${from ?? 'none'} to ${to}`);
  }
}

/** Why an order was cancelled. If a cancelled order has no reason of ours, the venue closed it (contract 11.6). */
export function cancelReasonOf({ status, cancelReason }: Pick<Order, 'status' | 'cancelReason'>): string | null {
  return status === 'cancelled' ? (cancelReason ?? 'closed_unfilled') : null;
}

/**
 * What an order is decided on: its quote, the position that it would exit, the scenario that waits for it, and an earlier order with
 * its key. The columns of the quote are null if this customer has no such quote.
 */
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
  readonly levels: readonly QuotedLevel[];
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
