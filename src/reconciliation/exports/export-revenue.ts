/**
 * Export of revenue by day, customer, market or two of them: what customers staked, what they were paid, and what of it is
 * whose (docs/ledger.md "Revenue statement"). Read from the journal's amounts alone; a correction counts as what it corrects.
 */
import { type RevenueBy, type RevenueSubject, revenueSubjects } from '../../core/terms.ts';
import { column, type ExportColumn } from './export-column.ts';
import { type ExportSpec, type ExportWindow, within } from './export-spec.ts';

const EARNING = "('order_executed', 'contracts_bought', 'contracts_sold', 'position_settled', 'overrun_posted')";
const AMOUNTS = 'e.available, e.held, e.stakes, e.result, e.platform_fees, e.venue_fees, e.other';

/** The row that has the ledger entry of this id. */
const rowOfEntry = ({ operator }: ExportWindow, id: string) => `
  (select * from journal where operator_id = ${operator} and digits = substr(${id}, 5)::uuid
   union all
   select * from journal where operator_id = ${operator} and order_id = 'ord_' || substr(${id}, 5) and kind = 'order_executed')`;

/** Rows `e` of the window that earn or cost something, with the order or the position that each is of: a correction is of that of the row it began with. */
const entries = (window: ExportWindow) => `
  (select e.*, e.order_id as of_order, e.contract_id as of_contract
   from ${within('journal e', window, 'sequence')} and kind in ${EARNING} and num_nonnulls(${AMOUNTS}) > 0
   union all
   select e.*, o.order_id, o.contract_id
   from (select * from ${within('journal', window, 'sequence')} and kind = 'entry_corrected' and corrects_kind in ${EARNING}) e
     cross join lateral (
       with recursive chain as (
         select p.* from ${rowOfEntry(window, 'e.corrects_entry_id')} p
         union all
         select p.* from chain h cross join lateral ${rowOfEntry(window, 'h.corrects_entry_id')} p
         where h.kind = 'entry_corrected')
       select * from chain where kind <> 'entry_corrected') o) e`;

/** @param timeZone IANA name, checked before */
const keyOf = (subject: RevenueSubject, timeZone: string, operator: string): string =>
  ({
    day: `(e.recorded_at at time zone '${timeZone}')::date::text`,
    customer: 'e.external_user_id',
    market: `coalesce(e.of_contract, (select x.contract_id from orders x where x.operator_id = ${operator} and x.order_id = e.of_order))`,
  })[subject];

const BUYS = "coalesce(e.corrects_kind, e.kind) in ('order_executed', 'contracts_bought') and e.action = 'buy'";
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

const GGR = 'x.stakes - x.payouts';
const NGR = 'x.platform - x.returned - x.overrun';

const KEY_COLUMNS: Readonly<Record<RevenueSubject, readonly ExportColumn[]>> = {
  day: [column('day', 'day', 'x.day')],
  customer: [column('externalUserId', 'text', 'x.customer')],
  market: [
    column('contractId', 'word', 'x.market'),
    column('eventTitle', 'text', 'x.title'),
    column('label', 'text', 'x.label'),
  ],
};
/** The rows with the names of their markets, which are not where the operators' rows are. */
const named = (rows: string) => `(with t as materialized (${rows})
  select t.*, v.title, m.label from t left join contracts m on m.contract_id = t.market left join events v on v.event_id = m.event_id)`;

/** @param timeZone IANA name, checked before: whose days they are */
export function revenueBy(by: RevenueBy, timeZone = 'UTC'): ExportSpec {
  const subjects = revenueSubjects(by);
  const order = (row: string) => subjects.map((subject) => `${row}.${subject}`).join(', ');
  return {
    appendOnly: false,
    columns: [
      ...subjects.flatMap((subject) => KEY_COLUMNS[subject]),
      column('stakes', 'cents', 'x.stakes'),
      column('payouts', 'cents', 'x.payouts'),
      column('ggr', 'cents', GGR),
      column('openStakes', 'cents', 'x.open'),
      column('marketResult', 'cents', 'x.result'),
      column('venueFees', 'cents', 'x.venue'),
      column('platformFees', 'cents', 'x.platform'),
      column('feesReturned', 'cents', 'x.returned'),
      column('overrun', 'cents', 'x.overrun'),
      column('ngr', 'cents', NGR),
    ],
    rows: (window, skip) => {
      const rows = `select * from ${summed(window, subjects, timeZone)} t order by ${order('t')} offset ${skip}`;
      return `${subjects.includes('market') ? named(rows) : `(${rows})`} x order by ${order('x')}`;
    },
    totals: { stakes: 'sum(x.stakes)', payouts: 'sum(x.payouts)', ggr: `sum(${GGR})`, ngr: `sum(${NGR})` },
    totalled: (window) => `${summed(window, subjects, timeZone)} x`,
  };
}
