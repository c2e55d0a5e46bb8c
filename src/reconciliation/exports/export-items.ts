/** Exports of the feed: all of its items, and the fees among them. */
import { encodeRegisterCursor } from '../../core/cursor.ts';
import type { JournalRow } from '../../ledger/journal-row.ts';
import { feedItemJson, feedPurpose, kindsWith, type PlacedItem, placedItems } from '../../ledger/render/items.ts';
import { defineExport, type ExportColumn, type ExportWindow, fromJournal, journalWithin } from './export-spec.ts';

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

interface FeedRow {
  readonly item: PlacedItem;
  readonly row: JournalRow;
  readonly epoch: number;
}

type Fields = Readonly<Record<string, unknown>>;
const moneyOf = ({ item }: FeedRow) => item.money as Fields | null;
const detailOf = ({ item }: FeedRow) => item.detail as Fields;
const cell = (value: unknown) => (value === null || value === undefined ? null : String(value));

const moneyColumn = (field: string): ExportColumn<FeedRow> => ({
  name: `money.${field}`,
  type: 'money',
  value: (row) => cell(moneyOf(row)?.[field]),
});

function detailColumn(field: string): ExportColumn<FeedRow> {
  const name = `detail.${field}`;
  return field === 'effectiveAt'
    ? { name, type: 'time', value: (row) => momentOf(cell(detailOf(row)[field])) }
    : { name, type: fromOutside.has(field) ? 'text' : 'word', value: (row) => cell(detailOf(row)[field]) };
}

const momentOf = (text: string | null) => (text === null ? null : new Date(text));

export const feed = defineExport<JournalRow, FeedRow>({
  appendOnly: true,
  stored: fromJournal(),
  columns: [
    { name: 'sequence', type: 'integer', value: ({ item }) => item.sequence },
    { name: 'id', type: 'word', value: ({ item }) => item.id },
    { name: 'type', type: 'word', value: ({ item }) => item.type },
    {
      name: 'cursor',
      type: 'word',
      value: ({ item, row, epoch }) =>
        encodeRegisterCursor(feedPurpose(row.operatorId), { sequence: item.sequence, epoch }),
    },
    { name: 'occurredAt', type: 'time', value: ({ row }) => row.recordedAt },
    { name: 'externalUserId', type: 'text', value: ({ item }) => item.externalUserId },
    { name: 'positionId', type: 'word', value: ({ item }) => item.positionId },
    { name: 'orderId', type: 'word', value: ({ item }) => item.orderId },
    { ...moneyColumn('currency'), type: 'word' },
    ...[...feedMoney, ...feedSettled].map(moneyColumn),
    { ...moneyColumn('venueFeeKnown'), type: 'word' },
    {
      name: 'money.lines',
      type: 'text',
      value: (row) => {
        const lines = moneyOf(row)?.['lines'];
        return lines === undefined ? null : JSON.stringify(lines);
      },
    },
    ...feedDetail.map(detailColumn),
  ],
  rowsOf: (row, epoch) => placedItems(row).map((item) => ({ item, row, epoch })),
  json: ({ item, row, epoch }) => feedItemJson(item, row.operatorId, epoch),
  totals: {},
  totalled: (window) => journalWithin(window),
  counted: 'coalesce(sum(items), 0)',
});

const FEE_KINDS = kindsWith(['fee.assessed']);

/** Each fee of the window by itself. */
const feeAmounts = (window: ExportWindow) => `
  (select fee.kind, -fee.amount as amount
   from (select * from ${journalWithin(window, FEE_KINDS)}) r
     cross join lateral (values ('platform', r.platform_fees), ('venue', r.venue_fees)) fee(kind, amount)
   where fee.amount is not null) x`;

const feeDetail = ({ detail }: PlacedItem) => detail as { readonly kind: string; readonly bps: number | null };

export const fees = defineExport<JournalRow, PlacedItem>({
  appendOnly: true,
  stored: fromJournal(FEE_KINDS),
  columns: [
    { name: 'sequence', type: 'integer', value: ({ sequence }) => sequence },
    { name: 'id', type: 'word', value: ({ id }) => id },
    { name: 'occurredAt', type: 'time', value: ({ occurredAt }) => new Date(occurredAt) },
    { name: 'externalUserId', type: 'text', value: ({ externalUserId }) => externalUserId },
    { name: 'orderId', type: 'word', value: ({ orderId }) => orderId },
    { name: 'positionId', type: 'word', value: ({ positionId }) => positionId },
    { name: 'kind', type: 'word', value: (item) => feeDetail(item).kind },
    { name: 'bps', type: 'integer', value: (item) => feeDetail(item).bps },
    { name: 'amount', type: 'cents', value: ({ money }) => (money as { readonly amount: string }).amount },
  ],
  rowsOf: (row) => placedItems(row).filter(({ type }) => type === 'fee.assessed'),
  totals: {
    platform: "sum(amount) filter (where kind = 'platform')",
    venue: "sum(amount) filter (where kind = 'venue')",
  },
  totalled: feeAmounts,
});
