/**
 * The kinds of export that are registers: orders and positions as the API shows them now, and ledger lines and settlements,
 * which are only added to.
 */
import { camelCase, snakeCase } from '../../db/row-type.ts';
import type { JournalRow } from '../../ledger/journal-row.ts';
import { itemIdOf, type LedgerLine } from '../../ledger/render/entry.ts';
import { settlementOf } from '../../ledger/render/events.ts';
import { kindsWith, type PostedEntry, placeOfSettlement, postedEntry } from '../../ledger/render/items.ts';
import { ORDER_ROW, type OrderRow } from '../../trading/orders/order.ts';
import { renderOrder } from '../../trading/orders/read-orders.ts';
import { renderPosition, type ShownPosition } from '../../trading/positions.ts';
import type { OrderDetail } from '../../wire/order.ts';
import type { Position } from '../../wire/position.ts';
import { defineExport, type ExportColumn, type ExportWindow, fromJournal, journalWithin } from './export-spec.ts';

/** The columns of the table as fields of the row, in which numerics are text. */
const ORDER_FIELDS = ORDER_ROW.columns.map(
  ({ name, type }) => `x.${name}${type === 'numeric' ? '::text' : ''} as "${camelCase(name)}"`,
);

/** A row of `orders` with the names of its market. */
interface NamedOrder extends OrderRow {
  readonly eventTitle: string | null;
  readonly label: string | null;
}

type OrderLine = OrderDetail & Pick<NamedOrder, 'eventTitle' | 'label'>;

/**
 * Orders by the feed position of their creation. Their own time is read before the statement waits for the operator's
 * counter, so a window by it would not be closed; positions are assigned in commit order.
 */
const recordedOrders = (window: ExportWindow) =>
  `orders where operator_id = ${window.operator} and order_id in (
    select order_id from ${journalWithin(window, ['order_executed', 'order_recorded'])})`;

/** Orders as the API shows them, with the names of their market. */
export const orders = defineExport<NamedOrder, OrderLine>({
  appendOnly: false,
  // without laterals, which Citus would send to the servers of the operators, where there are no markets
  stored: (window) =>
    `select ${ORDER_FIELDS.join(', ')}, v.title as "eventTitle", c.label
     from (select * from ${recordedOrders(window)}) x
       left join contracts c on c.contract_id = x.contract_id left join events v on v.event_id = c.event_id
     order by x.order_id`,
  columns: [
    { name: 'orderId', type: 'word', value: (order) => order.orderId },
    { name: 'clientOrderId', type: 'text', value: (order) => order.clientOrderId },
    { name: 'executionRef', type: 'word', value: (order) => order.executionRef },
    { name: 'externalUserId', type: 'text', value: (order) => order.externalUserId },
    { name: 'status', type: 'word', value: (order) => order.status },
    { name: 'contractId', type: 'word', value: (order) => order.contractId },
    { name: 'side', type: 'word', value: (order) => order.side },
    { name: 'action', type: 'word', value: (order) => order.action },
    { name: 'filledQuantity', type: 'micros', value: (order) => order.filledQuantity },
    { name: 'averagePrice', type: 'micros', value: (order) => order.averagePrice },
    { name: 'platformFeeBps', type: 'integer', value: (order) => order.platformFeeBps },
    { name: 'rejectReason', type: 'text', value: (order) => order.rejectReason },
    { name: 'simulated', type: 'boolean', value: (order) => order.simulated },
    { name: 'createdAt', type: 'time', value: (order) => new Date(order.createdAt) },
    { name: 'settlementState', type: 'word', value: (order) => order.settlementState },
    { name: 'transmissionState', type: 'word', value: (order) => order.transmissionState },
    ...moneyColumns('operatorMoney', ({ operatorMoney }) => operatorMoney, [
      'authorizationAmount',
      'actualDebit',
      'releaseAmount',
      'tradeAmount',
      'platformFee',
      'venueFee',
    ]),
    ...moneyColumns('operatorExitMoney', ({ operatorExitMoney }) => operatorExitMoney, [
      'sellProceeds',
      'platformFee',
      'venueFee',
    ]),
    { name: 'cancelReason', type: 'text', value: (order) => order.cancelReason },
    { name: 'eventTitle', type: 'text', value: (order) => order.eventTitle },
    { name: 'label', type: 'text', value: (order) => order.label },
  ],
  rowsOf: ({ eventTitle, label, ...order }) => [{ ...renderOrder(order), eventTitle, label }],
  totals: {
    authorizationAmount: "sum(authorization_minor) filter (where action = 'buy')",
    actualDebit: "sum(debit_minor) filter (where action = 'buy' and not is_open_order(status, transmission_state))",
    sellProceeds: "sum(proceeds_minor) filter (where action = 'sell')",
  },
  totalled: recordedOrders,
});

/** The columns of one of the two money blocks of an order, which is null for the other action. */
function moneyColumns<Amount extends string>(
  name: string,
  blockOf: (order: OrderLine) => (Record<Amount | 'currency', string> & { readonly venueFeeKnown: boolean }) | null,
  amounts: readonly Amount[],
): ExportColumn<OrderLine>[] {
  return [
    { name: `${name}.currency`, type: 'word', value: (order) => blockOf(order)?.currency ?? null },
    ...amounts.map(
      (amount): ExportColumn<OrderLine> => ({
        name: `${name}.${amount}`,
        type: 'cents',
        value: (order) => blockOf(order)?.[amount] ?? null,
      }),
    ),
    { name: `${name}.venueFeeKnown`, type: 'boolean', value: (order) => blockOf(order)?.venueFeeKnown ?? null },
  ];
}

/** Positions by the feed position of the fill that opened them, which was recorded at the moment of their opening. */
const openedPositions = (window: ExportWindow) =>
  `positions where operator_id = ${window.operator} and position_id in (
    select p.position_id
    from (select position_id, decided_at
        from ${journalWithin(window, ['order_executed', 'order_filled'])} and quantity_micros > 0) r
      join positions p on p.operator_id = ${window.operator} and p.position_id = r.position_id and p.opened_at = r.decided_at)`;

const POSITION_FIELDS: readonly (keyof ShownPosition)[] = [
  ...([
    'positionId',
    'externalUserId',
    'contractId',
    'side',
    'status',
    'quantityMicros',
    'averagePriceMicros',
  ] as const),
  ...(['costBasisMinor', 'realisedPnlMinor', 'openedAt', 'updatedAt'] as const),
];

/** Positions as the API shows them. */
export const positions = defineExport<ShownPosition, Position>({
  appendOnly: false,
  stored: (window) =>
    `select ${POSITION_FIELDS.map((field) => `${snakeCase(field)} as "${field}"`).join(', ')}
     from ${openedPositions(window)} order by position_id`,
  columns: [
    { name: 'positionId', type: 'word', value: (position) => position.positionId },
    { name: 'externalUserId', type: 'text', value: (position) => position.externalUserId },
    { name: 'contractId', type: 'word', value: (position) => position.contractId },
    { name: 'side', type: 'word', value: (position) => position.side },
    { name: 'status', type: 'word', value: (position) => position.status },
    { name: 'quantity', type: 'micros', value: (position) => position.quantity },
    { name: 'averagePrice', type: 'micros', value: (position) => position.averagePrice },
    { name: 'openedAt', type: 'time', value: (position) => new Date(position.openedAt) },
    { name: 'updatedAt', type: 'time', value: (position) => new Date(position.updatedAt) },
    { name: 'operatorMoney.currency', type: 'word', value: ({ operatorMoney }) => operatorMoney.currency },
    { name: 'operatorMoney.costBasis', type: 'cents', value: ({ operatorMoney }) => operatorMoney.costBasis },
    {
      name: 'operatorMoney.realisedPnl',
      type: 'cents',
      value: ({ operatorMoney }) => operatorMoney.realisedPnl,
    },
  ],
  rowsOf: (row) => [renderPosition(row)],
  totals: { costBasis: 'sum(cost_basis_minor)', realisedPnl: 'sum(realised_pnl_minor)' },
  totalled: openedPositions,
});

/** The columns of the journal that have an amount, in cents. */
export const AMOUNTS = ['available', 'held', 'stakes', 'result', 'platform_fees', 'venue_fees', 'other'];

interface Line {
  readonly entry: PostedEntry;
  /** From 1. */
  readonly number: number;
  readonly line: LedgerLine;
}

/** The fields from which an entry and its place are rendered: a third of a row. */
const ENTRY_FIELDS: readonly (keyof JournalRow)[] = [
  ...(['operatorId', 'sequence', 'recordedAt', 'effectiveAt', 'kind', 'digits', 'orderId', 'positionId'] as const),
  ...(['externalUserId', 'action', 'quantityMicros', 'outcome', 'memo', 'reference'] as const),
  ...(['funds', 'otherAccount', 'available', 'held', 'stakes', 'result'] as const),
  ...(['platformFees', 'venueFees', 'other', 'availableAfter', 'heldAfter', 'stakesAfter'] as const),
  ...(['resultAfter', 'platformFeesAfter', 'venueFeesAfter', 'otherAfter'] as const),
];

export const ledger = defineExport<JournalRow, Line>({
  appendOnly: true,
  stored: fromJournal(kindsWith(['ledger.posted']), ENTRY_FIELDS),
  columns: [
    { name: 'sequence', type: 'integer', value: ({ entry }) => entry.sequence },
    { name: 'entryId', type: 'word', value: ({ entry }) => entry.entryId },
    { name: 'recordedAt', type: 'time', value: ({ entry }) => entry.recordedAt },
    { name: 'movementType', type: 'word', value: ({ entry }) => entry.movementType },
    { name: 'memo', type: 'text', value: ({ entry }) => entry.memo },
    { name: 'referenceType', type: 'word', value: ({ entry }) => entry.referenceType },
    { name: 'referenceId', type: 'text', value: ({ entry }) => entry.referenceId },
    { name: 'lineNo', type: 'integer', value: ({ number }) => number },
    { name: 'accountId', type: 'text', value: ({ line }) => line.accountId },
    { name: 'debit', type: 'cents', value: ({ line }) => (line.amountMinor > 0n ? line.amountMinor : 0n) },
    { name: 'credit', type: 'cents', value: ({ line }) => (line.amountMinor < 0n ? -line.amountMinor : 0n) },
    { name: 'balanceAfter', type: 'cents', value: ({ line }) => line.balanceAfterMinor },
    { name: 'effectiveAt', type: 'time', value: ({ entry }) => entry.effectiveAt ?? entry.recordedAt },
  ],
  rowsOf: (row) => {
    const entry = postedEntry(row);
    return entry === null ? [] : entry.lines.map((line, place) => ({ entry, number: place + 1, line }));
  },
  totals: {
    debit: `sum(${AMOUNTS.map((amount) => `greatest(${amount}, 0)`).join(' + ')})`,
    credit: `-sum(${AMOUNTS.map((amount) => `least(${amount}, 0)`).join(' + ')})`,
  },
  totalled: (window) => journalWithin(window),
  counted: `coalesce(sum(num_nonnulls(${AMOUNTS.join(', ')})), 0)`,
});

/** The fields from which a settlement is rendered. */
const SETTLEMENT_FIELDS: readonly (keyof JournalRow)[] = [
  ...([
    'sequence',
    'items',
    'kind',
    'digits',
    'positionId',
    'externalUserId',
    'contractId',
    'side',
    'resolution',
  ] as const),
  ...([
    'outcome',
    'quantityMicros',
    'available',
    'stakes',
    'feeShareMinor',
    'lifetimePnlMinor',
    'simulated',
    'recordedAt',
  ] as const),
];

interface SettlementLine {
  readonly row: JournalRow;
  readonly money: ReturnType<typeof settlementOf>;
}

export const settlements = defineExport<JournalRow, SettlementLine>({
  appendOnly: true,
  stored: fromJournal(['position_settled'], SETTLEMENT_FIELDS),
  columns: [
    { name: 'id', type: 'word', value: ({ row }) => itemIdOf('stl', row) },
    { name: 'positionId', type: 'word', value: ({ row }) => row.positionId ?? null },
    { name: 'externalUserId', type: 'text', value: ({ row }) => row.externalUserId ?? null },
    { name: 'contractId', type: 'word', value: ({ row }) => row.contractId ?? null },
    { name: 'side', type: 'word', value: ({ row }) => row.side ?? null },
    { name: 'resolution', type: 'word', value: ({ row }) => row.resolution ?? null },
    { name: 'outcome', type: 'word', value: ({ row }) => row.outcome ?? null },
    { name: 'contracts', type: 'micros', value: ({ row }) => row.quantityMicros ?? null },
    { name: 'realisedPnl', type: 'cents', value: ({ money }) => money.creditMinor - money.costBasisMinor },
    { name: 'lifetimeRealisedPnl', type: 'cents', value: ({ row }) => row.lifetimePnlMinor ?? null },
    { name: 'settledAt', type: 'time', value: ({ row }) => row.recordedAt },
    { name: 'operatorMoney.currency', type: 'word', value: () => 'USD' },
    { name: 'operatorMoney.settlementCredit', type: 'cents', value: ({ money }) => money.settlementCreditMinor },
    { name: 'operatorMoney.voidCredit', type: 'cents', value: ({ money }) => money.voidCreditMinor },
    { name: 'simulated', type: 'boolean', value: ({ row }) => row.simulated ?? null },
    { name: 'sequence', type: 'integer', value: ({ row }) => placeOfSettlement(row) },
  ],
  rowsOf: (row) => [{ row, money: settlementOf(row) }],
  totals: {
    settlementCredit: "-sum(available) filter (where outcome = 'won')",
    voidCredit: "-sum(available) filter (where outcome = 'void')",
    realisedPnl: '-sum(coalesce(available, 0) + coalesce(stakes, 0) + fee_share_minor)',
  },
  totalled: (window) => journalWithin(window, ['position_settled']),
});
