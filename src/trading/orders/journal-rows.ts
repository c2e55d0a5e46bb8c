/**
 * The rows that an order leaves in the journal without a venue: recorded, filled as it is recorded, confirmed, withdrawn, ended.
 * The columns and amounts that rows of fills from venues share with them stand here too. Pure.
 */
import { newDigits } from '../../core/ids.ts';
import type { Mode, OrderStatus } from '../../core/terms.ts';
import type { Funds, JournalEntry } from '../../ledger/journal-row.ts';
import { countItems } from '../../ledger/render/items.ts';
import type { FillMoney } from '../../money/blocks.ts';
import type { ExitPart, ExitShare } from '../../money/exit.ts';
import { assertTransition, cancelReasonOf, type Order, type OrderRow } from './order.ts';

/** @param commitsMinor cents of collateral that a live order commits at once, because its reserve came with it */
export function orderRecorded(order: Order, mode: Mode, commitsMinor: bigint): JournalEntry[] {
  const heldMinor = mode === 'sandbox' && order.action === 'buy' ? order.authorizationMinor : commitsMinor;
  return [stateChanged('order_recorded', order, null, { ...orderTerms(order), ...holdOf(mode, heldMinor) })];
}

/** How much was traded, in micro-contracts, and at which price, in micro-dollars. */
interface Traded {
  readonly quantityMicros: bigint;
  readonly priceMicros: bigint;
}

/** One fill of a sell, with the part of the position that it takes away. */
export interface Exit {
  readonly fill: Traded;
  /** The share of the position that an exit takes. */
  readonly share: ExitShare;
  /** The money of this fill, in cents. */
  readonly money: ExitPart;
  readonly entryPriceMicros: bigint;
  /** Whether the venue's own record of the fill agrees; null if there is none. */
  readonly venueAgrees: boolean | null;
}

/**
 * The one row of an order that is filled as it is recorded: its state, its fill, its money and its event. The items of this row have the
 * digits of the order.
 * @param exit the share of the position that the fill of a sell takes; null for a buy
 */
export function orderExecuted(order: Order, mode: Mode, fill: Traded, exit: Exit | null): JournalEntry {
  const funds: Funds = mode === 'sandbox' ? 'wallet' : 'cash';
  const money = order.action === 'buy' ? boughtFor(order, 'available') : exit === null ? {} : soldFor(exit);
  return stateChanged('order_executed', order, null, {
    ...orderTerms(order),
    digits: null,
    quantityMicros: fill.quantityMicros,
    priceMicros: fill.priceMicros,
    funds,
    ...money,
  });
}

/**
 * @param fromStatus status of the order before it was confirmed
 * @param commitsMinor cents of collateral that the order commits; 0 for a sell or a sandbox order
 */
export function reserveConfirmed(
  order: Order,
  fromStatus: OrderStatus,
  mode: Mode,
  commitsMinor: bigint,
  reference: string | null,
): JournalEntry[] {
  return [stateChanged('reserve_confirmed', order, fromStatus, { reference, ...holdOf(mode, commitsMinor) })];
}

/**
 * Withdraws an order before it was sent, and releases its hold. A wallet holds the amount since the order was recorded, collateral since
 * the reserve was confirmed.
 */
export function orderWithdrawn(order: OrderRow, mode: Mode, cancellationId: string, reason: string): JournalEntry[] {
  const state: Order = { ...order, status: 'cancelled', cancelReason: reason, venueFeeKnown: true };
  const holds = order.action === 'buy' && (mode === 'sandbox' || order.reserveConfirmedAt !== null);
  const released = holds && order.authorizationMinor > 0n ? releaseOf(mode, order.authorizationMinor) : {};
  return [stateChanged('order_withdrawn', state, order.status, { cancellationId, ...released })];
}

/**
 * @param fillCount number of fills of the order
 * @param partial whether less was filled than was ordered
 * @returns null if there is nothing to record
 */
export function orderEnds(
  order: Order,
  fillCount: number,
  partial: boolean,
  reason: string | null = null,
): JournalEntry | null {
  return rowOf({
    ...orderColumns(order),
    kind: 'order_ended',
    filledQuantityMicros: order.filledQuantityMicros,
    priceWeight: BigInt(order.priceWeight),
    fillNo: fillCount,
    partial,
    reason,
  });
}

/**
 * The state of an order after a transition, with the reason of a cancellation. Both states are equal if only transmission or final
 * money changed (contract 21.8).
 * @throws if an order cannot make this transition.
 */
export function stateChanged(
  kind: 'order_executed' | 'order_recorded' | 'reserve_confirmed' | 'order_withdrawn' | 'order_sent' | 'order_answered',
  order: Order,
  fromStatus: OrderStatus | null,
  more: Partial<JournalEntry> = {},
): JournalEntry {
  assertTransition(fromStatus, order.status);
  const row = { ...orderColumns(order), kind, fromStatus, ...more, reason: more.reason ?? cancelReasonOf(order) };
  return { digits: newDigits(), ...row, items: countItems(row) };
}

/** Gives a row its digits. @returns null if the row has no item, because then there is nothing to record */
export function rowOf(row: Omit<JournalEntry, 'items'>): JournalEntry | null {
  const items = countItems(row);
  return items === 0 ? null : { digits: newDigits(), ...row, items };
}

export function present(rows: readonly (JournalEntry | null)[]): JournalEntry[] {
  return rows.filter((row) => row !== null);
}

/** The columns of an order that every row about its state has. */
export function orderColumns(order: Order): Omit<JournalEntry, 'kind' | 'items'> {
  return {
    externalUserId: order.externalUserId,
    orderId: order.orderId,
    contractId: order.contractId,
    side: order.side,
    action: order.action,
    status: order.status,
    transmissionState: order.transmissionState,
    simulated: order.simulated,
    clientOrderId: order.clientOrderId,
    executionRef: order.executionRef,
    feeBps: order.feeBps,
    authorizationMinor: order.authorizationMinor,
    tradeMinor: order.tradeMinor,
    platformFeeMinor: order.platformFeeMinor,
    venueFeeMinor: order.venueFeeMinor,
    venueFeeKnown: order.venueFeeKnown,
  };
}

/** The terms on which an order was recorded. They never change. */
export function orderTerms(order: Order): Partial<JournalEntry> {
  return {
    quoteId: order.quoteId,
    intent: order.intent,
    quotedPriceMicros: order.priceMicros,
    slippageMicros: order.slippageMicros,
    quotedFeeMinor: order.quotedFeeMinor,
    quotedTradeMinor: order.quotedTradeMinor,
    quotedQuantityMicros: order.quotedQuantityMicros,
    venue: order.venue,
    routingReason: order.routingReason,
    consideredVenues: order.consideredVenues,
    scenarioId: order.scenarioId,
    reference: order.reserveReference,
  };
}

/** The funds that pay an order which waits or was sent. A simulated order that a live operator fills at once is paid in cash instead. */
export const fundsOf = (mode: Mode): Funds => (mode === 'sandbox' ? 'wallet' : 'collateral');

const holdOf = (mode: Mode, amountMinor: bigint): Partial<JournalEntry> =>
  amountMinor === 0n ? {} : { funds: fundsOf(mode), available: amountMinor, held: -amountMinor };

export const releaseOf = (mode: Mode, amountMinor: bigint): Partial<JournalEntry> => ({
  funds: fundsOf(mode),
  held: amountMinor,
  available: -amountMinor,
});

/** The debit leaves the funds, the trade amount becomes stakes, and the fees are earned. */
export const boughtFor = (
  { tradeMinor, platformFeeMinor, venueFeeMinor }: FillMoney,
  source: 'available' | 'held',
) => ({
  [source]: tradeMinor + platformFeeMinor + venueFeeMinor,
  stakes: -tradeMinor,
  platformFees: -platformFeeMinor,
  venueFees: -venueFeeMinor,
});

/** The cost of the contracts leaves stakes, the proceeds are credited, and the difference is the market's result. */
export function soldFor({ share, money, entryPriceMicros, venueAgrees }: Exit) {
  const { proceedsMinor, platformFeeMinor, venueFeeMinor } = money;
  const stakesMinor = share.costShareMinor - share.feeShareMinor;
  return {
    stakes: stakesMinor,
    result: proceedsMinor + platformFeeMinor + venueFeeMinor - stakesMinor,
    available: -proceedsMinor,
    platformFees: -platformFeeMinor,
    venueFees: -venueFeeMinor,
    feeShareMinor: share.feeShareMinor,
    remainingQuantityMicros: share.remaining.quantityMicros,
    entryPriceMicros,
    venueAgrees,
  };
}
