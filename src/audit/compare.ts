/**
 * The auditor's findings: contradictions found while the journal was read, and differences between the service's tables and the books. Each
 * statement uses one snapshot. Rows that a command has changed since the auditor stopped reading are compared the next time.
 */
import type { Sql } from '../db/client.ts';
import type { Finding } from '../wire/reconciliation.ts';
import { type CheckName, COMPARED, type Compared, HOUSE_ACCOUNTS } from './books.ts';

/** A difference of one value. */
interface BookDifference {
  readonly subject: string;
  readonly name: string;
  readonly booked: string | null;
  readonly stored: string | null;
}

/** A finding, and how many further findings of its kind are not read. */
export interface Found extends Finding {
  readonly unread?: number;
}

export interface Comparison {
  /** Takes the operator and further parameters; its rows are differences, in no order. */
  readonly statement: string;
  readonly tell: (difference: BookDifference, operatorId: string) => Finding;
}

/** The most findings of a check that a report shows. */
export const MOST = 100;

/** The number of rows after the last one that is read, for rows numbered as `place` out of `total`. */
const UNREAD = `case place when ${MOST} then (total - ${MOST})::int else 0 end as unread`;

/** Rows of the journal that the auditor has not read yet. */
const LATER = `
  later as materialized (
    select row.* from journal row
    where row.operator_id = $1 and row.sequence > coalesce((select sequence from audit.progress where operator_id = $1), 0))`;

/** A table against its book, row by row and in both directions. */
function tableComparison({ table, book, subject, missing, changedBy, where = 'true' }: Compared): Comparison {
  const { key, checks } = book;
  const first = key[0];
  const names = [...checks.keys()];
  const read = [...new Set([...key, subject, ...names, ...(changedBy === null ? [] : [changedBy])])];
  const changedLater =
    changedBy === null
      ? `later.reference = coalesce(book.${subject}, stored.${subject})`
      : `later.${changedBy} = coalesce(book.${changedBy}, stored.${changedBy})`;
  return {
    statement: `with ${LATER}
     select coalesce(book.${subject}, stored.${subject})::text as subject, one.name, one.booked, one.stored
     from (select * from ${book.table} where operator_id = $1) book
       full join (select ${read.join(', ')} from ${table} where operator_id = $1 and ${where}) stored
         on ${key.map((name) => `stored.${name} = book.${name}`).join(' and ')}
       cross join lateral (
         select '' as name, book.${first}::text as booked, stored.${first}::text as stored where book.${first} is null or stored.${first} is null
         union all
         select * from (values ${names.map((name) => `('${name}', book.${name}::text, stored.${name}::text)`).join(', ')}) value
         where book.${first} is not null and stored.${first} is not null) one
     where (book.${first} is null or stored.${first} is null or (${names.map((name) => `book.${name}`).join(', ')})
         is distinct from (${names.map((name) => `stored.${name}`).join(', ')}))
       and one.booked is distinct from one.stored
       and not exists (select 1 from later where ${changedLater})`,
    tell: (difference) =>
      found(checks.get(difference.name) ?? missing, difference.subject, detailOf(table, difference)),
  };
}

/** The difference in words, using the name of the table. */
function detailOf(table: string, { name, booked, stored }: BookDifference): string {
  const row = table.replaceAll('_', ' ').replace(/( row)?s$/, '');
  if (name === '') {
    return booked === null ? `The journal has no such ${row}.` : `The ${row} is in the journal, but not in its table.`;
  }
  return `The ${row} has ${stored ?? 'no value'} as ${name.replaceAll('_', ' ')}; the journal has ${booked ?? 'no value'}.`;
}

const found = (
  check: CheckName,
  subjectId: string,
  detail: string,
  subjectType: Finding['subjectType'] = 'record',
): Finding => ({ check, severity: 'critical', detail, subjectType, subjectId });

const balanceOf = (booked: string | null, stored: string | null) =>
  `The account shows ${stored}; its lines sum to ${booked}.`;

/** Signed cents as dollars, in SQL. */
const money = (amount: string) => `trim(to_char(-(${amount}) / 100.0, 'FM999999999999999990.00'))`;

const MOVED: Readonly<Record<string, string>> = {
  'collateral:available': "sum(available) filter (where funds = 'collateral')",
  'collateral:committed': "sum(held) filter (where funds = 'collateral')",
  'operator:cash': "sum(coalesce(available, 0) + coalesce(held, 0)) filter (where funds = 'cash')",
  ...Object.fromEntries(
    ['sandbox:float', 'deposits', 'overrun', 'fees:returned'].map((name) => [
      name,
      `sum(other) filter (where other_account = '${name}')`,
    ]),
  ),
};

/**
 * Balances of the house accounts, and the counter of the feed. Its time is that of the last row, or the end of a period that was closed
 * after that row, and it is not far ahead of the clock.
 */
const LEDGER: Comparison = {
  statement: `with ${LATER}, ledger as (select * from operator_ledgers where operator_id = $1),
       moved as (select ${HOUSE_ACCOUNTS.map(([account, column]) => `coalesce(${MOVED[account] ?? `sum(${column})`}, 0) as ${column}`).join(', ')} from later)
     select value.account as subject, '' as name, ${money('coalesce(book.balance, 0) + value.moved')} as booked, ${money('value.balance')} as stored
     from ledger cross join moved
       cross join lateral (values ${HOUSE_ACCOUNTS.map(([account, column]) => `('${account}', ledger.${column}, moved.${column})`).join(', ')}) value(account, balance, moved)
       left join audit.accounts book on book.operator_id = $1 and book.account_id = value.account
     where value.balance <> coalesce(book.balance, 0) + value.moved
     union all
     select '', 'counter', expected.last::text, ledger.sequence::text
     from ledger cross join (
       select coalesce((select max(sequence + items - 1) from later), (select sequence from audit.progress where operator_id = $1), 0) as last,
         coalesce((select max(recorded_at) from later), (select recorded_at from audit.progress where operator_id = $1)) as at) expected
     where ledger.sequence <> expected.last or ledger.recorded_at is distinct from greatest(expected.at, ledger.closed_until)
     union all
     select ledger.sequence::text, 'ahead', clock_timestamp()::text, ledger.recorded_at::text from ledger where runs_ahead(ledger.recorded_at)
     union all
     select book.account_id, 'unknown', ${money('book.balance')}, null
     from audit.accounts book where book.operator_id = $1 and book.balance <> 0
       and (book.account_id = any ('{"",wallet:,hold:}') or not exists (select 1 from ledger) and book.account_id !~ '^(wallet|hold):')`,
  tell: ({ subject, name, booked, stored }) => {
    if (name === 'counter') {
      return found('feed_gap', booked ?? '', `The counter is at ${stored}; the last item is at ${booked}.`);
    }
    if (name === 'ahead') {
      return found(
        'feed_gap',
        subject,
        `The last row was recorded at ${stored}, ahead of the clock of the database (${booked}).`,
      );
    }
    const unknown = `No kind of entry uses this account, but it holds ${booked}.`;
    return found('account_balance', subject, name === 'unknown' ? unknown : balanceOf(booked, stored));
  },
};

/** Wallets of a sandbox operator's customers: each customer has one. A live operator's customers are found by their orders. */
const WALLETS: Comparison = {
  statement: `with ${LATER}, kept as (
       select 'wallet:' || external_user_id as account_id, external_user_id, available as balance from wallets where operator_id = $1
       union all
       select 'hold:' || external_user_id, external_user_id, held from wallets where operator_id = $1
     ), booked as (
       select account_id, substr(account_id, strpos(account_id, ':') + 1) as external_user_id, balance
       from audit.accounts where operator_id = $1 and (account_id like 'wallet:%' or account_id like 'hold:%')
     ), sandbox as (
       select 1 from operators where operator_id = $1 and mode = 'sandbox'
     )
     select coalesce(booked.account_id, kept.account_id) as subject, '' as name, ${money('coalesce(booked.balance, 0)')} as booked,
       ${money('coalesce(kept.balance, 0)')} as stored
     from booked full join kept on kept.account_id = booked.account_id
     where coalesce(kept.balance, 0) <> coalesce(booked.balance, 0)
       and not exists (select 1 from later where later.external_user_id = coalesce(booked.external_user_id, kept.external_user_id))
     union all
     select coalesce(customer.external_user_id, known.external_user_id), case when known.external_user_id is null then 'credit' else 'customer' end, null, null
     from (select external_user_id from customers where operator_id = $1) customer
       full join (
         select external_user_id from booked where account_id like 'wallet:%'
         union
         select external_user_id from audit.orders where operator_id = $1 and not exists (select 1 from sandbox)) known
         on known.external_user_id = customer.external_user_id
     where (known.external_user_id is null and exists (select 1 from sandbox)
         and not exists (select 1 from later where later.external_user_id = customer.external_user_id))
       or customer.external_user_id is null`,
  tell: ({ subject, name, booked, stored }) => {
    if (name === '') {
      return found('account_balance', subject, balanceOf(booked, stored));
    }
    const gone = 'The customer is in the journal, but not in its table.';
    const detail = name === 'credit' ? 'The customer has no opening credit.' : gone;
    return found('wallet_balance', subject, detail, 'user');
  },
};

/** Authorizations of live buys that may be at a venue, and the cost of open live positions; the operator's total under the empty id. */
const EXPOSURES: Comparison = {
  statement: `with ${LATER}, part as (
       select external_user_id, authorization_minor as amount from audit.orders
       where operator_id = $1 and transmission_state = 'unknown' and action = 'buy' and not simulated
       union all
       select external_user_id, cost_basis_minor from audit.positions where operator_id = $1 and status = 'open' and not simulated
     ), kept as (
       select external_user_id, exposure_minor as amount,
         external_user_id <> '' and exists (select 1 from later where later.external_user_id = exposure.external_user_id) as moved
       from exposures exposure where operator_id = $1
     ), expected as (
       select external_user_id, sum(amount) as amount from part group by 1
     ), total as (
       -- customers whose orders are changing count with the amounts that are stored for each
       select '' as external_user_id, coalesce((select sum(amount) from kept where moved), 0) + coalesce((select sum(expected.amount) from expected
         where not exists (select 1 from later where later.external_user_id = expected.external_user_id)), 0) as amount
     )
     select coalesce(kept.external_user_id, expected.external_user_id) as subject, '' as name, ${money('-coalesce(expected.amount, 0)')} as booked,
       ${money('-coalesce(kept.amount, 0)')} as stored
     from kept full join (select * from expected union all select * from total) expected on expected.external_user_id = kept.external_user_id
     where coalesce(kept.amount, 0) <> coalesce(expected.amount, 0)
       and not exists (select 1 from later where later.external_user_id = coalesce(kept.external_user_id, expected.external_user_id))`,
  tell: ({ subject, booked, stored }, operatorId) => {
    const detail = `The exposure is stored as ${stored}; unresolved orders and open positions sum to ${booked}.`;
    return found('exposure', subject || operatorId, detail, subject === '' ? 'record' : 'user');
  },
};

/** The values of an attempt in the journal, and the column of `transmissions` for each. */
const ATTEMPTED: readonly (readonly [booked: string, stored: string])[] = [
  ['known.our_id', 'our_id'],
  ['known.venue', 'venue'],
  ['upper(known.action)', 'action'],
  ['known.asked_quantity_micros', 'quantity_micros'],
  ['known.limit_micros', 'limit_price_micros'],
  ['known.spend_micros', 'spend_micros'],
  ['known.transmitted_at', 'sent_at'],
  ['known.transmitted_at + make_interval(secs => known.valid_seconds)', 'expires_at'],
];

/** Each live order that was sent has one attempt, with the values of the journal. No other order has an attempt. */
const ATTEMPTS: Comparison = {
  statement: `with ${LATER}
     select coalesce(known.order_id, attempt.order_id)::text as subject, one.name, one.booked, one.stored
     from (select * from audit.orders where operator_id = $1 and transmitted_at is not null and not simulated) known
       full join (select order_id, ${ATTEMPTED.map(([, stored]) => stored).join(', ')} from transmissions where operator_id = $1) attempt on attempt.order_id = known.order_id
       cross join lateral (values ('', known.order_id::text, attempt.order_id::text),
         ${ATTEMPTED.map(([booked, stored]) => `('${stored}', (${booked})::text, attempt.${stored}::text)`).join(', ')}) one(name, booked, stored)
     where one.booked is distinct from one.stored and (one.name = '' or known.order_id is not null and attempt.order_id is not null)
       and not exists (select 1 from later where later.order_id = coalesce(known.order_id, attempt.order_id))`,
  tell: ({ subject, name, booked, stored }) => {
    const gone =
      booked === null
        ? 'The order has an attempt, but was never sent.'
        : 'The order was sent, but its attempt is gone.';
    const says = `The attempt has ${stored} as ${name.replaceAll('_', ' ')}; the journal has ${booked}.`;
    return found('order_fills', subject, name === '' ? gone : says);
  },
};

/** Each settlement was paid at a result that the contract was given, or that a tester requested. */
const RESOLUTIONS: Comparison = {
  statement: `with known as materialized (
       select paid.settlement_id, paid.contract_id, paid.side, paid.resolution, paid.resolution_version, paid.yes_worth_micros, asked.resolution as asked
       from audit.settlements paid
         left join sandbox_resolutions asked on asked.operator_id = $1 and asked.position_id = paid.position_id
       where paid.operator_id = $1)
     select known.settlement_id::text as subject, '' as name, known.resolution as booked, coalesce(decision.resolution, known.asked) as stored
     from known
       left join contract_resolutions decision on decision.contract_id = known.contract_id and decision.version = known.resolution_version
     where not coalesce(case
       when known.resolution_version is null then case known.asked when 'VOID' then known.resolution = 'VOID'
         when 'WIN' then known.resolution = known.side when 'LOSS' then known.resolution in ('YES', 'NO') and known.resolution <> known.side end
       else decision.applied and decision.resolution = known.resolution and decision.split_yes_micros is not distinct from known.yes_worth_micros end, false)`,
  tell: ({ subject, booked, stored }) =>
    found(
      'settlement_amount',
      subject,
      `The position was settled as ${booked}; the contract’s resolution is ${stored ?? 'not known'}.`,
    ),
};

/** Each closed period begins where the one before it ends, and no entry is dated in a period that was already closed. */
const PERIODS: Comparison = {
  statement: `with period as (
       select *, lag(ends_at, 1, 'epoch'::timestamptz) over (order by number) as expected, row_number() over (order by number) as place
       from accounting_periods where operator_id = $1
     )
     select number::text as subject, 'period' as name, expected::text as booked, starts_at::text as stored from period
     where starts_at <> expected or number <> place
       or through_position > (select sequence from operator_ledgers where operator_id = $1)
     union all
     select coalesce(last.number, 0)::text, 'closed', last.ends_at::text, ledger.closed_until::text
     from operator_ledgers ledger left join (select * from period order by ends_at desc limit 1) last on true
     where ledger.operator_id = $1 and ledger.closed_until is distinct from last.ends_at
     union all
     select row.sequence::text, 'entry', period.number::text, coalesce(row.effective_at, row.recorded_at)::text
     from period cross join lateral (
       select dated.* from journal dated
       where dated.operator_id = $1 and dated.sequence > period.through_position and dated.effective_at < period.ends_at
       union all
       (select next.* from journal next where next.operator_id = $1 and next.sequence > period.through_position order by next.sequence limit 1)) row
     where least(row.effective_at, row.recorded_at) < period.ends_at`,
  tell: ({ subject, name, booked, stored }) => {
    const details: Readonly<Record<string, string>> = {
      period: `Period ${subject} begins at ${stored}, but the one before it ends at ${booked}.`,
      closed: `Entries are refused if dated before ${stored ?? '(no date)'}; the last closed period ends at ${booked}.`,
      entry: `The entry at ${subject} is dated ${stored}, which is in the closed period ${booked}.`,
    };
    return found('closed_period', subject, details[name] ?? '');
  },
};

/** The amounts held in wallets and committed in collateral equal the amounts that open orders hold. */
const HOLDS: Comparison = {
  statement: `with holding as (
       select case operator.mode when 'sandbox' then 'hold:' || known.external_user_id else 'collateral:committed' end as account_id, sum(known.held_minor) as amount
       from audit.orders known join operators operator on operator.operator_id = known.operator_id
       where known.operator_id = $1 and known.held_minor <> 0 group by 1
     )
     select coalesce(holding.account_id, account.account_id) as subject, '' as name, ${money('-coalesce(holding.amount, 0)')} as booked, ${money('coalesce(account.amount, 0)')} as stored
     from holding full join (
       select account_id, balance as amount from audit.accounts
       where operator_id = $1 and (account_id like 'hold:%' or account_id = 'collateral:committed')) account on account.account_id = holding.account_id
     where coalesce(holding.amount, 0) <> -coalesce(account.amount, 0)`,
  tell: ({ subject, booked, stored }) => {
    const [subjectId, subjectType] = subject.startsWith('hold:')
      ? ([subject.slice(5), 'user'] as const)
      : ([subject, 'record'] as const);
    return found('orphan_hold', subjectId, `The account holds ${stored}; open orders hold ${booked}.`, subjectType);
  },
};

/**
 * Each event of the last day that the relay has passed has a delivery for every endpoint that was subscribed to it when it was raised. An
 * endpoint that was removed before the relay came has no delivery. The types are the auditor's own list, because it checks the list of the
 * relay.
 */
const EVENTS: Comparison = {
  statement: `select 'evn_' || coalesce(replace(row.digits::text, '-', ''), substr(row.order_id, 5)) as subject, raised.type as name, subscribed.endpoint_id::text as booked, null as stored
     from journal row
       cross join lateral (values (case row.kind when 'order_recorded' then 'order.intent_recorded' when 'order_withdrawn' then 'order.cancelled'
         when 'order_executed' then 'order.filled' when 'order_filled' then 'order.filled' when 'position_settled' then 'position.settled'
         when 'resolution_changed' then 'market.resolution_changed'
         when 'order_ended' then case row.status when 'rejected' then 'order.rejected' else 'order.completed' end end)) raised(type)
       join webhook_subscriptions subscribed on subscribed.operator_id = $1 and subscribed.type = raised.type
         and subscribed.from_at <= row.recorded_at and (subscribed.until_at is null or row.recorded_at < subscribed.until_at)
       join webhook_endpoints endpoint on endpoint.operator_id = $1 and endpoint.endpoint_id = subscribed.endpoint_id and endpoint.removed_at is null
     where row.operator_id = $1 and row.recorded_at between now() - interval '1 day' and now() - interval '1 hour'
       and row.sequence <= (select relay.sequence from webhook_relays relay where relay.operator_id = $1)
       and (row.kind <> 'order_executed' or row.quantity_micros > 0)
       and not exists (select 1 from webhook_deliveries delivery where delivery.operator_id = $1 and delivery.endpoint_id = subscribed.endpoint_id
         and delivery.event_id = 'evn_' || coalesce(replace(row.digits::text, '-', ''), substr(row.order_id, 5)))`,
  tell: ({ subject, name, booked }) =>
    found('webhook_due', subject, `The event ${name} has no delivery for the endpoint ${booked}.`),
};

/** The contradictions that were found while the journal was read. */
function readContradictions(sql: Sql, operatorId: string): Promise<Found[]> {
  return sql.unsafe<Found[]>(
    `select check_name as "check", severity, detail, subject_type, subject_id, ${UNREAD}
     from (
       select *, row_number() over (partition by check_name order by finding_no desc) as place, count(*) over (partition by check_name) as total
       from audit.findings where operator_id = $1) numbered
     where place <= ${MOST} order by finding_no desc`,
    [operatorId],
    { prepare: true },
  );
}

/** The newest differences of each name: ids rise with time. */
export async function compare(
  sql: Sql,
  operatorId: string,
  { statement, tell }: Comparison,
  others: readonly bigint[] = [],
): Promise<Found[]> {
  const differences = await sql.unsafe<(BookDifference & { readonly unread: number })[]>(
    `select subject, name, booked, stored, ${UNREAD}
     from (
       select *, row_number() over (partition by name order by subject collate "C" desc) as place, count(*) over (partition by name) as total
       from (${statement}) difference) numbered
     where place <= ${MOST} order by subject collate "C" desc, name`,
    [operatorId, ...others],
    { prepare: true },
  );
  return differences.map(({ unread, ...difference }) => ({ ...tell(difference, operatorId), unread }));
}

/** All findings of a report, the largest group first. */
export const COMPARISONS: readonly ((sql: Sql, operatorId: string) => Promise<readonly Found[]>)[] = [
  ...[
    ...COMPARED.map(tableComparison),
    ...[LEDGER, WALLETS, EXPOSURES, ATTEMPTS, RESOLUTIONS, PERIODS, HOLDS, EVENTS],
  ].map((comparison) => (sql: Sql, operatorId: string) => compare(sql, operatorId, comparison)),
  readContradictions,
];
