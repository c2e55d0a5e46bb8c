/** The columns of lists of orders, positions and settlements, as tables and as CSV. Amounts have the names of the API. */
import type { Order, Position, Settlement } from '../../client/shapes.ts';
import type { MarketNames } from '../service/market-names.ts';
import { type Column, columnsOf, elastic, numeric, ranked } from '../terminal/output.ts';

/** @param names of their contracts */
export function orderColumns(names: MarketNames): readonly Column<Order>[] {
  const shown = [
    ...columnsOf<Order>('executionRef', 'createdAt', 'status', 'action', 'side'),
    marketColumn<Order>(names),
    ...columnsOf<Order>('filledQuantity'),
    amountColumn,
    ...inCsvOnly(columnsOf<Order>('operatorMoney.actualDebit', 'operatorExitMoney.sellProceeds')),
    ...columnsOf<Order>('operatorMoney.releaseAmount', 'externalUserId', 'clientOrderId', 'orderId', 'contractId'),
  ];
  // support and finance look for these; whatever else fits is a help
  const first = [
    ...['executionRef', 'createdAt', 'status', 'action', 'side', 'amount', 'market'],
    ...['filledQuantity', 'externalUserId', 'clientOrderId', 'orderId'],
  ];
  return [
    ...ranked(first, numeric(NUMBERS, elastic(['clientOrderId', 'externalUserId'], titled(shown)))),
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

/** Shorter heads than the names of the fields, so that 80 columns hold what matters. */
const TITLES: Readonly<Record<string, string>> = {
  id: 'settlement',
  filledQuantity: 'filled',
  createdAt: 'time',
  'operatorMoney.releaseAmount': 'release',
  averagePrice: 'price',
  'operatorMoney.costBasis': 'cost',
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

/** Debit of a purchase, proceeds of a sale: one of the two is always empty. */
const amountColumn: Column<Order> = {
  name: 'amount',
  tableOnly: true,
  value: ({ operatorMoney, operatorExitMoney }) => operatorMoney?.actualDebit ?? operatorExitMoney?.sellProceeds,
};

/** Letters of an event's name and its outcome by which people tell two apart. */
const READABLE_NAME = 40;

function marketColumn<Row extends { readonly contractId: string }>(names: MarketNames): Column<Row> {
  return {
    name: 'market',
    tableOnly: true,
    elastic: READABLE_NAME,
    mayStandBelow: true,
    value: ({ contractId }) => names.get(contractId),
  };
}
