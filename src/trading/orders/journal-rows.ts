/** The journal rows of an order that changes its state without trading: recorded, confirmed, withdrawn, sent, answered, ended. Pure. */
import { newDigits } from '../../core/ids.ts';
import type { Mode, OrderStatus } from '../../core/terms.ts';
import { countItems } from '../../ledger/render/items.ts';
import type { Funds, JournalEntry } from '../../wire/journal.ts';
import { assertTransition, type Order, type OrderRow } from './order.ts';

/** Where the money of an order that waits or is sent comes from. A simulated order of a live operator has its own. */
export const fundsOf = (mode: Mode): Funds => (mode === 'sandbox' ? 'wallet' : 'collateral');

/** A row with digits of its own; null if it has no item, so that there is nothing to record. */
export function rowOf(row: Omit<JournalEntry, 'items'>): JournalEntry | null {
  const items = countItems(row);
  return items === 0 ? null : { digits: newDigits(), ...row, items };
}

/** The rows that there are. */
export function present(rows: readonly (JournalEntry | null)[]): JournalEntry[] {
  return rows.filter((row) => row !== null);
}

/** The columns of an order that each of its rows has. */
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

/** The terms under which an order is recorded; they never change. */
export function orderTerms(order: Order): Partial<JournalEntry> {
  return {
    quoteId: order.quoteId,
    intent: order.intent,
    quotedPriceMicros: order.priceMicros,
    slippageMicros: order.slippageMicros,
    quotedFeeMinor: order.quotedFeeMinor,
    quotedTradeMinor: order.quotedTradeMinor,
    quotedQuantity: order.quotedQuantity,
    venue: order.venue,
    routingReason: order.routingReason,
    consideredVenues: order.consideredVenues,
    scenarioId: order.scenarioId,
    reference: order.reserveReference,
  };
}

/**
 * The state of an order after a transition. Both states are equal if only transmission or final money changed (contract 21.8).
 * @throws if an order cannot make this transition.
 */
export function stateChanged(
  kind: 'order_executed' | 'order_recorded' | 'reserve_confirmed' | 'order_withdrawn' | 'order_sent' | 'order_answered',
  order: Order,
  fromStatus: OrderStatus | null,
  more: Partial<JournalEntry> = {},
): JournalEntry {
  assertTransition(fromStatus, order.status);
  const row = { ...orderColumns(order), kind, fromStatus, ...more };
  return { digits: newDigits(), ...row, items: countItems(row) };
}

/** @param commitsMinor collateral that the order commits at once because its reserve comes with it, cents. */
export function orderRecorded(order: Order, mode: Mode, commitsMinor: bigint): JournalEntry[] {
  const heldMinor = mode === 'sandbox' && order.action === 'buy' ? order.authorizationMinor : commitsMinor;
  return [stateChanged('order_recorded', order, null, { ...orderTerms(order), ...holdOf(mode, heldMinor) })];
}

/** @param fromStatus of the order before. @param commitsMinor collateral, cents. */
export function reserveConfirmed(
  order: Order,
  fromStatus: OrderStatus,
  mode: Mode,
  commitsMinor: bigint,
  reference: string | null,
): JournalEntry[] {
  return [stateChanged('reserve_confirmed', order, fromStatus, { reference, ...holdOf(mode, commitsMinor) })];
}

const holdOf = (mode: Mode, amountMinor: bigint): Partial<JournalEntry> =>
  amountMinor === 0n ? {} : { funds: fundsOf(mode), available: amountMinor, held: -amountMinor };

export const releaseOf = (mode: Mode, amountMinor: bigint): Partial<JournalEntry> => ({
  funds: fundsOf(mode),
  held: amountMinor,
  available: -amountMinor,
});

/** An order is withdrawn before anything was sent: what it holds is released. A wallet holds since the order was recorded, collateral since the reserve was confirmed. */
export function orderWithdrawn(order: OrderRow, mode: Mode, cancellationId: string, reason: string): JournalEntry[] {
  const state: Order = { ...order, status: 'cancelled', venueFeeKnown: true };
  const holds = order.action === 'buy' && (mode === 'sandbox' || order.reserveConfirmedAt !== null);
  const released = holds && order.authorizationMinor > 0n ? releaseOf(mode, order.authorizationMinor) : {};
  return [stateChanged('order_withdrawn', state, order.status, { reason, cancellationId, ...released })];
}

/** @param fillCount fills of the order. @param partial less was matched than was asked for. */
export function orderEnds(
  order: Order,
  fillCount: number,
  partial: boolean,
  reason: string | null = null,
): JournalEntry | null {
  return rowOf({
    ...orderColumns(order),
    kind: 'order_ended',
    filledQuantity: order.filledQuantity,
    priceWeight: BigInt(order.priceWeight),
    fillNo: fillCount,
    partial,
    reason,
  });
}
