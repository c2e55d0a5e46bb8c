/** A decided order as the command of the money statement: its row, and the rows of the journal that are recorded with it. */

import { newId } from '../../core/ids.ts';
import type { Mode } from '../../core/terms.ts';
import { type ExitShare, exitShare } from '../../money/exit.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import { armsAtOnce } from '../execution/may-send.ts';
import { orderExecuted } from '../records/fill-rows.ts';
import { orderEnds, orderRecorded, orderTerms, present, stateChanged } from '../records/order-rows.ts';
import type { Trader } from '../trader.ts';
import type { DecidedOrder, OrderRequest } from './decide-order.ts';
import type { Order, OrderRow } from './order.ts';
import type { OrderCommand, OrderEffects } from './order-command.ts';
import type { OrderContext } from './order-context.ts';
import type { OrderVerdict } from './orders.ts';

export function composeOrder(
  { operator, externalUserId }: Trader,
  request: OrderRequest,
  context: OrderContext,
  decided: DecidedOrder,
): OrderCommand {
  const { outcome } = decided;
  const buys = context.action === 'buy';
  const waits = request.intent === 'record_intent';
  const recorded = outcome.status !== 'rejected';
  const confirmed = outcome.status === 'pending_venue_execution';
  const weight = outcome.filledMicros * (outcome.fillPriceMicros ?? 0n);
  const debitMinor = buys ? outcome.tradeMinor + outcome.platformFeeMinor : 0n;
  const order: Order = {
    operatorId: operator.operatorId,
    orderId: decided.orderId,
    externalUserId,
    clientOrderId: request.clientOrderId,
    executionRef: decided.executionRef,
    quoteId: request.quoteId,
    contractId: context.contractId,
    side: context.side,
    action: context.action,
    intent: request.intent,
    status: outcome.status,
    transmissionState: waits ? 'not_transmitted' : 'resolved',
    simulated: context.simulated || !waits,
    priceMicros: context.priceMicros,
    slippageMicros: request.slippageMicros,
    feeBps: context.feeBps,
    authorizationMinor: context.authorizationMinor,
    quotedFeeMinor: context.feeMinor,
    quotedTradeMinor: context.tradeMinor,
    quotedQuantity: context.quantity,
    filledQuantity: outcome.filledMicros,
    priceWeight: `${weight}`,
    tradeMinor: outcome.tradeMinor,
    platformFeeMinor: outcome.platformFeeMinor,
    venueFeeMinor: 0n,
    venueFeeKnown: !waits,
    debitMinor,
    releaseMinor: context.authorizationMinor - debitMinor,
    proceedsMinor: outcome.proceedsMinor,
    venueGainMinor: 0n,
    countedStakeMinor: waits && buys ? context.authorizationMinor : debitMinor,
    positionId: buys ? null : context.positionId,
    scenarioId: !recorded || outcome.status === 'reserve_pending' ? null : context.scenarioId,
    rejectReason: outcome.rejectReason,
    routingReason: context.routingReason,
    consideredVenues: context.consideredVenues,
    venue: context.venue,
    armed: waits && armsAtOnce(operator),
    reserveReference: request.reserveReference,
    cancellationId: null,
    cancelReason: null,
    version: 1n,
    exitedFills: 0,
    filledAtOnce: !waits && outcome.filledMicros > 0n,
  };
  const exit =
    buys || outcome.filledMicros === 0n ? null : shareOf(context, outcome.filledMicros, outcome.proceedsMinor);
  const commitsMinor = waits && confirmed && operator.mode === 'live' && buys ? context.authorizationMinor : 0n;
  return {
    ...order,
    ...(buys ? bought(order, weight) : recorded ? exited(order, context, exit) : {}),
    bookRevision: decided.contract?.bookRevision ?? null,
    refusal: decided.refusal?.code ?? null,
    lateRefusal: decided.lateRefusal?.code ?? null,
    walletMinor: operator.mode === 'sandbox' && buys && recorded ? context.authorizationMinor : 0n,
    collateralMinor: commitsMinor,
    journal: waits
      ? orderRecorded(order, operator.mode, commitsMinor)
      : outcomeRows(operator.mode, order, context, decided, exit),
  };
}

/** A buy that is filled at once opens a position, or extends the one that is open. */
function bought(order: Order, weight: bigint): OrderEffects {
  return order.filledQuantity === 0n
    ? {}
    : {
        opensPositionId: newId('pos'),
        addQuantity: order.filledQuantity,
        addCostMinor: order.debitMinor,
        addFeesMinor: order.platformFeeMinor + order.venueFeeMinor,
        addWeight: weight,
      };
}

/** A sell takes its contracts out of the position, or holds them back until a venue has answered. */
function exited(order: Order, context: OrderContext, exit: ExitShare | null): OrderEffects {
  return {
    positionVersion: context.positionId === null ? null : context.positionVersion,
    holdQuantity: order.intent === 'record_intent' ? order.quotedQuantity : 0n,
    ...(exit !== null && {
      takeQuantity: order.filledQuantity,
      costShareMinor: exit.costShareMinor,
      feeShareMinor: exit.feeShareMinor,
      weightShare: BigInt(context.priceWeight) - exit.remaining.priceWeight,
      addRealisedMinor: order.proceedsMinor - exit.costShareMinor,
    }),
  };
}

function shareOf(context: OrderContext, filledMicros: bigint, proceedsMinor: bigint): ExitShare | null {
  if (context.positionId === null || filledMicros > context.positionQuantity) {
    return null;
  }
  const holding = {
    costBasisMinor: context.costBasisMinor,
    entryFeesMinor: context.entryFeesMinor,
    quantityMicros: context.positionQuantity,
    priceWeight: BigInt(context.priceWeight),
  };
  return exitShare(holding, filledMicros, proceedsMinor);
}

function outcomeRows(
  mode: Mode,
  order: Order,
  context: OrderContext,
  { outcome }: DecidedOrder,
  share: ExitShare | null,
): JournalEntry[] {
  const { fillPriceMicros, filledMicros, proceedsMinor, tradeMinor, platformFeeMinor } = outcome;
  if (outcome.status === 'rejected') {
    const rejected = stateChanged('order_executed', order, null, { ...orderTerms(order), reason: 'price_moved' });
    return present([rejected, orderEnds(order, 0, false, outcome.rejectReason ?? 'price_moved')]);
  }
  if (fillPriceMicros === null) {
    return present([stateChanged('order_executed', order, null, orderTerms(order)), orderEnds(order, 0, true)]);
  }
  const fill = { quantityMicros: filledMicros, priceMicros: fillPriceMicros };
  const exit = share && {
    fill,
    share,
    money: { tradeMinor, platformFeeMinor, venueFeeMinor: 0n, proceedsMinor },
    entryPriceMicros: context.averagePriceMicros,
    venueAgrees: null,
  };
  const executed = orderExecuted(order, mode, fill, exit);
  return present([executed, outcome.status === 'filled' ? null : orderEnds(order, 1, true)]);
}

/** The order as the statement wrote it, without a read. */
export function writtenOrder(
  command: OrderCommand,
  { positionId, createdAt }: Pick<OrderVerdict, 'positionId' | 'createdAt'>,
): OrderRow {
  return {
    ...command,
    positionId,
    createdAt,
    updatedAt: createdAt,
    reserveConfirmedAt: command.status === 'pending_venue_execution' ? createdAt : null,
    cancelledAt: null,
    transmittedAt: null,
  };
}
