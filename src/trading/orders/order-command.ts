/** A command of an order, that `place_orders` or `move_orders` verifies and writes: the order's row, and what else it does. */
import type { ErrorCode } from '../../core/errors.ts';
import type { Side } from '../../core/terms.ts';
import { rowType } from '../../db/row-type.ts';
import type { Action as VenueAction } from '../../venues/port.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import type { Order } from './order.ts';

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
