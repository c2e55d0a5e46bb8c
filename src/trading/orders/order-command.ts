/** An order as it was decided, and what it was decided on: the command that `place_orders` verifies and writes. */
import type { ErrorCode } from '../../core/errors.ts';
import type { Action, OrderStatus, Side, TransmissionState } from '../../core/terms.ts';
import { rowType } from '../../db/row-type.ts';
import type { JournalCommand, WithoutJournal } from '../../ledger/journal.ts';
import type { RoutingReason } from '../quotes/routing.ts';
import type { Intent } from './order.ts';

/** Amounts are cents, prices micro-dollars, quantities micro-contracts. */
export interface OrderCommand extends JournalCommand {
  readonly clientOrderId: string;
  readonly executionRef: string;
  readonly quoteId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly action: Action;
  readonly intent: Intent;
  readonly status: OrderStatus;
  readonly transmissionState: TransmissionState;
  readonly simulated: boolean;
  readonly priceMicros: bigint;
  readonly slippageMicros: bigint;
  readonly feeBps: number;
  readonly authorizationMinor: bigint;
  readonly quotedFeeMinor: bigint;
  readonly quotedTradeMinor: bigint;
  readonly quotedQuantity: bigint;
  readonly filledQuantity: bigint;
  readonly fillPriceMicros: bigint | null;
  /** Whether its one fill is part of its row. */
  readonly filledAtOnce: boolean;
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
  readonly venueFeeKnown: boolean;
  readonly debitMinor: bigint;
  readonly releaseMinor: bigint;
  readonly proceedsMinor: bigint;
  /** What counts against the customer's limit of a period. */
  readonly countedStakeMinor: bigint;
  /** The position that a buy opens if none is open, or the position that a sell exits. */
  readonly positionId: string | null;
  /** The version of the position that an exit was decided on. */
  readonly positionVersion: bigint | null;
  readonly costShareMinor: bigint | null;
  readonly feeShareMinor: bigint | null;
  readonly weightShare: bigint | null;
  readonly scenarioId: string | null;
  readonly rejectReason: string | null;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly venue: string;
  readonly armed: boolean;
  readonly reserveReference: string | null;
  /** The revision of the book that the order was decided on; null if the contract is not on the board. */
  readonly bookRevision: bigint | null;
  /** What the market refuses; reported after everything that concerns the operator, the customer and the quote. */
  readonly refusal: ErrorCode | null;
  /** Reported after limits and before funds. */
  readonly lateRefusal: ErrorCode | null;
  /** Taken from the simulated wallet, or held in it. */
  readonly walletMinor: bigint;
  /** Committed of the operator's collateral. */
  readonly collateralMinor: bigint;
}

export const ORDER_COMMAND = rowType<WithoutJournal<OrderCommand>>({
  operatorId: 'text',
  externalUserId: 'text',
  orderId: 'text',
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
  fillPriceMicros: 'bigint',
  filledAtOnce: 'boolean',
  tradeMinor: 'bigint',
  platformFeeMinor: 'bigint',
  venueFeeMinor: 'bigint',
  venueFeeKnown: 'boolean',
  debitMinor: 'bigint',
  releaseMinor: 'bigint',
  proceedsMinor: 'bigint',
  countedStakeMinor: 'bigint',
  positionId: 'text',
  positionVersion: 'bigint',
  costShareMinor: 'bigint',
  feeShareMinor: 'bigint',
  weightShare: 'numeric',
  scenarioId: 'text',
  rejectReason: 'text',
  routingReason: 'text',
  consideredVenues: 'integer',
  venue: 'text',
  armed: 'boolean',
  reserveReference: 'text',
  bookRevision: 'bigint',
  refusal: 'text',
  lateRefusal: 'text',
  walletMinor: 'bigint',
  collateralMinor: 'bigint',
});
