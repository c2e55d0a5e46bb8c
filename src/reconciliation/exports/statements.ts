/** The kinds of export that are statements: revenue by day, customer or market, and the movements of an operator's money. */
import { type RevenueBy, type RevenueSubject, revenueSubjects } from '../../core/terms.ts';
import type { JournalKind } from '../../ledger/journal-row.ts';
import { defineExport, type Export, type ExportColumn, type ExportWindow, journalWithin } from './export-spec.ts';
import { AMOUNTS } from './registers.ts';

const EARNING: readonly JournalKind[] = [
  ...(['order_executed', 'contracts_bought', 'contracts_sold', 'position_settled', 'overrun_posted'] as const),
];
const REVENUE_AMOUNTS = AMOUNTS.map((amount) => `e.${amount}`).join(', ');

/** Rows `e` of the window that earn or cost something. */
const entries = (window: ExportWindow) =>
  `${journalWithin(window, EARNING, 'journal e')} and num_nonnulls(${REVENUE_AMOUNTS}) > 0`;

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

/** Amounts of a group of journal rows, in cents. */
interface Revenue {
  readonly stakes: bigint;
  readonly payouts: bigint;
  readonly platform: bigint;
  readonly venue: bigint;
  readonly returned: bigint;
  readonly overrun: bigint;
  readonly open: bigint;
  readonly result: bigint;
  readonly day?: string;
  readonly customer?: string | null;
  readonly market?: string | null;
  readonly title?: string | null;
  readonly label?: string | null;
}

const summed = (window: ExportWindow, by: readonly RevenueSubject[], timeZone: string) => `(
  select ${by.map((subject) => `${keyOf(subject, timeZone, window.operator)} as ${subject}`).join(', ')},
    ${sum(FUNDS, BUYS)} as stakes, -${sum(FUNDS, `(${BUYS}) is not true`)} as payouts,
    -${sum('e.platform_fees')} as platform, -${sum('e.venue_fees')} as venue,
    ${sum('e.other', "e.other_account = 'fees:returned'")} as returned, ${sum('e.other', "e.other_account = 'overrun'")} as overrun,
    -${sum('e.stakes')} as open, -${sum('e.result')} as result
  from ${entries(window)}
  group by ${by.map((_, place) => place + 1).join(', ')})`;

const REVENUE_KEYS: Readonly<Record<RevenueSubject, readonly ExportColumn<Revenue>[]>> = {
  day: [{ name: 'day', type: 'day', value: ({ day }) => day ?? null }],
  customer: [{ name: 'externalUserId', type: 'text', value: ({ customer }) => customer ?? null }],
  market: [
    { name: 'contractId', type: 'word', value: ({ market }) => market ?? null },
    { name: 'eventTitle', type: 'text', value: ({ title }) => title ?? null },
    { name: 'label', type: 'text', value: ({ label }) => label ?? null },
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
export function revenueBy(by: RevenueBy, timeZone = 'UTC'): Export {
  const subjects = revenueSubjects(by);
  const order = (row: string) => subjects.map((subject) => `${row}.${subject}`).join(', ');
  return defineExport<Revenue, Revenue>({
    appendOnly: false,
    stored: (window) => {
      const rows = `select * from ${summed(window, subjects, timeZone)} t order by ${order('t')}`;
      return `select * from ${subjects.includes('market') ? named(rows) : `(${rows})`} x order by ${order('x')}`;
    },
    columns: [
      ...subjects.flatMap((subject) => REVENUE_KEYS[subject]),
      { name: 'stakes', type: 'cents', value: ({ stakes }) => stakes },
      { name: 'payouts', type: 'cents', value: ({ payouts }) => payouts },
      { name: 'netStakes', type: 'cents', value: ({ stakes, payouts }) => stakes - payouts },
      { name: 'openStakes', type: 'cents', value: ({ open }) => open },
      { name: 'marketResult', type: 'cents', value: ({ result }) => result },
      { name: 'venueFees', type: 'cents', value: ({ venue }) => venue },
      { name: 'platformFees', type: 'cents', value: ({ platform }) => platform },
      { name: 'feesReturned', type: 'cents', value: ({ returned }) => returned },
      { name: 'overrun', type: 'cents', value: ({ overrun }) => overrun },
      { name: 'feeRevenue', type: 'cents', value: ({ platform, returned, overrun }) => platform - returned - overrun },
    ],
    rowsOf: (row) => [row],
    totals: {
      stakes: 'sum(x.stakes)',
      payouts: 'sum(x.payouts)',
      marketResult: 'sum(x.result)',
      feeRevenue: 'sum(x.platform - x.returned - x.overrun)',
    },
    totalled: (window) => `${summed(window, subjects, timeZone)} x`,
  });
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

interface StatementLine {
  readonly side: string;
  readonly movement: string;
  /** Null for a balance. */
  readonly entries: bigint | null;
  readonly amount: bigint;
}

/** The statement of an operator's money: the opening balance, the movements, the closing balance (contract chapter 22). */
export const statement = defineExport<StatementLine, StatementLine>({
  appendOnly: false,
  stored: (window) => `select * from ${statementRows(window)} t order by side, part, movement`,
  columns: [
    { name: 'side', type: 'word', value: ({ side }) => side },
    { name: 'movementType', type: 'word', value: ({ movement }) => movement },
    { name: 'entries', type: 'integer', value: ({ entries }) => entries },
    { name: 'amount', type: 'cents', value: ({ amount }) => amount },
  ],
  rowsOf: (row) => [row],
  totals: {
    hostedEnding: "sum(amount) filter (where side = 'hosted' and movement = 'ending')",
    collateralEnding: "sum(amount) filter (where side = 'operator_collateral' and movement = 'ending')",
  },
  totalled: (window) => `${statementRows(window)} t`,
});
