/**
 * An order: the columns of its row, the command that writes it, its states and the moves between them. Each column is listed once
 * here; a new column of `orders` is added to the table, here, and to update_orders (sql/functions/trading/move_orders.sql) if it
 * changes later (docs/ledger.md, "The write path").
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { Action, OrderStatus, Side, TransmissionState } from '../../core/terms.ts';
import {
  bigint,
  boolean,
  double,
  integer,
  jsonb,
  nullable,
  numeric,
  optional,
  type RowOf,
  type RowType,
  record,
  rowOf,
  text,
  timestamp,
} from '../../db/row-type.ts';
import type { JournalEntry } from '../../ledger/journal-row.ts';
import type { Action as VenueAction } from '../../venues/port.ts';
import type { QuotedLevel } from '../quotes/price-quote.ts';
import type { RoutingReason } from '../quotes/routing.ts';

export type Intent = 'record_intent' | 'simulate';

/** Every column that TypeScript decides. Amounts are cents, prices micro-dollars, quantities micro-contracts. */
const DECIDED = {
  operatorId: text(),
  orderId: text(),
  externalUserId: text(),
  clientOrderId: text(),
  executionRef: text(),
  quoteId: text(),
  contractId: text(),
  side: text<Side>(),
  action: text<Action>(),
  intent: text<Intent>(),
  status: text<OrderStatus>(),
  transmissionState: text<TransmissionState>(),
  simulated: boolean(),
  priceMicros: bigint(),
  slippageMicros: bigint(),
  feeBps: integer(),
  authorizationMinor: bigint(),
  quotedFeeMinor: bigint(),
  quotedTradeMinor: bigint(),
  quotedQuantityMicros: bigint(),
  filledQuantityMicros: bigint(),
  /** The sum of price times quantity over its fills, as text. */
  priceWeight: numeric<string>(),
  tradeMinor: bigint(),
  platformFeeMinor: bigint(),
  venueFeeMinor: bigint(),
  /** False while a venue has not reported the fee of a fill. */
  venueFeeKnown: boolean(),
  /** The position that a sell exits, or that a buy has opened or extended. */
  positionId: nullable(text()),
  scenarioId: nullable(text()),
  rejectReason: nullable(text()),
  routingReason: text<RoutingReason>(),
  consideredVenues: integer(),
  venue: text(),
  /** The levels of the order book that its quote took. */
  levels: jsonb<readonly QuotedLevel[]>(),
  armed: boolean(),
  reserveReference: nullable(text()),
  cancellationId: nullable(text()),
  cancelReason: nullable(text()),
  /** Every transition raises it. */
  version: bigint(),
};

/** The columns that the money statements set. */
const TIMES = {
  createdAt: timestamp(),
  updatedAt: timestamp(),
  reserveConfirmedAt: nullable(timestamp()),
  cancelledAt: nullable(timestamp()),
  transmittedAt: nullable(timestamp()),
};

export interface Order extends RowOf<typeof DECIDED> {}
/** A row of `orders` as it is read from the database. */
export interface OrderRow extends Order, RowOf<typeof TIMES> {}

/** The row as the money statements take it: every column of the table that is written, in its order. An order that is new has no times. */
export const ORDER_ROW: RowType<Order & Partial<RowOf<typeof TIMES>>> = rowOf({ ...DECIDED, ...TIMES });

/** The reason that is recorded with an operator's own cancel. */
export const OPERATOR_REQUEST = 'operator_request';

/**
 * State of the attempt at a venue: `sending` until the venue responds, `reading_fee` while the fee of a fill is unknown, `done` once no
 * look-up is needed.
 */
export type AttemptState = 'sending' | 'unknown' | 'working' | 'reading_fee' | 'done';

/** The attempt that a transition to `submitted` records. */
const ATTEMPT = {
  ourId: text(),
  venue: text(),
  listingId: text(),
  side: text<Side>(),
  action: text<VenueAction>(),
  quantityMicros: bigint(),
  limitPriceMicros: bigint(),
  /** The amount that a buy spends before fees, if the venue takes dollars. */
  spendMicros: nullable(bigint()),
  /** The order's id at the venue, if it is known before the order is sent. */
  venueRef: nullable(text()),
  /** The venue's terms with which it was prepared, on which its fees depend. */
  venueTerms: nullable(text()),
  validSeconds: integer(),
};

export interface NewAttempt extends RowOf<typeof ATTEMPT> {}
export const NEW_ATTEMPT = rowOf(ATTEMPT);

/**
 * The effects of a command besides writing its order, and the facts on which it was decided. A column that is missing or null has no
 * effect.
 */
const EFFECTS = {
  /** The version of the position on which an exit, or a late fee, was decided. */
  positionVersion: optional(bigint()),
  /** The revision of the order book on which the order was decided; null if it does not depend on one. */
  bookRevision: optional(bigint()),
  /** The market's refusal, which is reported after all checks of the operator, the customer and the quote. */
  refusal: optional(text<ErrorCode>()),
  /** A refusal that is reported after the limits and before the funds. */
  lateRefusal: optional(text<ErrorCode>()),

  /** Cents that are taken from the simulated wallet, or held in it. */
  walletMinor: optional(bigint()),
  /** Cents of the operator's collateral that are committed. */
  collateralMinor: optional(bigint()),
  /** The change of the open exposure of the customer and of the operator, in cents. */
  exposureMinor: optional(bigint()),

  /** Id of the position that bought contracts open, unless one is open already. */
  opensPositionId: optional(text()),
  addQuantityMicros: optional(bigint()),
  addCostMinor: optional(bigint()),
  addFeesMinor: optional(bigint()),
  addWeight: optional(numeric()),
  takeQuantityMicros: optional(bigint()),
  costShareMinor: optional(bigint()),
  feeShareMinor: optional(bigint()),
  weightShare: optional(numeric()),
  addRealisedMinor: optional(bigint()),
  /** Contracts of a sell that are held back from now on; below zero, contracts that are released. */
  holdQuantityMicros: optional(bigint()),

  /** Whether the transition begins a transmission, so that gates and caps are checked under their locks. */
  begins: optional(boolean()),
  /** Whether the order is at the venue already, so that gates and caps are not checked. */
  adopts: optional(boolean()),
  attempt: optional(record(NEW_ATTEMPT)),
  attemptState: optional(text<AttemptState>()),
  attemptNotFound: optional(integer()),
  /** Seconds until the attempt is looked up at the venue. */
  lookupInSeconds: optional(double()),
};

export interface OrderEffects extends RowOf<typeof EFFECTS> {}
export const ORDER_EFFECTS = rowOf(EFFECTS);

/**
 * A command that `place_orders` or `move_orders` verifies and writes: the order as it is afterwards. Its `version` is the one on which the
 * command was decided.
 */
export interface OrderCommand extends Order, OrderEffects {
  /** The rows that are recorded with the command, in this order. */
  readonly journal: readonly JournalEntry[];
}

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

/**
 * An order may keep its status while its transmission or its money changes.
 * @throws Error if the transition does not exist
 */
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
 * The facts on which an order is decided: its quote, the position that it would exit, the scenario that waits for it, and an earlier order
 * with its key. The columns of the quote are null if this customer has no such quote.
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
  readonly quantityMicros: bigint;
  readonly simulated: boolean;
  readonly venue: string;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly levels: readonly QuotedLevel[];
  readonly positionId: string | null;
  readonly positionQuantityMicros: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly priceWeight: string;
  readonly averagePriceMicros: bigint;
  readonly positionVersion: bigint;
  readonly scenarioId: string | null;
  readonly fillFraction: string | null;
  readonly fillAmountMinor: bigint | null;
}
