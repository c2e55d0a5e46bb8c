/** Quotes, orders and positions as text for a terminal. Amounts have the names of the API. */
import type { Order, OrderDetail, Position, Quote, Settlement } from '../../client/shapes.ts';
import { type Column, columnsOf, ranked } from '../terminal/output.ts';
import type { Facts } from './facts.ts';

export function quoteFacts(quote: Quote): Facts {
  return {
    quoteId: quote.quoteId,
    line: `${quote.action} ${quote.side} of ${quote.contractId}`,
    price: `${quote.executionPrice} (${quote.freshness.level})`,
    contracts: quote.contracts,
    ...moneyFacts(quote),
    'potential payout': quote.potentialPayout,
    expires: quote.expiresAt,
  };
}

export function orderFacts(order: OrderDetail): Facts {
  return {
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    executionRef: order.executionRef,
    status: order.status,
    money: `${order.settlementState}, transmission ${order.transmissionState}`,
    ...(order.rejectReason === null ? {} : { rejected: order.rejectReason }),
    line: `${order.action} ${order.side} of ${order.contractId}`,
    filled: `${order.filledQuantity} contracts${order.averagePrice === null ? '' : ` at ${order.averagePrice}`}`,
    ...moneyFacts(order),
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

export function positionFacts(position: Position): Facts {
  return {
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

export const orderColumns: readonly Column<Order>[] = [
  ...ranked(
    [
      'orderId',
      'status',
      'side',
      'action',
      'operatorMoney.actualDebit',
      'createdAt',
      'filledQuantity',
      'clientOrderId',
    ],
    columnsOf<Order>('orderId', 'clientOrderId', 'status', 'action', 'side', 'contractId', 'filledQuantity'),
    columnsOf<Order>(
      'operatorMoney.actualDebit',
      'operatorMoney.releaseAmount',
      'operatorExitMoney.sellProceeds',
      'createdAt',
    ),
  ),
  ...columnsOf<Order>(
    'executionRef',
    'averagePrice',
    'settlementState',
    'transmissionState',
    'operatorMoney.authorizationAmount',
    'operatorMoney.tradeAmount',
    'operatorMoney.platformFee',
    'operatorMoney.venueFee',
    'operatorMoney.venueFeeKnown',
    'operatorExitMoney.platformFee',
    'operatorExitMoney.venueFee',
    'platformFeeBps',
    'rejectReason',
    'simulated',
  ).map((column) => ({ ...column, csvOnly: true })),
];

export const positionColumns: readonly Column<Position>[] = [
  ...ranked(
    [
      'positionId',
      'status',
      'side',
      'quantity',
      'operatorMoney.costBasis',
      'externalUserId',
      'operatorMoney.realisedPnl',
    ],
    columnsOf<Position>('positionId', 'externalUserId', 'contractId', 'side', 'status', 'quantity', 'averagePrice'),
    columnsOf<Position>('operatorMoney.costBasis', 'operatorMoney.realisedPnl', 'openedAt'),
  ),
  ...columnsOf<Position>('updatedAt').map((column) => ({ ...column, csvOnly: true })),
];

export const settlementColumns: readonly Column<Settlement>[] = ranked(
  ['id', 'outcome', 'operatorMoney.settlementCredit', 'operatorMoney.voidCredit', 'externalUserId', 'settledAt'],
  columnsOf<Settlement>(
    'id',
    'positionId',
    'externalUserId',
    'contractId',
    'side',
    'resolution',
    'outcome',
    'contracts',
  ),
  columnsOf<Settlement>('operatorMoney.settlementCredit', 'operatorMoney.voidCredit', 'realisedPnl', 'settledAt'),
);

function moneyFacts({ operatorMoney, operatorExitMoney }: Pick<Quote, 'operatorMoney' | 'operatorExitMoney'>): Facts {
  if (operatorMoney !== null) {
    const { authorizationAmount, actualDebit, releaseAmount, tradeAmount, platformFee, venueFee, venueFeeKnown } =
      operatorMoney;
    return {
      authorizationAmount,
      actualDebit,
      releaseAmount,
      'of which': `${tradeAmount} trade, ${platformFee} platform fee, ${venueFeeKnown ? venueFee : 'unknown'} venue fee`,
    };
  }
  return operatorExitMoney === null ? {} : { sellProceeds: operatorExitMoney.sellProceeds };
}
