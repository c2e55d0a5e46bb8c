/** Export of the statement: what an operator's money stood at, how it moved, where it ends (contract chapter 22). */
import { column } from './export-column.ts';
import type { ExportSpec, ExportWindow } from './export-spec.ts';

/** The account of an operator's money: the opening balance, every kind of movement, the closing balance. */
const statementRows = ({ operator, after, through }: ExportWindow) => {
  const lines = `select case when l.account_id like 'collateral:%' then 'operator_collateral' else 'hosted' end as side,
      l.sequence, movement_type(l.kind, l.action, l.other) as movement_type, l.amount
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
export const statement: ExportSpec = {
  appendOnly: false,
  columns: [
    column('side', 'word', 'x.side'),
    column('movementType', 'word', 'x.movement'),
    column('entries', 'integer', 'x.entries'),
    column('amount', 'cents', 'x.amount'),
  ],
  rows: (window, skip) => `(select * from ${statementRows(window)} t order by side, part, movement offset ${skip}) x`,
  totals: {
    hostedEnding: "sum(amount) filter (where side = 'hosted' and movement = 'ending')",
    collateralEnding: "sum(amount) filter (where side = 'operator_collateral' and movement = 'ending')",
  },
  totalled: (window) => `${statementRows(window)} t`,
};
