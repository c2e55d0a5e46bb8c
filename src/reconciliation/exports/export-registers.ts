/** Exports of what is only ever added to: the ledger's lines and the register of settlements. */
import type { LedgerLine } from '../../ledger/render/entry.ts';
import { kindsWith, type PostedEntry, postedEntry } from '../../ledger/render/items.ts';
import type { JournalRow } from '../../wire/journal.ts';
import { column } from './export-column.ts';
import { type ExportSpec, within } from './export-spec.ts';
import { journalWithin, renderedExport } from './rendered-export.ts';

const AMOUNTS = ['available', 'held', 'stakes', 'result', 'platform_fees', 'venue_fees', 'other'];

interface Line {
  readonly entry: PostedEntry;
  /** From 1. */
  readonly number: number;
  readonly line: LedgerLine;
}

/** What an entry and its place are rendered from: a third of a row. */
const ENTRY_FIELDS: readonly (keyof JournalRow)[] = [
  ...(['operatorId', 'sequence', 'recordedAt', 'effectiveAt', 'kind', 'digits', 'orderId', 'positionId'] as const),
  ...(['externalUserId', 'action', 'quantity', 'outcome', 'memo', 'reference', 'correctsEntryId'] as const),
  ...(['correctsKind', 'funds', 'otherAccount', 'available', 'held', 'stakes', 'result'] as const),
  ...(['platformFees', 'venueFees', 'other', 'availableAfter', 'heldAfter', 'stakesAfter'] as const),
  ...(['resultAfter', 'platformFeesAfter', 'venueFeesAfter', 'otherAfter'] as const),
];

export const ledger = renderedExport<Line>({
  kinds: kindsWith(['ledger.posted']),
  fields: ENTRY_FIELDS,
  columns: [
    { name: 'sequence', type: 'integer', value: ({ entry }) => entry.sequence },
    { name: 'entryId', type: 'word', value: ({ entry }) => entry.entryId },
    { name: 'recordedAt', type: 'time', value: ({ entry }) => entry.recordedAt },
    { name: 'movementType', type: 'word', value: ({ entry }) => entry.movementType },
    { name: 'memo', type: 'text', value: ({ entry }) => entry.memo },
    { name: 'referenceType', type: 'word', value: ({ entry }) => entry.referenceType },
    { name: 'referenceId', type: 'text', value: ({ entry }) => entry.referenceId },
    { name: 'correctsEntryId', type: 'word', value: ({ entry }) => entry.correctsEntryId },
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

export const settlements: ExportSpec = {
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
    column('sequence', 'integer', 'x.sequence'),
  ],
  rows: (window, skip) =>
    `(select * from ${within('settlements', window, 'sequence')} order by sequence offset ${skip}) x`,
  totals: {
    settlementCredit: 'sum(settlement_credit_minor)',
    voidCredit: 'sum(void_credit_minor)',
    realisedPnl: 'sum(realised_pnl_minor)',
  },
  totalled: (window) => within('settlements', window, 'sequence'),
};
