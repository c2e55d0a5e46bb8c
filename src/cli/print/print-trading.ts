/** One quote, order or position as text for a terminal. Amounts have the names of the API. */
import type { OrderDetail, Position, Quote } from '../../client/shapes.ts';
import type { MarketNames } from '../service/market-names.ts';
import type { Facts } from './facts.ts';

export function quoteFacts(quote: Quote, names: MarketNames): Facts {
  return {
    ...marketFact(quote, names),
    quoteId: quote.quoteId,
    line: `${quote.action} ${quote.side} of ${quote.contractId}`,
    price: `${quote.executionPrice} (${quote.freshness.level})`,
    contracts: quote.contracts,
    ...moneyFacts(quote),
    // A sell is paid at once: its proceeds are among the amounts.
    ...(quote.action === 'buy' ? { 'potential payout': quote.potentialPayout } : {}),
    expires: quote.expiresAt,
  };
}

export function orderFacts(order: OrderDetail, names: MarketNames): Facts {
  return {
    ...marketFact(order, names),
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    executionRef: order.executionRef,
    status: order.status,
    money: `${order.settlementState}, transmission ${order.transmissionState}`,
    ...(order.rejectReason === null ? {} : { rejected: order.rejectReason }),
    ...(order.cancelReason === null ? {} : { 'cancel reason': order.cancelReason }),
    line: `${order.action} ${order.side} of ${order.contractId}`,
    filled: `${order.filledQuantity} contracts${order.averagePrice === null ? '' : ` at ${order.averagePrice}`}`,
    ...moneyFacts(order),
    ...(order.settlementState === 'pending' && order.operatorMoney !== null
      ? { releaseAmount: `${order.operatorMoney.releaseAmount}, do not release it: the order is not final` }
      : {}),
    simulated: order.simulated ? 'yes' : 'no',
    created: order.createdAt,
    ...(order.idempotentReplay ? { replay: 'yes, the order already existed' } : {}),
    ...(order.intent?.reserveConfirmedAt ? { 'reserve confirmed': order.intent.reserveConfirmedAt } : {}),
    ...(order.intent?.cancelledAt ? { cancelled: order.intent.cancelledAt } : {}),
    ...Object.fromEntries(
      (order.fills ?? []).map((fill, index) => [
        `fill ${index + 1}`,
        `${fill.quantity} at ${fill.price}, ${fill.filledAt}`,
      ]),
    ),
  };
}

export function positionFacts(position: Position, names: MarketNames): Facts {
  return {
    ...marketFact(position, names),
    positionId: position.positionId,
    customer: position.externalUserId,
    line: `${position.side} of ${position.contractId}`,
    status: position.status,
    quantity: `${position.quantity} contracts at ${position.averagePrice}`,
    costBasis: position.operatorMoney.costBasis,
    realisedPnl: position.operatorMoney.realisedPnl,
    opened: position.openedAt,
    updated: position.updatedAt,
  };
}

function marketFact({ contractId }: { readonly contractId: string }, names: MarketNames): Facts {
  const market = names.get(contractId);
  return market === undefined ? {} : { market };
}

function moneyFacts({ operatorMoney, operatorExitMoney }: Pick<Quote, 'operatorMoney' | 'operatorExitMoney'>): Facts {
  if (operatorMoney !== null) {
    const { authorizationAmount, actualDebit, releaseAmount, tradeAmount, platformFee, venueFee, venueFeeKnown } =
      operatorMoney;
    return {
      authorizationAmount,
      actualDebit,
      releaseAmount,
      'of which': `${tradeAmount} trade, ${platformFee} platform fee, ${venueFeeKnown ? `${venueFee} venue fee` : 'venue fee not known yet'}`,
    };
  }
  return operatorExitMoney === null ? {} : { sellProceeds: operatorExitMoney.sellProceeds };
}
