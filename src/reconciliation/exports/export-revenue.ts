/**
 * Export of revenue by day, customer, market or two of them: what customers staked, what they were paid, and what of it is
 * whose (docs/ledger.md "Revenue statement"). Read from the ledger's lines alone; a correction counts as what it corrects.
 */
import { type RevenueBy, type RevenueSubject, revenueSubjects } from '../../core/revenue-by.ts';
import { column, type ExportColumn } from './export-column.ts';
import { type ExportSpec, type ExportWindow, linesOf, within } from './export-spec.ts';

const MOVEMENTS = "('ORDER_FILL', 'POSITION_EXIT', 'POSITION_SETTLEMENT', 'VENUE_OVERRUN')";
const ENTRY =
  'position, recorded_at, movement_type, reference_type, reference_id, account_ids, amounts, balances_after';

/** Entries `e` of the window that earn or cost something, each under the movement and the subject it began with. */
const entries = (window: ExportWindow) => `
  (select ${ENTRY} from ${within('ledger_entries', window)} and movement_type in ${MOVEMENTS}
   union all
   select c.position, c.recorded_at, o.movement_type, o.reference_type, o.reference_id, c.account_ids, c.amounts, c.balances_after
   from (select * from ${within('ledger_entries', window)} and movement_type = 'CORRECTION') c cross join lateral (
     with recursive chain as (
       select p.* from ledger_entries p where p.operator_id = c.operator_id and p.entry_id = c.corrects_entry_id
       union all
       select p.* from chain h join ledger_entries p on p.operator_id = h.operator_id and p.entry_id = h.corrects_entry_id)
     select * from chain where movement_type in ${MOVEMENTS}) o) e`;

/** @param timeZone IANA name, checked before */
const keyOf = (subject: RevenueSubject, timeZone: string): string =>
  ({
    day: `(e.recorded_at at time zone '${timeZone}')::date::text`,
    customer: 's.external_user_id',
    market: 's.contract_id',
  })[subject];

/** The order or position that an entry is of. */
function ofSubjects(operator: string): string {
  const of = (table: string, type: string, id: string) =>
    `select x.external_user_id, x.contract_id from ${table} x
     where e.reference_type = '${type}' and x.operator_id = ${operator} and x.${id} = e.reference_id`;
  return `cross join lateral (${of('orders', 'order', 'order_id')} union all ${of('positions', 'position', 'position_id')}) s`;
}

const isFunds = `(l.account_id like 'wallet:%' or l.account_id like 'hold:%' or l.account_id like 'collateral:%' or l.account_id = 'operator:cash')`;
const sum = (condition: string) => `coalesce(sum(l.amount) filter (where ${condition}), 0)`;
const debited = (account: string) => sum(`l.account_id = '${account}'`);
const credited = (account: string) => `-${debited(account)}`;

const summed = (window: ExportWindow, by: readonly RevenueSubject[], timeZone: string) => `(
  select ${by.map((subject) => `${keyOf(subject, timeZone)} as ${subject}`).join(', ')},
    ${sum(`e.movement_type = 'ORDER_FILL' and ${isFunds}`)} as stakes,
    -${sum(`e.movement_type <> 'ORDER_FILL' and ${isFunds}`)} as payouts,
    ${credited('fees:platform')} as platform, ${credited('fees:venue')} as venue,
    ${debited('fees:returned')} as returned, ${debited('overrun')} as overrun,
    ${credited('stakes')} as open, ${credited('result')} as result
  from ${entries(window)}
    cross join lateral ${linesOf('e')} l
    ${by.some((subject) => subject !== 'day') ? ofSubjects(window.operator) : ''}
  group by ${by.map((_, place) => place + 1).join(', ')})`;

const GGR = 'x.stakes - x.payouts';
const NGR = 'x.platform - x.returned - x.overrun';

const KEY_COLUMNS: Readonly<Record<RevenueSubject, readonly ExportColumn[]>> = {
  day: [column('day', 'day', 'x.day')],
  customer: [column('externalUserId', 'text', 'x.customer')],
  market: [
    column('contractId', 'word', 'x.market'),
    column('eventTitle', 'text', 'v.title'),
    column('label', 'text', 'm.label'),
  ],
};
const MARKET = 'left join contracts m on m.contract_id = x.market left join events v on v.event_id = m.event_id';

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
    rows: (window, skip) =>
      `(select * from ${summed(window, subjects, timeZone)} t order by ${order('t')} offset ${skip}) x
       ${subjects.includes('market') ? MARKET : ''} order by ${order('x')}`,
    totals: { stakes: 'sum(x.stakes)', payouts: 'sum(x.payouts)', ggr: `sum(${GGR})`, ngr: `sum(${NGR})` },
    totalled: (window) => `${summed(window, subjects, timeZone)} x`,
  };
}
