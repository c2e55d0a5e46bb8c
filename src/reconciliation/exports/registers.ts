/**
 * The kinds of export that are registers and statements: orders and positions as the API reads them now, ledger lines and
 * settlements, which are only added to, and the statements of revenue and of an operator's money.
 */
import { type RevenueBy, type RevenueSubject, revenueSubjects } from '../../core/terms.ts';
import type { JournalRow } from '../../ledger/journal-row.ts';
import { itemIdOf, type LedgerLine } from '../../ledger/render/entry.ts';
import { settlementOf } from '../../ledger/render/events.ts';
import { kindsWith, type PostedEntry, placeOfSettlement, postedEntry } from '../../ledger/render/items.ts';
import { fromJournal, journalWithin, renderedExport } from './rendered-export.ts';
import {
  column,
  type ExportColumn,
  type ExportSpec,
  type ExportWindow,
  openedPositions,
  recordedOrders,
  within,
} from './sql-export.ts';

/** As a read of the order: an unresolved buy has booked nothing (contract 11.11), a sell its known fills (contract 13.12). */
const unresolved = 'is_open_order(x.status, x.transmission_state)';
const ofBuy = (sql: string) => `case when x.action = 'buy' then ${sql} end`;
const booked = (amount: string) => ofBuy(`case when ${unresolved} then 0 else x.${amount} end`);
const ofSell = (sql: string) => `case when x.action = 'sell' then ${sql} end`;
export const orders: ExportSpec = {
  columns: [
    column('orderId', 'word', 'x.order_id'),
    column('clientOrderId', 'text', 'x.client_order_id'),
    column('executionRef', 'word', 'x.execution_ref'),
    column('externalUserId', 'text', 'x.external_user_id'),
    column('status', 'word', 'x.status'),
    column('contractId', 'word', 'x.contract_id'),
    column('side', 'word', 'x.side'),
    column('action', 'word', 'x.action'),
    column('filledQuantity', 'micros', 'x.filled_quantity'),
    column(
      'averagePrice',
      'micros',
      'case when x.filled_quantity > 0 then round(x.price_weight / x.filled_quantity) end',
    ),
    column('platformFeeBps', 'integer', 'x.fee_bps'),
    column('rejectReason', 'text', 'x.reject_reason'),
    column('simulated', 'boolean', 'x.simulated'),
    column('createdAt', 'time', 'x.created_at'),
    column('settlementState', 'word', `case when ${unresolved} then 'pending' else 'settled' end`),
    column('transmissionState', 'word', 'x.transmission_state'),
    column('operatorMoney.currency', 'word', ofBuy("'USD'")),
    column('operatorMoney.authorizationAmount', 'cents', ofBuy('x.authorization_minor')),
    column('operatorMoney.actualDebit', 'cents', booked('debit_minor')),
    column(
      'operatorMoney.releaseAmount',
      'cents',
      ofBuy(`case when ${unresolved} then x.authorization_minor else x.release_minor end`),
    ),
    column('operatorMoney.tradeAmount', 'cents', booked('trade_minor')),
    column('operatorMoney.platformFee', 'cents', booked('platform_fee_minor')),
    column('operatorMoney.venueFee', 'cents', booked('venue_fee_minor')),
    column('operatorMoney.venueFeeKnown', 'boolean', ofBuy(`x.venue_fee_known and not ${unresolved}`)),
    column('operatorExitMoney.currency', 'word', ofSell("'USD'")),
    column('operatorExitMoney.sellProceeds', 'cents', ofSell('x.proceeds_minor')),
    column('operatorExitMoney.platformFee', 'cents', ofSell('x.platform_fee_minor')),
    column('operatorExitMoney.venueFee', 'cents', ofSell('x.venue_fee_minor')),
    column('operatorExitMoney.venueFeeKnown', 'boolean', ofSell('x.venue_fee_known')),
    column(
      'cancelReason',
      'text',
      "case when x.status = 'cancelled' then coalesce(x.cancel_reason, 'closed_unfilled') end",
    ),
    column('eventTitle', 'text', 'm.title'),
    column('label', 'text', 'm.label'),
  ],
  // `offset 0` forces one look-up of the names per row, which keeps the rows in order without a sort
  rows: (window) =>
    `(select * from ${recordedOrders(window)} order by order_id) x
     left join lateral (select v.title, c.label from contracts c join events v on v.event_id = c.event_id
       where c.contract_id = x.contract_id offset 0) m on true order by x.order_id`,
  totals: {
    authorizationAmount: "sum(authorization_minor) filter (where action = 'buy')",
    actualDebit: "sum(debit_minor) filter (where action = 'buy' and not is_open_order(status, transmission_state))",
    sellProceeds: "sum(proceeds_minor) filter (where action = 'sell')",
  },
  totalled: recordedOrders,
};

export const positions: ExportSpec = {
  columns: [
    column('positionId', 'word', 'x.position_id'),
    column('externalUserId', 'text', 'x.external_user_id'),
    column('contractId', 'word', 'x.contract_id'),
    column('side', 'word', 'x.side'),
    column('status', 'word', 'x.status'),
    column('quantity', 'micros', 'x.quantity'),
    column('averagePrice', 'micros', 'x.average_price_micros'),
    column('openedAt', 'time', 'x.opened_at'),
    column('updatedAt', 'time', 'x.updated_at'),
    column('operatorMoney.currency', 'word', "'USD'"),
    column('operatorMoney.costBasis', 'cents', 'x.cost_basis_minor'),
    column('operatorMoney.realisedPnl', 'cents', 'x.realised_pnl_minor'),
  ],
  rows: (window) => `(select * from ${openedPositions(window)} order by position_id) x`,
  totals: { costBasis: 'sum(cost_basis_minor)', realisedPnl: 'sum(realised_pnl_minor)' },
  totalled: openedPositions,
};

const AMOUNTS = ['available', 'held', 'stakes', 'result', 'platform_fees', 'venue_fees', 'other'];

interface Line {
  readonly entry: PostedEntry;
  /** From 1. */
  readonly number: number;
  readonly line: LedgerLine;
}

/** The fields from which an entry and its place are rendered: a third of a row. */
const ENTRY_FIELDS: readonly (keyof JournalRow)[] = [
  ...(['operatorId', 'sequence', 'recordedAt', 'effectiveAt', 'kind', 'digits', 'orderId', 'positionId'] as const),
  ...(['externalUserId', 'action', 'quantity', 'outcome', 'memo', 'reference'] as const),
  ...(['funds', 'otherAccount', 'available', 'held', 'stakes', 'result'] as const),
  ...(['platformFees', 'venueFees', 'other', 'availableAfter', 'heldAfter', 'stakesAfter'] as const),
  ...(['resultAfter', 'platformFeesAfter', 'venueFeesAfter', 'otherAfter'] as const),
];

export const ledger = renderedExport<JournalRow, Line>({
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
    'quantity',
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

export const settlements = renderedExport<JournalRow, SettlementLine>({
  stored: fromJournal(['position_settled'], SETTLEMENT_FIELDS),
  columns: [
    { name: 'id', type: 'word', value: ({ row }) => itemIdOf('stl', row) },
    { name: 'positionId', type: 'word', value: ({ row }) => row.positionId ?? null },
    { name: 'externalUserId', type: 'text', value: ({ row }) => row.externalUserId ?? null },
    { name: 'contractId', type: 'word', value: ({ row }) => row.contractId ?? null },
    { name: 'side', type: 'word', value: ({ row }) => row.side ?? null },
    { name: 'resolution', type: 'word', value: ({ row }) => row.resolution ?? null },
    { name: 'outcome', type: 'word', value: ({ row }) => row.outcome ?? null },
    { name: 'contracts', type: 'micros', value: ({ row }) => row.quantity ?? null },
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

const EARNING = "('order_executed', 'contracts_bought', 'contracts_sold', 'position_settled', 'overrun_posted')";
const REVENUE_AMOUNTS = AMOUNTS.map((amount) => `e.${amount}`).join(', ');

/** Rows `e` of the window that earn or cost something. */
const entries = (window: ExportWindow) =>
  `${within('journal e', window, 'sequence')} and kind in ${EARNING} and num_nonnulls(${REVENUE_AMOUNTS}) > 0`;

/** @param timeZone IANA name, checked before */
const keyOf = (subject: RevenueSubject, timeZone: string, operator: string): string =>
  ({
    day: `(e.recorded_at at time zone '${timeZone}')::date::text`,
    customer: 'e.external_user_id',
    market: `coalesce(e.contract_id, (select x.contract_id from orders x where x.operator_id = ${operator} and x.order_id = e.order_id))`,
  })[subject];

const BUYS = "e.kind in ('order_executed', 'contracts_bought') and e.action = 'buy'";
const FUNDS = 'coalesce(e.available, 0) + coalesce(e.held, 0)';
const sum = (amount: string, condition = 'true') => `coalesce(sum(${amount}) filter (where ${condition}), 0)`;

const summed = (window: ExportWindow, by: readonly RevenueSubject[], timeZone: string) => `(
  select ${by.map((subject) => `${keyOf(subject, timeZone, window.operator)} as ${subject}`).join(', ')},
    ${sum(FUNDS, BUYS)} as stakes, -${sum(FUNDS, `(${BUYS}) is not true`)} as payouts,
    -${sum('e.platform_fees')} as platform, -${sum('e.venue_fees')} as venue,
    ${sum('e.other', "e.other_account = 'fees:returned'")} as returned, ${sum('e.other', "e.other_account = 'overrun'")} as overrun,
    -${sum('e.stakes')} as open, -${sum('e.result')} as result
  from ${entries(window)}
  group by ${by.map((_, place) => place + 1).join(', ')})`;

const NET_STAKES = 'x.stakes - x.payouts';
const FEE_REVENUE = 'x.platform - x.returned - x.overrun';

const KEY_COLUMNS: Readonly<Record<RevenueSubject, readonly ExportColumn[]>> = {
  day: [column('day', 'day', 'x.day')],
  customer: [column('externalUserId', 'text', 'x.customer')],
  market: [
    column('contractId', 'word', 'x.market'),
    column('eventTitle', 'text', 'x.title'),
    column('label', 'text', 'x.label'),
  ],
};
/** The rows with the names of their markets, which may be on another server than the operators' rows. */
const named = (rows: string) => `(with t as materialized (${rows})
  select t.*, v.title, m.label from t left join contracts m on m.contract_id = t.market left join events v on v.event_id = m.event_id)`;

/**
 * Revenue by day, customer, market or two of them: stakes, payouts, and the shares of the venue, the platform and the market
 * (docs/ledger.md "Revenue statement"). It reads the journal's amounts alone.
 * @param timeZone IANA name of the zone in which a day begins, checked before
 */
export function revenueBy(by: RevenueBy, timeZone = 'UTC'): ExportSpec {
  const subjects = revenueSubjects(by);
  const order = (row: string) => subjects.map((subject) => `${row}.${subject}`).join(', ');
  return {
    columns: [
      ...subjects.flatMap((subject) => KEY_COLUMNS[subject]),
      column('stakes', 'cents', 'x.stakes'),
      column('payouts', 'cents', 'x.payouts'),
      column('netStakes', 'cents', NET_STAKES),
      column('openStakes', 'cents', 'x.open'),
      column('marketResult', 'cents', 'x.result'),
      column('venueFees', 'cents', 'x.venue'),
      column('platformFees', 'cents', 'x.platform'),
      column('feesReturned', 'cents', 'x.returned'),
      column('overrun', 'cents', 'x.overrun'),
      column('feeRevenue', 'cents', FEE_REVENUE),
    ],
    rows: (window) => {
      const rows = `select * from ${summed(window, subjects, timeZone)} t order by ${order('t')}`;
      return `${subjects.includes('market') ? named(rows) : `(${rows})`} x order by ${order('x')}`;
    },
    totals: {
      stakes: 'sum(x.stakes)',
      payouts: 'sum(x.payouts)',
      marketResult: 'sum(x.result)',
      feeRevenue: `sum(${FEE_REVENUE})`,
    },
    totalled: (window) => `${summed(window, subjects, timeZone)} x`,
  };
}

/** One row for the opening balance, one for each kind of movement, one for the closing balance. */
const statementRows = ({ operator, after, through }: ExportWindow) => {
  const lines = `select case when l.account_id like 'collateral:%' then 'operator_collateral' else 'hosted' end as side,
      l.sequence, l.movement_type, l.amount
    from ledger_lines l where l.operator_id = ${operator} and l.sequence <= ${through}
      and (l.account_id like 'wallet:%' or l.account_id like 'hold:%' or l.account_id like 'collateral:%')`;
  return `(with line as materialized (${lines}),
      moved as (select b.side, b.movement_type, count(distinct b.sequence) as entries, -sum(b.amount) as amount
        from line b where b.sequence > ${after} group by 1, 2)
    select s.side, 1 as part, 'opening' as movement, null::bigint as entries, coalesce((select -sum(amount) from line b where b.side = s.side and b.sequence <= ${after}), 0) as amount
      from (values ('hosted'), ('operator_collateral')) s(side)
    union all select m.side, 2, m.movement_type, m.entries, m.amount from moved m
    union all select s.side, 3, 'ending', null, coalesce((select -sum(amount) from line b where b.side = s.side), 0)
      from (values ('hosted'), ('operator_collateral')) s(side))`;
};

/** The statement of an operator's money: the opening balance, the movements, the closing balance (contract chapter 22). */
export const statement: ExportSpec = {
  columns: [
    column('side', 'word', 'x.side'),
    column('movementType', 'word', 'x.movement'),
    column('entries', 'integer', 'x.entries'),
    column('amount', 'cents', 'x.amount'),
  ],
  rows: (window) => `(select * from ${statementRows(window)} t order by side, part, movement) x`,
  totals: {
    hostedEnding: "sum(amount) filter (where side = 'hosted' and movement = 'ending')",
    collateralEnding: "sum(amount) filter (where side = 'operator_collateral' and movement = 'ending')",
  },
  totalled: (window) => `${statementRows(window)} t`,
};
