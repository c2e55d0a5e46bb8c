/** The columns of lists of orders, positions and settlements, as tables and as CSV. Amounts have the names of the API. */
import type { Order, Position, Settlement } from '../../client/shapes.ts';
import type { MarketNames } from '../service/market-names.ts';
import { type Column, columnsOf, elastic, numeric, ranked } from '../terminal/output.ts';

/** @param names of their contracts */
export function orderColumns(names: MarketNames): readonly Column<Order>[] {
  const shown = [
    ...columnsOf<Order>('executionRef', 'createdAt', 'status', 'action', 'side'),
    marketColumn<Order>(names),
    ...columnsOf<Order>('filledQuantity', 'operatorMoney.actualDebit', 'operatorExitMoney.sellProceeds'),
    ...columnsOf<Order>('operatorMoney.releaseAmount', 'externalUserId', 'clientOrderId', 'orderId', 'contractId'),
  ];
  // support and finance look for these; whatever else fits is a help
  const first = [
    ...['executionRef', 'createdAt', 'status', 'action', 'side', 'operatorMoney.actualDebit', 'market'],
    ...['operatorExitMoney.sellProceeds', 'filledQuantity', 'externalUserId', 'clientOrderId', 'orderId'],
  ];
  return [
    ...ranked(first, numeric(NUMBERS, elastic(['clientOrderId', 'externalUserId'], titled(shown)))),
    ...columnsOf<Order>(
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
    ).map((column) => ({ ...column, csvOnly: true })),
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
    ...columnsOf<Position>('updatedAt').map((column) => ({ ...column, csvOnly: true })),
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
  'operatorMoney.actualDebit',
  'operatorMoney.releaseAmount',
  'operatorMoney.costBasis',
  'operatorMoney.realisedPnl',
  'operatorMoney.settlementCredit',
  'operatorMoney.voidCredit',
  'operatorExitMoney.sellProceeds',
];

/** Shorter heads than the names of the fields, so that 80 columns hold what matters. */
const TITLES: Readonly<Record<string, string>> = {
  id: 'settlement',
  filledQuantity: 'filled',
  createdAt: 'time',
  'operatorMoney.actualDebit': 'debit',
  'operatorMoney.releaseAmount': 'release',
  'operatorExitMoney.sellProceeds': 'proceeds',
  averagePrice: 'price',
  'operatorMoney.costBasis': 'cost',
  'operatorMoney.settlementCredit': 'credit',
  'operatorMoney.voidCredit': 'void',
};

function titled<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.map((column) => {
    const title = TITLES[column.name];
    return title === undefined ? column : { ...column, title };
  });
}

function marketColumn<Row extends { readonly contractId: string }>(names: MarketNames): Column<Row> {
  return {
    name: 'market',
    tableOnly: true,
    elastic: true,
    keepsEnd: true,
    value: ({ contractId }) => names.get(contractId),
  };
}
