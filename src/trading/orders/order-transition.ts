/** A transition of a recorded order: the command that `move_orders` verifies and writes. */
import type { OrderStatus, Side, TransmissionState } from '../../core/terms.ts';
import { rowType } from '../../db/row-type.ts';
import type { JournalCommand, WithoutJournal } from '../../ledger/journal.ts';
import type { Action as VenueAction } from '../../venues/order.ts';

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
  readonly venueFillId: string | null;
}

/** Names the order and the state that the transition was decided on. */
export interface TransitionHead {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly orderId: string;
  readonly expectedVersion: bigint;
}

/** What is left out or null stays as it is. Amounts are cents, prices micro-dollars, quantities micro-contracts. */
export interface OrderTransition extends TransitionHead, JournalCommand {
  readonly status?: OrderStatus;
  readonly transmissionState?: TransmissionState;
  readonly filledQuantity?: bigint;
  readonly priceWeight?: bigint;
  readonly tradeMinor?: bigint;
  readonly platformFeeMinor?: bigint;
  readonly venueFeeMinor?: bigint;
  readonly venueFeeKnown?: boolean;
  readonly debitMinor?: bigint;
  readonly releaseMinor?: bigint;
  readonly proceedsMinor?: bigint;
  /** What a venue paid for more than a sell could deliver, cents: the service's own. */
  readonly venueGainMinor?: bigint;
  readonly countedStakeMinor?: bigint | null;
  /** Fills of a sell that have left the position. */
  readonly exitedFills?: number;
  readonly rejectReason?: string | null;
  readonly reserveReference?: string | null;
  /** The operator's reserve is confirmed. */
  readonly confirms?: boolean;
  readonly cancellationId?: string;
  readonly cancelReason?: string;
  /** Committed of the operator's collateral by a confirmed reserve. */
  readonly collateralMinor?: bigint;
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
  /** The position that a buy adds to, or the position that a sell exits. */
  readonly positionId?: string;
  readonly positionVersion?: bigint;
  readonly addQuantity?: bigint;
  readonly addCostMinor?: bigint;
  readonly addFeesMinor?: bigint;
  readonly addWeight?: bigint;
  readonly takeQuantity?: bigint;
  readonly costShareMinor?: bigint;
  readonly feeShareMinor?: bigint;
  readonly weightShare?: bigint;
  readonly addRealisedMinor?: bigint;
  /** Contracts of a sell that are no longer held back. */
  readonly unholdQuantity?: bigint | null;
  /** By how much the open exposure of the customer and of the operator changes. */
  readonly exposureMinor?: bigint;
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
  venueFillId: 'text',
});

export const ORDER_TRANSITION = rowType<WithoutJournal<OrderTransition>>({
  operatorId: 'text',
  externalUserId: 'text',
  orderId: 'text',
  expectedVersion: 'bigint',
  status: 'text',
  transmissionState: 'text',
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
  exitedFills: 'integer',
  rejectReason: 'text',
  reserveReference: 'text',
  confirms: 'boolean',
  cancellationId: 'text',
  cancelReason: 'text',
  collateralMinor: 'bigint',
  begins: 'boolean',
  adopts: 'boolean',
  attempt: { record: NEW_ATTEMPT },
  attemptState: 'text',
  attemptNotFound: 'integer',
  lookupInSeconds: 'double precision',
  fills: { listOf: NEW_FILL },
  positionId: 'text',
  positionVersion: 'bigint',
  addQuantity: 'bigint',
  addCostMinor: 'bigint',
  addFeesMinor: 'bigint',
  addWeight: 'numeric',
  takeQuantity: 'bigint',
  costShareMinor: 'bigint',
  feeShareMinor: 'bigint',
  weightShare: 'numeric',
  addRealisedMinor: 'bigint',
  unholdQuantity: 'bigint',
  exposureMinor: 'bigint',
});
