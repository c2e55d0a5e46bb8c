/** What can be exported: the columns of each kind, where its rows come from, and what they add up to. SQL text, no I/O. */
import { column, type ExportColumn, isoTime } from './export-column.ts';

export const EXPORT_KINDS = [
  'feed',
  'orders',
  'settlements',
  'positions',
  'ledger',
  'fees',
  'revenue',
  'statement',
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** Literals of the window, quoted: the operator, feed positions after and up to, times from and to. */
export interface ExportWindow {
  readonly operator: string;
  readonly after: string;
  readonly through: string;
  readonly from: string;
  readonly to: string;
}

export interface ExportSpec {
  /** Rows are only ever added behind, so that an export that broke off is gone on with. */
  readonly appendOnly: boolean;
  readonly columns: readonly ExportColumn[];
  /** A row of JSON that is ready, where there is one. */
  readonly json?: string;
  /** `from` clause of rows `x` in their order, without the first `skip`. */
  rows(window: ExportWindow, skip: number): string;
  /** Sums over all rows, cents; read from `totalled`. */
  readonly totals: Readonly<Record<string, string>>;
  totalled(window: ExportWindow): string;
}

const within = (table: string, { operator, after, through }: ExportWindow, position = 'position') =>
  `${table} where operator_id = ${operator} and ${position} > ${after} and ${position} <= ${through}`;

/** The eight item types side by side: every field of `money` and `detail`, read from each item at once. */
const feedMoney = [
  'authorizationAmount',
  'actualDebit',
  'releaseAmount',
  'tradeAmount',
  'sellProceeds',
  'platformFee',
  'venueFee',
];
const feedSettled = ['settlementCredit', 'voidCredit', 'amount', 'balanceAfter', 'committedAfter'];
const feedDetail = [
  'fromState',
  'toState',
  'reason',
  'side',
  'action',
  'orderStatus',
  'simulated',
  'quantity',
  'price',
  'kind',
  'bps',
  'memo',
  'ledgerEntryId',
  'movementType',
  'referenceType',
  'referenceId',
  'correctsEntryId',
  'quantityRemaining',
  'exitPrice',
  'entryPrice',
  'venueAgrees',
  'venueFeeKnown',
  'costBasis',
  'entryFeeShare',
  'realisedPnl',
  'resolution',
  'contracts',
  'lifetimeRealisedPnl',
  'outcome',
  'eventType',
  'dedupeKey',
];
const fromOutside = new Set(['memo', 'referenceId', 'reason', 'dedupeKey']);
const record = (fields: readonly string[]) => fields.map((field) => `"${field}" text`).join(', ');

const feed: ExportSpec = {
  appendOnly: true,
  columns: [
    column('sequence', 'integer', 'x.position'),
    column('id', 'word', 'x.item_id'),
    column('type', 'word', 'x.type'),
    column('occurredAt', 'time', 'x.occurred_at'),
    column('externalUserId', 'text', 'x.external_user_id'),
    column('positionId', 'word', 'x.position_id'),
    column('orderId', 'word', 'x.order_id'),
    column('money.currency', 'word', 'm.currency'),
    ...[...feedMoney, ...feedSettled].map((field) => column(`money.${field}`, 'word', `m."${field}"`)),
    column('money.venueFeeKnown', 'word', 'm."venueFeeKnown"'),
    column('money.lines', 'text', 'm.lines::text'),
    ...feedDetail.map((field) => column(`detail.${field}`, fromOutside.has(field) ? 'text' : 'word', `d."${field}"`)),
  ],
  json: 'feed_item_text(x)',
  rows: (window, skip) =>
    `(select * from ${within('feed_items', window)} order by position offset ${skip}) x
     cross join lateral json_to_record(coalesce(x.money, '{}')) m(currency text, ${record([...feedMoney, ...feedSettled])}, "venueFeeKnown" text, lines json)
     cross join lateral json_to_record(x.detail) d(${record(feedDetail)})`,
  totals: {},
  totalled: (window) => within('feed_items', window),
};

/** An entry has several lines and is formatted once: `offset 0` keeps the planner from moving that above the join. */
const ledger: ExportSpec = {
  appendOnly: true,
  columns: [
    column('sequence', 'integer', 'x.position'),
    column('entryId', 'word', 'e.entry_id'),
    column('recordedAt', 'word', 'e.recorded_at'),
    column('movementType', 'word', 'e.movement_type'),
    column('memo', 'text', 'e.memo'),
    column('referenceType', 'word', 'e.reference_type'),
    column('referenceId', 'text', 'e.reference_id'),
    column('correctsEntryId', 'word', 'e.corrects_entry_id'),
    column('lineNo', 'integer', 'x.line_no'),
    column('accountId', 'text', 'x.account_id'),
    column('debit', 'amount', 'case when x.amount > 0 then x.amount * 0.01 else 0.00 end'),
    column('credit', 'amount', 'case when x.amount < 0 then x.amount * -0.01 else 0.00 end'),
    column('balanceAfter', 'cents', 'x.balance_after'),
  ],
  rows: (window, skip) =>
    `(select * from ${within('ledger_lines', window)} order by position, line_no offset ${skip}) x
     join (select position, entry_id, movement_type, memo, reference_type, reference_id, corrects_entry_id, ${isoTime('recorded_at')} as recorded_at
       from ${within('ledger_entries', window)} order by position offset 0) e on e.position = x.position order by x.position, x.line_no`,
  totals: {
    debit: 'sum(amount) filter (where amount > 0)',
    credit: '-sum(amount) filter (where amount < 0)',
  },
  totalled: (window) => within('ledger_lines', window),
};

const settlements: ExportSpec = {
  appendOnly: true,
  columns: [
    column('id', 'word', 'x.settlement_id'),
    column('positionId', 'word', 'x.position_id'),
    column('externalUserId', 'text', 'x.external_user_id'),
    column('contractId', 'word', 'x.contract_id'),
    column('side', 'word', 'x.side'),
    column('resolution', 'word', 'x.resolution'),
    column('outcome', 'word', 'x.outcome'),
    column('contracts', 'micros', 'x.quantity'),
    column('realisedPnl', 'cents', 'x.realised_pnl_minor'),
    column('lifetimeRealisedPnl', 'cents', 'x.lifetime_realised_pnl_minor'),
    column('settledAt', 'time', 'x.settled_at'),
    column('operatorMoney.currency', 'word', "'USD'"),
    column('operatorMoney.settlementCredit', 'cents', 'x.settlement_credit_minor'),
    column('operatorMoney.voidCredit', 'cents', 'x.void_credit_minor'),
    column('simulated', 'boolean', 'x.simulated'),
    column('sequence', 'integer', 'x.feed_position'),
  ],
  rows: (window, skip) =>
    `(select * from ${within('settlements', window, 'feed_position')} order by feed_position offset ${skip}) x`,
  totals: {
    settlementCredit: 'sum(settlement_credit_minor)',
    voidCredit: 'sum(void_credit_minor)',
    realisedPnl: 'sum(realised_pnl_minor)',
  },
  totalled: (window) => within('settlements', window, 'feed_position'),
};

/** What a read of the order shows: nothing is booked while it is unresolved (rulings 11). */
const unresolved = 'is_open_order(x.status, x.transmission_state)';
const booked = (amount: string) => `case when ${unresolved} then 0 else x.${amount} end`;
const ofBuy = (sql: string) => `case when x.action = 'buy' then ${sql} end`;
const ofSell = (sql: string) => `case when x.action = 'sell' then ${sql} end`;
const venueFeeKnown = `x.venue_fee_known and not ${unresolved}`;
const dated = (table: string, { operator, from, to }: ExportWindow, time: string) =>
  `${table} where operator_id = ${operator} and ${time} >= ${from} and ${time} < ${to}`;

const orders: ExportSpec = {
  appendOnly: false,
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
    column('operatorMoney.actualDebit', 'cents', ofBuy(booked('debit_minor'))),
    column(
      'operatorMoney.releaseAmount',
      'cents',
      ofBuy(`case when ${unresolved} then x.authorization_minor else x.release_minor end`),
    ),
    column('operatorMoney.tradeAmount', 'cents', ofBuy(booked('trade_minor'))),
    column('operatorMoney.platformFee', 'cents', ofBuy(booked('platform_fee_minor'))),
    column('operatorMoney.venueFee', 'cents', ofBuy(booked('venue_fee_minor'))),
    column('operatorMoney.venueFeeKnown', 'boolean', ofBuy(venueFeeKnown)),
    column('operatorExitMoney.currency', 'word', ofSell("'USD'")),
    column('operatorExitMoney.sellProceeds', 'cents', ofSell(booked('proceeds_minor'))),
    column('operatorExitMoney.platformFee', 'cents', ofSell(booked('platform_fee_minor'))),
    column('operatorExitMoney.venueFee', 'cents', ofSell(booked('venue_fee_minor'))),
    column('operatorExitMoney.venueFeeKnown', 'boolean', ofSell(venueFeeKnown)),
  ],
  rows: (window, skip) => `(select * from ${dated('orders', window, 'created_at')} order by order_id offset ${skip}) x`,
  totals: {
    authorizationAmount: "sum(authorization_minor) filter (where action = 'buy')",
    actualDebit: "sum(debit_minor) filter (where action = 'buy' and not is_open_order(status, transmission_state))",
    sellProceeds:
      "sum(proceeds_minor) filter (where action = 'sell' and not is_open_order(status, transmission_state))",
  },
  totalled: (window) => dated('orders', window, 'created_at'),
};

const positions: ExportSpec = {
  appendOnly: false,
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
  rows: (window, skip) =>
    `(select * from ${dated('positions', window, 'opened_at')} order by position_id offset ${skip}) x`,
  totals: { costBasis: 'sum(cost_basis_minor)', realisedPnl: 'sum(realised_pnl_minor)' },
  totalled: (window) => dated('positions', window, 'opened_at'),
};

const feeItems = (window: ExportWindow) => `${within('feed_items', window)} and type = 'fee.assessed'`;
const feeAmount = `replace(money ->> 'amount', '.', '')::bigint`;
const fees: ExportSpec = {
  appendOnly: true,
  columns: [
    column('sequence', 'integer', 'x.position'),
    column('id', 'word', 'x.item_id'),
    column('occurredAt', 'time', 'x.occurred_at'),
    column('externalUserId', 'text', 'x.external_user_id'),
    column('orderId', 'word', 'x.order_id'),
    column('positionId', 'word', 'x.position_id'),
    column('kind', 'word', 'x.kind'),
    column('bps', 'integer', 'x.bps'),
    column('amount', 'cents', 'x.amount'),
  ],
  rows: (window, skip) =>
    `(select position, item_id, occurred_at, external_user_id, order_id, position_id, detail ->> 'kind' as kind, (detail ->> 'bps')::integer as bps,
       ${feeAmount} as amount from ${feeItems(window)} order by position offset ${skip}) x`,
  totals: {
    platform: `sum(${feeAmount}) filter (where detail ->> 'kind' = 'platform')`,
    venue: `sum(${feeAmount}) filter (where detail ->> 'kind' = 'venue')`,
  },
  totalled: feeItems,
};

const REVENUE_ACCOUNTS = "('fees:platform', 'fees:venue', 'fees:returned', 'overrun')";
const revenueLines = ({ operator, after, through }: ExportWindow) =>
  `(select (e.recorded_at at time zone 'UTC')::date as day, l.account_id, l.amount from ledger_lines l
     join ledger_entries e on e.operator_id = l.operator_id and e.position = l.position
     where l.operator_id = ${operator} and l.position > ${after} and l.position <= ${through} and l.account_id in ${REVENUE_ACCOUNTS}) r`;
const revenue: ExportSpec = {
  appendOnly: false,
  columns: [
    column('day', 'word', 'x.day'),
    column('platformFees', 'cents', 'x.platform'),
    column('venueFees', 'cents', 'x.venue'),
    column('feesReturned', 'cents', 'x.returned'),
    column('overrun', 'cents', 'x.overrun'),
    column('net', 'cents', 'x.platform - x.returned - x.overrun'),
  ],
  rows: (window, skip) =>
    `(select day::text as day, coalesce(-sum(amount) filter (where account_id = 'fees:platform'), 0) as platform,
       coalesce(-sum(amount) filter (where account_id = 'fees:venue'), 0) as venue,
       coalesce(sum(amount) filter (where account_id = 'fees:returned'), 0) as returned,
       coalesce(sum(amount) filter (where account_id = 'overrun'), 0) as overrun
     from ${revenueLines(window)} group by day order by day offset ${skip}) x`,
  totals: { net: "-sum(amount) filter (where account_id <> 'fees:venue')" },
  totalled: (window) =>
    `(select day, sum(amount) filter (where account_id <> 'fees:venue') as amount, '' as account_id from ${revenueLines(window)} group by day) d`,
};

/** The account of an operator's money: what stood at the beginning, every kind of movement, what stands at the end. */
const statementRows = ({ operator, after, through }: ExportWindow) => {
  const lines = `select case when l.account_id like 'collateral:%' then 'operator_collateral' else 'hosted' end as side, l.position, l.amount
    from ledger_lines l where l.operator_id = ${operator} and l.position <= ${through}
      and (l.account_id like 'wallet:%' or l.account_id like 'hold:%' or l.account_id like 'collateral:%')`;
  return `(with line as materialized (${lines}),
      moved as (select b.side, e.movement_type, count(distinct b.position) as entries, -sum(b.amount) as amount
        from line b join ledger_entries e on e.operator_id = ${operator} and e.position = b.position where b.position > ${after} group by 1, 2)
    select s.side, 1 as part, 'opening' as movement, null::bigint as entries, coalesce((select -sum(amount) from line b where b.side = s.side and b.position <= ${after}), 0) as amount
      from (values ('hosted'), ('operator_collateral')) s(side)
    union all select m.side, 2, m.movement_type, m.entries, m.amount from moved m
    union all select s.side, 3, 'ending', null, coalesce((select -sum(amount) from line b where b.side = s.side), 0)
      from (values ('hosted'), ('operator_collateral')) s(side))`;
};
const statement: ExportSpec = {
  appendOnly: false,
  columns: [
    column('side', 'word', 'x.side'),
    column('movementType', 'word', 'x.movement'),
    column('entries', 'integer', 'x.entries'),
    column('amount', 'cents', 'x.amount'),
  ],
  rows: (window, skip) => `(select * from ${statementRows(window)} t order by side, part, movement offset ${skip}) x`,
  totals: {},
  totalled: (window) => `${statementRows(window)} t`,
};

export const EXPORTS: Readonly<Record<ExportKind, ExportSpec>> = {
  feed,
  orders,
  settlements,
  positions,
  ledger,
  fees,
  revenue,
  statement,
};
