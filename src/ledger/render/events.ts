/** The webhook event of a journal row, as an operator receives it (contract chapter 26). Pure. */

import { operatorExitMoney, operatorMoney, settlementMoney } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { averagePrice } from '../../money/exit.ts';
import { type OrderMoney, orderMoneyBlock } from '../../money/order-money.ts';
import { formatMinor } from '../../money/usd.ts';
import type { JournalEntry, JournalRow } from '../../wire/journal.ts';
import type { WebhookEventType } from '../../wire/webhook.ts';
import { itemIdOf } from './item-id.ts';

export interface JournalEvent {
  readonly eventId: string;
  readonly type: WebhookEventType;
  /** One for each fact: a receiver that has seen it ignores a repetition. */
  readonly dedupeKey: string;
  readonly data: object;
}

/** What a change of a resolution says in the journal's `detail`. */
export interface ResolutionChange {
  readonly dedupeKey: string;
  readonly settledResolution: string;
  readonly currentResolution: string;
  readonly affectedPositionIds: readonly string[];
}

/** @returns null if the row raises none */
export function eventOf(row: JournalEntry): JournalEvent | null {
  const raised = describe(row);
  return raised && { eventId: itemIdOf('evn', row), ...raised };
}

function describe(row: JournalEntry): Omit<JournalEvent, 'eventId'> | null {
  switch (row.kind) {
    case 'order_recorded':
      return ofOrder('order.intent_recorded', row, {
        ...namesOf(row),
        authorizationAmount: formatMinor(row.authorizationMinor ?? 0n),
        currency: 'USD',
        transmitted: false,
      });
    case 'order_withdrawn':
      return ofOrder('order.cancelled', row, {
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
    case 'order_executed':
      return row.quantity ? orderFilled(onlyFillOf(row)) : null;
    case 'order_filled':
      return orderFilled(row);
    case 'order_ended':
      return row.status === 'rejected'
        ? ofOrder('order.rejected', row, {
            ...namesOf(row),
            reason: row.reason,
            operatorMoney: orderMoneyBlock(moneyOf(row)),
          })
        : ofOrder('order.completed', row, completion(row));
    case 'position_settled':
      return settled(row);
    case 'resolution_changed':
      return resolutionChanged(row);
    default:
      return null;
  }
}

const ofOrder = (type: WebhookEventType, { orderId }: JournalEntry, data: object) => ({
  type,
  dedupeKey: `${type}:${orderId}`,
  data,
});

/** An order that was filled as it was recorded has one fill, and its money is that of the order. */
const onlyFillOf = (row: JournalEntry): JournalEntry => ({
  ...row,
  fillNo: 1,
  filledQuantity: row.quantity ?? 0n,
  priceWeight: (row.quantity ?? 0n) * (row.priceMicros ?? 0n),
  fillTradeMinor: row.tradeMinor ?? 0n,
  fillPlatformFeeMinor: row.platformFeeMinor ?? 0n,
  fillVenueFeeMinor: row.venueFeeMinor ?? 0n,
  fillFeeKnown: true,
  partial: row.status !== 'filled',
});

function orderFilled(row: JournalEntry): Omit<JournalEvent, 'eventId'> {
  const fillId = itemIdOf('fil', row);
  const { filledQuantity, averagePrice, operatorMoney, operatorExitMoney } = tradedSoFar(row);
  const tradeMinor = row.fillTradeMinor ?? 0n;
  const feesMinor = (row.fillPlatformFeeMinor ?? 0n) + (row.fillVenueFeeMinor ?? 0n);
  const buys = row.action === 'buy';
  return {
    type: 'order.filled',
    dedupeKey: `order.filled:${row.orderId}:${fillId}`,
    data: {
      ...namesOf(row),
      fillId,
      contractId: row.contractId,
      side: row.side,
      action: row.action,
      fillQuantity: jsonNumber(row.quantity ?? 0n, MICRO_SCALE),
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

function settled(row: JournalEntry): Omit<JournalEvent, 'eventId'> {
  const { costBasisMinor, creditMinor, settlementCreditMinor, voidCreditMinor } = settlementOf(row);
  return {
    type: 'position.settled',
    dedupeKey: `position.settled:${row.positionId}`,
    data: {
      positionId: row.positionId,
      settlementId: itemIdOf('stl', row),
      externalUserId: row.externalUserId,
      contractId: row.contractId,
      side: row.side,
      resolution: row.resolution,
      outcome: row.outcome,
      contracts: jsonNumber(row.quantity ?? 0n, MICRO_SCALE),
      costBasis: formatMinor(costBasisMinor),
      entryFees: formatMinor(row.feeShareMinor ?? 0n),
      payout: formatMinor(creditMinor),
      realisedPnl: formatMinor(creditMinor - costBasisMinor),
      lifetimeRealisedPnl: formatMinor(row.lifetimePnlMinor ?? 0n),
      operatorMoney: settlementMoney({ settlementCreditMinor, voidCreditMinor }),
      simulated: row.simulated,
    },
  };
}

function resolutionChanged(row: JournalEntry): Omit<JournalEvent, 'eventId'> {
  const { dedupeKey, settledResolution, currentResolution, affectedPositionIds } = row.detail as ResolutionChange;
  return {
    type: 'market.resolution_changed',
    dedupeKey,
    data: {
      contractId: row.contractId,
      settledResolution,
      currentResolution,
      affectedPositionIds,
      affectedPositionId: affectedPositionIds[0],
      action: 'operator_review_required',
    },
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

/** What was traded so far, cumulative, even while a read of the order still shows 0.00 (contract 26.10). */
function tradedSoFar(row: JournalEntry) {
  const filled = row.filledQuantity ?? 0n;
  const { action, authorizationMinor, tradeMinor, ...fees } = moneyOf(row);
  const buys = action === 'buy';
  return {
    filledQuantity: jsonNumber(filled, MICRO_SCALE),
    averagePrice: filled === 0n ? null : jsonNumber(averagePrice(row.priceWeight ?? 0n, filled), MICRO_SCALE),
    operatorMoney: buys ? operatorMoney({ authorizationMinor, tradeMinor, ...fees }) : null,
    operatorExitMoney: buys ? null : operatorExitMoney({ notionalMinor: tradeMinor, ...fees }),
  };
}

/** Whether the row raises an event. */
export function raisesEvent(row: JournalEntry | JournalRow): boolean {
  switch (row.kind) {
    case 'order_recorded':
    case 'order_withdrawn':
    case 'order_filled':
    case 'order_ended':
    case 'position_settled':
    case 'resolution_changed':
      return true;
    case 'order_executed':
      return Boolean(row.quantity);
    default:
      return false;
  }
}

/** What a settled position cost and was credited, cents. At most one of the two credits is above zero. */
export function settlementOf(row: JournalEntry) {
  const creditMinor = -(row.available ?? 0n);
  return {
    costBasisMinor: (row.stakes ?? 0n) + (row.feeShareMinor ?? 0n),
    creditMinor,
    settlementCreditMinor: row.outcome === 'won' ? creditMinor : 0n,
    voidCreditMinor: row.outcome === 'void' ? creditMinor : 0n,
  };
}
