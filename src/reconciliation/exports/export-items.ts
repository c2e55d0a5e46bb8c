/** Exports of the feed: all of its items, and the fees among them. */
import { column } from './export-column.ts';
import { type ExportSpec, type ExportWindow, itemsWithin } from './export-spec.ts';

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
  'effectiveAt',
  'executionRef',
  'settlementState',
  'transmissionState',
  'clientOrderId',
  'contractId',
];
const fromOutside = new Set(['memo', 'referenceId', 'reason', 'dedupeKey', 'clientOrderId']);
const detailType = (field: string) => (field === 'effectiveAt' ? 'stamp' : fromOutside.has(field) ? 'text' : 'word');
const record = (fields: readonly string[]) => fields.map((field) => `"${field}" text`).join(', ');

/** Read once for a statement. */
const epoch = '(select epoch from books)';

export const feed: ExportSpec = {
  appendOnly: true,
  columns: [
    column('sequence', 'integer', 'x.position'),
    column('id', 'word', 'x.item_id'),
    column('type', 'word', 'x.type'),
    column('cursor', 'word', `feed_cursor(x.operator_id, x.position, ${epoch})`),
    column('occurredAt', 'time', 'x.occurred_at'),
    column('externalUserId', 'text', 'x.external_user_id'),
    column('positionId', 'word', 'x.position_id'),
    column('orderId', 'word', 'x.order_id'),
    column('money.currency', 'word', 'm.currency'),
    ...[...feedMoney, ...feedSettled].map((field) => column(`money.${field}`, 'money', `m."${field}"`)),
    column('money.venueFeeKnown', 'word', 'm."venueFeeKnown"'),
    column('money.lines', 'text', 'm.lines::text'),
    ...feedDetail.map((field) => column(`detail.${field}`, detailType(field), `d."${field}"`)),
  ],
  json: `feed_item_text(x.operator_id, x.position, x.type, x.item_id, x.occurred_at, x.external_user_id, x.position_id, x.order_id,
    x.money, x.detail, ${epoch})`,
  rows: (window, skip) =>
    `(select * from items_in_order(${window.operator}, ${window.after}, ${window.through}) offset ${skip}) x
     cross join lateral json_to_record(coalesce(x.money, '{}')) m(currency text, ${record([...feedMoney, ...feedSettled])}, "venueFeeKnown" text, lines json)
     cross join lateral json_to_record(x.detail) d(${record(feedDetail)})`,
  totals: {},
  totalled: itemsWithin,
};

const feeItems = (window: ExportWindow) => `${itemsWithin(window)} where type = 'fee.assessed'`;
const feeAmount = `replace(money ->> 'amount', '.', '')::bigint`;
export const fees: ExportSpec = {
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
