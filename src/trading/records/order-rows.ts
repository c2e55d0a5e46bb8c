/** The journal rows of an order that changes its state without trading: recorded, confirmed, withdrawn, sent, answered, ended. Pure. */
import { newDigits } from '../../core/ids.ts';
import type { Mode, OrderStatus, Side } from '../../core/terms.ts';
import { countItems } from '../../ledger/render/items.ts';
import type { OrderMoney } from '../../money/order-money.ts';
import type { Funds, JournalEntry, LateFees } from '../../wire/journal.ts';
import type { Ending, Execution, Totals } from '../execution/execution.ts';
import type { Intent } from '../orders/order.ts';
import { assertTransition } from '../orders/order-transitions.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import type { RoutingReason } from '../quotes/routing.ts';

/** The names of an order, and its state and money after the change. */
export interface OrderState extends OrderMoney {
  readonly orderId: string;
  readonly executionRef: string;
  readonly clientOrderId: string;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly simulated: boolean;
  readonly feeBps: number;
  readonly filledQuantity: bigint;
  readonly priceWeight: bigint;
}

/** The terms under which an order is recorded; they never change. Cents, micro-dollars, micro-contracts. */
export interface OrderTerms {
  readonly quoteId: string;
  readonly intent: Intent;
  readonly quotedPriceMicros: bigint;
  readonly slippageMicros: bigint;
  readonly quotedFeeMinor: bigint;
  readonly quotedTradeMinor: bigint;
  readonly quotedQuantity: bigint;
  readonly venue: string;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly scenarioId: string | null;
  /** The operator's own of its reserve. */
  readonly reference: string | null;
}

/** A recorded order with what a transition changes. */
export function stateOf(order: OrderForUpdate, changes: Partial<OrderState> = {}): OrderState {
  return { ...order, priceWeight: BigInt(order.priceWeight), ...changes };
}

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
export function orderColumns(order: OrderState): Omit<JournalEntry, 'kind' | 'items'> {
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

/**
 * The state of an order after a transition. Both states are equal if only transmission or final money changed (contract 21.8).
 * @throws if an order cannot make this transition.
 */
export function stateChanged(
  kind: 'order_executed' | 'order_recorded' | 'reserve_confirmed' | 'order_withdrawn' | 'order_sent' | 'order_answered',
  order: OrderState,
  fromStatus: OrderStatus | null,
  more: Partial<JournalEntry> = {},
): JournalEntry {
  assertTransition(fromStatus, order.status);
  const row = { ...orderColumns(order), kind, fromStatus, ...more };
  return { digits: newDigits(), ...row, items: countItems(row) };
}

/** What was reported of an order that was sent: its state after it, and the fees of earlier fills that are known now. */
export function orderAnswered(
  state: OrderState,
  fromStatus: OrderStatus,
  { fills }: Execution,
  reason: string | null,
): JournalEntry {
  const late = fills.flatMap((fill, index) =>
    fill.recorded && !fill.feeRecorded && fill.feeMicros !== null ? [[index + 1, `${fill.feeMicros}`] as const] : [],
  );
  const detail: LateFees | null = late.length === 0 ? null : { fees: Object.fromEntries(late) };
  return stateChanged('order_answered', state, fromStatus, { reason, detail });
}

/** @param commitsMinor collateral that the order commits at once because its reserve comes with it, cents. */
export function orderRecorded(order: OrderState, terms: OrderTerms, mode: Mode, commitsMinor: bigint): JournalEntry[] {
  const heldMinor = mode === 'sandbox' && order.action === 'buy' ? order.authorizationMinor : commitsMinor;
  return [stateChanged('order_recorded', order, null, { ...terms, ...holdOf(mode, heldMinor) })];
}

/** @param fromStatus of the order before. @param commitsMinor collateral, cents. */
export function reserveConfirmed(
  order: OrderState,
  fromStatus: OrderStatus,
  mode: Mode,
  commitsMinor: bigint,
  reference: string | null,
): JournalEntry[] {
  return [stateChanged('reserve_confirmed', order, fromStatus, { reference, ...holdOf(mode, commitsMinor) })];
}

const holdOf = (mode: Mode, amountMinor: bigint): Partial<JournalEntry> =>
  amountMinor === 0n ? {} : { funds: fundsOf(mode), available: amountMinor, held: -amountMinor };

const releaseOf = (mode: Mode, amountMinor: bigint): Partial<JournalEntry> => ({
  funds: fundsOf(mode),
  held: amountMinor,
  available: -amountMinor,
});

/** An order is withdrawn before anything was sent: what it holds is released. A wallet holds since the order was recorded, collateral since the reserve was confirmed. */
export function orderWithdrawn(
  order: OrderForUpdate,
  mode: Mode,
  cancellationId: string,
  reason: string,
): JournalEntry[] {
  const state = stateOf(order, { status: 'cancelled', transmissionState: 'not_transmitted', venueFeeKnown: true });
  const holds = order.action === 'buy' && (mode === 'sandbox' || order.reserveConfirmedAt !== null);
  const released = holds && order.authorizationMinor > 0n ? releaseOf(mode, order.authorizationMinor) : {};
  return [stateChanged('order_withdrawn', state, order.status, { reason, cancellationId, ...released })];
}

/**
 * An order ends after it was sent: an overrun is posted, what it still held is released, and a webhook event reports the end.
 * @param state of the order after the execution. @param reason of a rejection, in public words.
 * @param releasedMinor cents of a buy that are no longer held.
 */
export function orderEnded(
  order: OrderForUpdate,
  execution: Execution,
  ending: Ending,
  totals: Totals,
  state: OrderState,
  reason: string | null,
  releasedMinor: bigint,
): JournalEntry[] {
  const { orderId, externalUserId } = order;
  const released =
    releasedMinor > 0n
      ? rowOf({ kind: 'authorization_released', orderId, externalUserId, ...releaseOf(execution.mode, releasedMinor) })
      : null;
  return present([overrunPosted(order, execution, ending, totals), released, endOf(execution, ending, state, reason)]);
}

/** What a venue takes beyond the amount sent, or pays beyond the quantity sent, is the service's own. Posted once, when the order is final. */
function overrunPosted(
  { orderId, externalUserId }: OrderForUpdate,
  { gainedMinor = 0n }: Execution,
  { resolved }: Ending,
  totals: Totals,
): JournalEntry | null {
  const other = resolved ? totals.overrunMinor - gainedMinor : 0n;
  return rowOf({
    kind: 'overrun_posted',
    orderId,
    externalUserId,
    other,
    otherAccount: 'overrun',
    venueFees: -other,
    ...(gainedMinor > 0n && { tradeMinor: gainedMinor }),
  });
}

/** @returns null while the order continues, and if its first answer was final and filled it whole: the event of that fill says so (contract 26.12). */
function endOf(
  { fills, acknowledged = false }: Execution,
  ending: Ending,
  state: OrderState,
  reason: string | null,
): JournalEntry | null {
  if (ending.status === 'rejected') {
    return orderEnds(state, 0, false, reason);
  }
  if (!ending.resolved || (ending.matched && !acknowledged)) {
    return null;
  }
  return orderEnds(state, fills.length, !ending.matched);
}

/** @param fillCount fills of the order. @param partial less was matched than was asked for. */
export function orderEnds(
  order: OrderState,
  fillCount: number,
  partial: boolean,
  reason: string | null = null,
): JournalEntry | null {
  const { filledQuantity, priceWeight } = order;
  return rowOf({
    ...orderColumns(order),
    kind: 'order_ended',
    filledQuantity,
    priceWeight,
    fillNo: fillCount,
    partial,
    reason,
  });
}
