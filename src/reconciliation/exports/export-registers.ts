/** Exports of what is only ever added to: the ledger's lines and the register of settlements. */
import { column, isoTime } from './export-column.ts';
import { type ExportSpec, linesOf, within } from './export-spec.ts';

/** An entry has several lines and is formatted and escaped once: `offset 0` keeps the planner from moving that above the join. */
export const ledger: ExportSpec = {
  appendOnly: true,
  columns: [
    column('sequence', 'integer', 'x.position'),
    column('entryId', 'word', 'x.entry_id'),
    column('recordedAt', 'stamp', 'x.recorded_at'),
    column('movementType', 'word', 'x.movement_type'),
    column('memo', 'text', 'x.memo', 'x.escaped_memo'),
    column('referenceType', 'word', 'x.reference_type'),
    column('referenceId', 'text', 'x.reference_id', 'x.escaped_reference_id'),
    column('correctsEntryId', 'word', 'x.corrects_entry_id'),
    column('lineNo', 'integer', 'x.line_no'),
    column('accountId', 'text', 'x.account_id'),
    column('debit', 'amount', 'case when x.amount > 0 then x.amount * 0.01 else 0.00 end'),
    column('credit', 'amount', 'case when x.amount < 0 then x.amount * -0.01 else 0.00 end'),
    column('balanceAfter', 'cents', 'x.balance_after'),
    column('effectiveAt', 'stamp', 'coalesce(x.effective_at, x.recorded_at)'),
  ],
  rows: (window, skip) =>
    `(select e.*, l.*
       from (select position, entry_id, movement_type, memo, escape_formula(memo) as escaped_memo, reference_type, reference_id,
           escape_formula(reference_id) as escaped_reference_id, corrects_entry_id, ${isoTime('recorded_at')} as recorded_at,
           ${isoTime('effective_at')} as effective_at, account_ids, amounts, balances_after
         from ${within('ledger_entries', window)} order by position offset 0) e
         cross join lateral ${linesOf('e')} l
       offset ${skip}) x`,
  totals: {
    debit: 'sum(amount) filter (where amount > 0)',
    credit: '-sum(amount) filter (where amount < 0)',
  },
  totalled: (window) => within('ledger_lines', window),
};

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
