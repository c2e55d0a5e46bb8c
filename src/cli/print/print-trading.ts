/** Quotes, orders, positions, settlements and armed scenarios as tables, as CSV and one by one. Amounts have the names of the API. */
import type { Order, OrderDetail, Position, Quote, Scenario, Settlement } from '../../client/shapes.ts';
import type { MarketNames } from '../service/market-names.ts';
import type { Facts } from '../terminal/facts.ts';
import { type Column, columnsOf, elastic, numeric, ranked } from '../terminal/table.ts';

/** @param names of their contracts */
export function orderColumns(names: MarketNames): readonly Column<Order>[] {
  const shown = [
    ...columnsOf<Order>('executionRef'),
    timeColumn,
    ...columnsOf<Order>('status'),
    ...inCsvOnly(columnsOf<Order>('action', 'side')),
    lineColumn,
    marketColumn<Order>(names),
    ...columnsOf<Order>('filledQuantity'),
    amountColumn,
    ...inCsvOnly(columnsOf<Order>('operatorMoney.actualDebit', 'operatorExitMoney.sellProceeds')),
    ...columnsOf<Order>('operatorMoney.releaseAmount', 'externalUserId', 'clientOrderId', 'orderId', 'contractId'),
  ];
  // support and finance look for these first
  const first = [
    ...['executionRef', 'createdAt', 'status', 'line', 'externalUserId', 'amount', 'market'],
    ...['filledQuantity', 'clientOrderId', 'orderId'],
  ];
  return [
    ...ranked(first, numeric(NUMBERS, elastic(['clientOrderId'], shortUser(titled(shown))))),
    ...inCsvOnly(
      columnsOf<Order>(
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
        'cancelReason',
        'simulated',
      ),
    ),
  ];
}

/** @param names of their contracts */
export function positionColumns(names: MarketNames): readonly Column<Position>[] {
  const shown = [
    ...columnsOf<Position>('positionId', 'externalUserId'),
    marketColumn<Position>(names),
    ...columnsOf<Position>('contractId', 'side', 'status', 'quantity', 'averagePrice'),
    ...columnsOf<Position>('operatorMoney.costBasis', 'operatorMoney.realisedPnl', 'openedAt'),
  ];
  const first = [
    ...['positionId', 'externalUserId', 'market', 'side', 'status', 'operatorMoney.realisedPnl', 'quantity'],
    ...['averagePrice', 'operatorMoney.costBasis'],
  ];
  return [
    ...ranked([...first, 'openedAt', 'contractId'], numeric(NUMBERS, elastic(['externalUserId'], titled(shown)))),
    ...inCsvOnly(columnsOf<Position>('updatedAt')),
  ];
}

/** @param names of their contracts */
export function settlementColumns(names: MarketNames): readonly Column<Settlement>[] {
  const shown = [
    ...columnsOf<Settlement>('id', 'positionId', 'externalUserId'),
    marketColumn<Settlement>(names),
    ...columnsOf<Settlement>('contractId', 'side', 'resolution', 'outcome', 'contracts'),
    ...columnsOf<Settlement>('operatorMoney.settlementCredit', 'operatorMoney.voidCredit', 'realisedPnl', 'settledAt'),
  ];
  const first = [
    'id',
    'externalUserId',
    'market',
    'outcome',
    'operatorMoney.settlementCredit',
    'operatorMoney.voidCredit',
  ];
  return ranked([...first, 'settledAt', 'realisedPnl'], numeric(NUMBERS, elastic(['externalUserId'], titled(shown))));
}

/** The scripted outcomes that are armed. */
export const scenarioColumns: readonly Column<Scenario>[] = numeric(
  ['fillFraction', 'fillAmount'],
  columnsOf<Scenario>('scenarioId', 'kind', 'fillFraction', 'fillAmount', 'clientOrderId', 'expiresAt'),
);

const NUMBERS = [
  'filledQuantity',
  'quantity',
  'contracts',
  'averagePrice',
  'realisedPnl',
  'amount',
  'operatorMoney.releaseAmount',
  'operatorMoney.costBasis',
  'operatorMoney.realisedPnl',
  'operatorMoney.settlementCredit',
  'operatorMoney.voidCredit',
];

/** Titles that are shorter than the names of the fields, so that the most important columns fit into 80 characters. */
const TITLES: Readonly<Record<string, string>> = {
  id: 'settlement',
  filledQuantity: 'filled',
  'operatorMoney.releaseAmount': 'release',
  averagePrice: 'price',
  'operatorMoney.costBasis': 'cost',
  // not "profit", because the value of the open position is not part of it
  'operatorMoney.realisedPnl': 'booked',
  'operatorMoney.settlementCredit': 'credit',
  'operatorMoney.voidCredit': 'void',
};

function inCsvOnly<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => ({ ...column, csvOnly: true }));
}

function titled<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => {
    const title = TITLES[column.name];
    return title === undefined ? column : { ...column, title };
  });
}

/** The time to the minute, so that the customer fits into 80 characters. */
const timeColumn: Column<Order> = {
  name: 'createdAt',
  title: 'time UTC',
  value: ({ createdAt }) => createdAt.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' '),
  raw: ({ createdAt }) => createdAt,
};

const lineColumn: Column<Order> = {
  name: 'line',
  title: 'order',
  tableOnly: true,
  value: ({ action, side }) => `${action} ${side}`,
};

/** Letters that a narrow terminal keeps of the customer's id. */
const READABLE_USER = 8;

function shortUser<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => (column.name === 'externalUserId' ? { ...column, elastic: READABLE_USER } : column));
}

/** The debit of a purchase or the proceeds of a sale. One of the two is always empty. */
const amountColumn: Column<Order> = {
  name: 'amount',
  tableOnly: true,
  value: ({ operatorMoney, operatorExitMoney }) => operatorMoney?.actualDebit ?? operatorExitMoney?.sellProceeds,
};

/** Letters of an event's name and its outcome that people need to distinguish two markets. */
const READABLE_NAME = 40;

function marketColumn<Row extends { readonly contractId: string }>(names: MarketNames): Column<Row> {
  return {
    name: 'market',
    tableOnly: true,
    elastic: READABLE_NAME,
    mayStandBelow: true,
    onlyChanges: true,
    value: ({ contractId }) => names.get(contractId),
  };
}

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
    'booked profit': position.operatorMoney.realisedPnl,
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
