/** The webhook event of a journal row, as an operator receives it (contract chapter 26). Pure. */

import {
  type OrderMoney,
  operatorExitMoney,
  operatorMoney,
  orderMoneyBlock,
  settlementMoney,
} from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { averagePrice } from '../../money/exit.ts';
import { formatMinor } from '../../money/usd.ts';
import type { WebhookEventType } from '../../wire/webhook.ts';
import type { JournalEntry, JournalKind } from '../journal-row.ts';
import { itemIdOf } from './entry.ts';

/** The name of an event, which is all that the feed shows of it. */
export interface EventName {
  readonly type: WebhookEventType;
  /** One for each fact: a receiver that has seen it ignores a repetition. */
  readonly dedupeKey: string;
}

export interface JournalEvent extends EventName {
  readonly eventId: string;
  readonly data: object;
}

/** The journal's `detail` of a changed resolution. */
export interface ResolutionChange {
  readonly dedupeKey: string;
  readonly settledResolution: string;
  /** Null if the resolution was withdrawn. */
  readonly currentResolution: string | null;
  readonly affectedPositionIds: readonly string[];
}

/** The types are also those of `journal_event_type`, from which the relay makes deliveries. @returns null if the row raises no event */
export function eventNameOf(row: JournalEntry): EventName | null {
  switch (row.kind) {
    case 'order_recorded':
      return ofOrder('order.intent_recorded', row);
    case 'order_withdrawn':
      return ofOrder('order.cancelled', row);
    case 'order_executed':
      return row.quantityMicros ? ofFill(row) : null;
    case 'order_filled':
      return ofFill(row);
    case 'order_ended':
      return ofOrder(row.status === 'rejected' ? 'order.rejected' : 'order.completed', row);
    case 'position_settled':
      return { type: 'position.settled', dedupeKey: `position.settled:${row.positionId}` };
    case 'resolution_changed':
      return { type: 'market.resolution_changed', dedupeKey: (row.detail as ResolutionChange).dedupeKey };
    default:
      return null;
  }
}

/** The kinds of rows that may raise an event of a type; `eventNameOf` decides whether a row does. */
const RAISED_BY: Readonly<Record<WebhookEventType, readonly JournalKind[]>> = {
  'order.intent_recorded': ['order_recorded'],
  'order.filled': ['order_executed', 'order_filled'],
  'order.rejected': ['order_ended'],
  'order.completed': ['order_ended'],
  'order.cancelled': ['order_withdrawn'],
  'position.settled': ['position_settled'],
  'market.resolution_changed': ['resolution_changed'],
};

export const kindsRaising = (types: readonly WebhookEventType[]): JournalKind[] => [
  ...new Set(types.flatMap((type) => RAISED_BY[type])),
];

const ofOrder = (type: WebhookEventType, { orderId }: JournalEntry): EventName => ({
  type,
  dedupeKey: `${type}:${orderId}`,
});

const ofFill = (row: JournalEntry): EventName => ({
  type: 'order.filled',
  dedupeKey: `order.filled:${row.orderId}:${itemIdOf('fil', row)}`,
});

/** @returns null if the row raises none */
export function eventOf(row: JournalEntry): JournalEvent | null {
  const name = eventNameOf(row);
  return name && { eventId: itemIdOf('evn', row), ...name, data: dataOf(name.type, row) };
}

/**
 * The body of a delivery.
 * @param data the payload as JSON text, which is the same in every attempt
 */
export function envelopeJson(
  { eventId, type, dedupeKey }: { readonly eventId: string; readonly type: string; readonly dedupeKey: string },
  data: string,
  createdAt: Date,
): string {
  const head = JSON.stringify({ id: eventId, type, dedupeKey, createdAt: createdAt.toISOString() });
  return `${head.slice(0, -1)},"data":${data}}`;
}

function dataOf(type: WebhookEventType, row: JournalEntry): object {
  switch (type) {
    case 'order.intent_recorded':
      return intentRecorded(row);
    case 'order.cancelled':
      return cancelled(row);
    case 'order.filled':
      return orderFilled(row.kind === 'order_executed' ? onlyFillOf(row) : row);
    case 'order.rejected':
      return { ...namesOf(row), reason: row.reason, operatorMoney: orderMoneyBlock(moneyOf(row)) };
    case 'order.completed':
      return completion(row);
    case 'position.settled':
      return settled(row);
    case 'market.resolution_changed':
      return resolutionChanged(row);
  }
}

const intentRecorded = (row: JournalEntry): object => ({
  ...namesOf(row),
  authorizationAmount: formatMinor(row.authorizationMinor ?? 0n),
  currency: 'USD',
  transmitted: false,
});

const cancelled = (row: JournalEntry): object => ({
  ...namesOf(row),
  action: row.action,
  cancellationId: row.cancellationId,
  currency: 'USD',
  authorizationAmount: formatMinor(row.authorizationMinor ?? 0n),
  actualDebit: '0.00',
  releaseAmount: formatMinor(row.authorizationMinor ?? 0n),
  reason: row.reason,
  transmitted: false,
});

/** An order that was filled as it was recorded has one fill, and its money is that of the order. */
const onlyFillOf = (row: JournalEntry): JournalEntry => ({
  ...row,
  fillNo: 1,
  filledQuantityMicros: row.quantityMicros ?? 0n,
  priceWeight: (row.quantityMicros ?? 0n) * (row.priceMicros ?? 0n),
  fillTradeMinor: row.tradeMinor ?? 0n,
  fillPlatformFeeMinor: row.platformFeeMinor ?? 0n,
  fillVenueFeeMinor: row.venueFeeMinor ?? 0n,
  fillFeeKnown: true,
  partial: row.status !== 'filled',
});

function orderFilled(row: JournalEntry): object {
  const fillId = itemIdOf('fil', row);
  const { filledQuantity, averagePrice, operatorMoney, operatorExitMoney } = tradedSoFar(row);
  const tradeMinor = row.fillTradeMinor ?? 0n;
  const feesMinor = (row.fillPlatformFeeMinor ?? 0n) + (row.fillVenueFeeMinor ?? 0n);
  const buys = row.action === 'buy';
  return {
    ...namesOf(row),
    fillId,
    contractId: row.contractId,
    side: row.side,
    action: row.action,
    fillQuantity: jsonNumber(row.quantityMicros ?? 0n, MICRO_SCALE),
    fillPrice: jsonNumber(row.priceMicros ?? 0n, MICRO_SCALE),
    filledQuantity,
    averagePrice,
    status: row.status,
    transmissionState: row.transmissionState,
    operatorMoney,
    operatorExitMoney,
    simulated: row.simulated,
    fillSequence: row.fillNo,
    partial: row.partial,
    final: row.transmissionState === 'resolved',
    fillMoney: {
      currency: 'USD',
      tradeAmount: formatMinor(tradeMinor),
      platformFee: formatMinor(row.fillPlatformFeeMinor ?? 0n),
      venueFee: formatMinor(row.fillVenueFeeMinor ?? 0n),
      venueFeeKnown: row.fillFeeKnown,
      actualDebit: buys ? formatMinor(tradeMinor + feesMinor) : null,
      sellProceeds: buys ? null : formatMinor(tradeMinor - feesMinor),
    },
  };
}

function completion(row: JournalEntry): object {
  const { filledQuantity, averagePrice, operatorMoney, operatorExitMoney } = tradedSoFar(row);
  const outcome = !row.fillNo ? 'closed_unfilled' : row.partial ? 'closed_partial' : 'complete';
  return {
    ...namesOf(row),
    contractId: row.contractId,
    side: row.side,
    action: row.action,
    status: row.status,
    outcome,
    filledQuantity,
    averagePrice,
    fillCount: row.fillNo ?? 0,
    transmissionState: row.transmissionState,
    final: true,
    partial: outcome === 'closed_partial',
    operatorMoney,
    operatorExitMoney,
    releaseAmount: operatorMoney?.releaseAmount ?? '0.00',
    currency: 'USD',
    simulated: row.simulated,
  };
}

function settled(row: JournalEntry): object {
  const { costBasisMinor, creditMinor, settlementCreditMinor, voidCreditMinor } = settlementOf(row);
  return {
    positionId: row.positionId,
    settlementId: itemIdOf('stl', row),
    externalUserId: row.externalUserId,
    contractId: row.contractId,
    side: row.side,
    resolution: row.resolution,
    outcome: row.outcome,
    contracts: jsonNumber(row.quantityMicros ?? 0n, MICRO_SCALE),
    costBasis: formatMinor(costBasisMinor),
    entryFees: formatMinor(row.feeShareMinor ?? 0n),
    payout: formatMinor(creditMinor),
    realisedPnl: formatMinor(creditMinor - costBasisMinor),
    lifetimeRealisedPnl: formatMinor(row.lifetimePnlMinor ?? 0n),
    operatorMoney: settlementMoney({ settlementCreditMinor, voidCreditMinor }),
    simulated: row.simulated,
  };
}

function resolutionChanged(row: JournalEntry): object {
  const { settledResolution, currentResolution, affectedPositionIds } = row.detail as ResolutionChange;
  return {
    contractId: row.contractId,
    settledResolution,
    currentResolution,
    affectedPositionIds,
    affectedPositionId: affectedPositionIds[0],
    action: 'operator_review_required',
  };
}

const namesOf = ({ orderId, executionRef, clientOrderId, externalUserId }: JournalEntry) => ({
  orderId,
  executionRef,
  clientOrderId,
  externalUserId,
});

/** The order's money after the row. */
export function moneyOf(row: JournalEntry): OrderMoney {
  return {
    action: row.action ?? 'buy',
    status: row.status ?? 'pending',
    transmissionState: row.transmissionState ?? 'not_transmitted',
    authorizationMinor: row.authorizationMinor ?? 0n,
    tradeMinor: row.tradeMinor ?? 0n,
    platformFeeMinor: row.platformFeeMinor ?? 0n,
    venueFeeMinor: row.venueFeeMinor ?? 0n,
    venueFeeKnown: row.venueFeeKnown ?? false,
  };
}

/** The running totals of the order, even while a read of the order still shows 0.00 (contract 26.10). */
function tradedSoFar(row: JournalEntry) {
  const filled = row.filledQuantityMicros ?? 0n;
  const { action, authorizationMinor, tradeMinor, ...fees } = moneyOf(row);
  const buys = action === 'buy';
  return {
    filledQuantity: jsonNumber(filled, MICRO_SCALE),
    averagePrice: filled === 0n ? null : jsonNumber(averagePrice(row.priceWeight ?? 0n, filled), MICRO_SCALE),
    operatorMoney: buys ? operatorMoney({ authorizationMinor, tradeMinor, ...fees }) : null,
    operatorExitMoney: buys ? null : operatorExitMoney({ notionalMinor: tradeMinor, ...fees }),
  };
}

/** The cost and the credit of a settled position, in cents. At most one of the two credits is above zero. */
export function settlementOf(row: JournalEntry) {
  const creditMinor = -(row.available ?? 0n);
  return {
    costBasisMinor: (row.stakes ?? 0n) + (row.feeShareMinor ?? 0n),
    creditMinor,
    settlementCreditMinor: row.outcome === 'won' ? creditMinor : 0n,
    voidCreditMinor: row.outcome === 'void' ? creditMinor : 0n,
  };
}
