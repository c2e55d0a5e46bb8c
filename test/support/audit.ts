/**
 * An auditor of the money tables: says every rule that some row breaks, and repairs nothing. It recomputes each total from
 * the rows below it and knows none of the service's code but the rendering of items and events, so that a wrong rule in the service
 * cannot hide in its own check.
 */

import type { Sql } from '../../src/db/client.ts';
import { readEvents } from './events.ts';
import { readItems } from './items.ts';
import { settlementsIn } from './settlements.ts';

/** @returns one line for each broken rule and row; empty is sound. @param operators null looks at all operators. */
export async function audit(sql: Sql, operators: string | readonly string[] | null = null): Promise<string[]> {
  const ids = operators === null ? null : [operators].flat();
  for (;;) {
    const before = await readSequences(sql, ids);
    const problems = await findProblems(sql, ids);
    // the items are read before the tables, so a problem counts if nothing was recorded in between
    if (problems.length === 0 || (await readSequences(sql, ids)) === before) {
      return problems;
    }
  }
}

async function readSequences(sql: Sql, ids: string[] | null): Promise<string> {
  const rows = await sql<{ operatorId: string; sequence: bigint }[]>`
    select operator_id, sequence from operator_ledgers
    where ${ids}::text[] is null or operator_id = any (${ids}::text[]) order by operator_id`;
  return rows.map(({ operatorId, sequence }) => `${operatorId} ${sequence}`).join();
}

async function findProblems(sql: Sql, ids: string[] | null): Promise<string[]> {
  const [events, items] = await Promise.all([readOf(sql, ids, readEvents), readOf(sql, ids, readItems)]);
  // each table is read once and then compared, which servers of Citus can do as well
  const rows = await sql<{ problem: string }[]>`
    with o as materialized (
      select operator_id, mode from operators where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), ledger_lines as materialized (
      select * from ledger_lines where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), account_balances as materialized (
      select * from account_balances where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), orders as materialized (
      select * from orders where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), fills as materialized (
      select * from (select operator_id, order_id, fill_no, quantity_micros, price_micros, fee_micros from order_fills
        union all select operator_id, order_id, 1, quantity_micros, price_micros, 0 from journal where kind = 'order_executed' and quantity_micros > 0) fill where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), transmissions as materialized (
      select * from transmissions where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), quotes as materialized (
      select * from quotes where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), positions as materialized (
      select * from positions where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), position_holdings as materialized (
      select * from position_holdings where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), settlements as materialized (
      select * from ${settlementsIn(sql)} where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), exposures as materialized (
      select * from exposures where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), operator_ledgers as materialized (
      select * from operator_ledgers where ${ids}::text[] is null or operator_id = any (${ids}::text[])
    ), item as materialized (
      select * from unnest(${items.map(({ operatorId }) => operatorId)}::text[], ${items.map(({ sequence }) => String(sequence))}::bigint[],
        ${items.map(({ type }) => type)}::text[], ${items.map(({ id }) => id)}::text[], ${items.map(({ orderId }) => orderId)}::text[],
        ${items.map(({ detail }) => JSON.stringify(detail))}::jsonb[]) as i(operator_id, position, type, item_id, order_id, detail)
    ), line as materialized (
      select l.operator_id, l.account_id, sum(l.amount) as total from ledger_lines l join o using (operator_id) group by 1, 2
    ), r as materialized (
      select r.*, o.mode, coalesce(f.quantity_micros, 0) as fills_quantity_micros, coalesce(f.weight, 0) as fills_weight, coalesce(f.count, 0) as fill_count,
        coalesce(f.exited, 0) as exited_quantity_micros, f.gaps,
        r.status in ('reserve_pending', 'pending_venue_execution', 'submitted') or (r.status = 'partially_filled' and r.transmission_state <> 'resolved') as open
      from orders r join o using (operator_id)
      left join lateral (
        select sum(f.quantity_micros) as quantity_micros, sum(f.quantity_micros::numeric * f.price_micros) as weight, count(*) as count, max(f.fill_no) <> count(*) as gaps,
          sum(f.quantity_micros) filter (where f.fee_micros is not null) as exited
        from fills f where f.operator_id = r.operator_id and f.order_id = r.order_id) f on true
    ), p as materialized (
      select p.*, o.mode from positions p join o using (operator_id)
    ), told as materialized (
      select f.operator_id, f.order_id, f.position, f.detail ->> 'fromState' as from_state, f.detail ->> 'toState' as to_state,
        lag(f.detail ->> 'toState') over (partition by f.operator_id, f.order_id order by f.position) as before,
        lead(f.position) over (partition by f.operator_id, f.order_id order by f.position) is null as last
      from item f where f.type = 'order.state_changed'
    ), event as materialized (
      select * from unnest(${events.map(({ operatorId }) => operatorId)}::text[], ${events.map(({ type }) => type)}::text[],
        ${events.map(({ dedupeKey }) => dedupeKey)}::text[], ${events.map(({ eventId }) => eventId)}::text[]) as e(operator_id, type, dedupe_key, event_id)
    ), problem as (
      -- the ledger
      select 'trial balance of ' || operator_id || ' is ' || sum(total) as problem from line group by operator_id having sum(total) <> 0
      union all
      select 'account ' || account_id || ' says ' || coalesce(b.balance, 0) || ', its lines ' || coalesce(line.total, 0)
      from (select b.* from account_balances b join o using (operator_id)) b full join line using (operator_id, account_id)
      where coalesce(b.balance, 0) <> coalesce(line.total, 0)
      union all
      select 'account ' || account_id || ' is overdrawn by ' || total from line
      where total > 0 and (account_id like 'wallet:%' or account_id like 'hold:%' or account_id like 'collateral:%')
      union all
      select 'account ' || account_id || ' has ' || coalesce(balance_after::text, 'no balance') || ' after ' || sequence || ', its lines until there ' || total
      from (select l.*, sum(l.amount) over (partition by l.operator_id, l.account_id order by l.sequence) as total from ledger_lines l join o using (operator_id)) told_after
      where balance_after is distinct from total
      union all
      select 'stakes of ' || o.operator_id || ' are ' || coalesce(s.total, 0) || ', positions hold ' || coalesce(h.cost, 0)
      from o left join line s on s.operator_id = o.operator_id and s.account_id = 'stakes'
        left join (select operator_id, sum(cost_basis_minor - entry_fees_minor) as cost from p where status = 'open' group by 1) h on h.operator_id = o.operator_id
      where coalesce(s.total, 0) <> -coalesce(h.cost, 0)
      -- holds equal what is authorised and not yet spent
      union all
      select 'hold:' || coalesce(substring(line.account_id from 6), x.external_user_id) || ' is ' || coalesce(-line.total, 0) || ', open orders hold ' || coalesce(x.open, 0)
      from (select * from line where account_id like 'hold:%') line
        full join (select operator_id, external_user_id, sum(authorization_minor - debit_minor) as open from r
              where open and action = 'buy' and mode = 'sandbox' group by 1, 2) x
          on x.operator_id = line.operator_id and line.account_id = 'hold:' || x.external_user_id
      where coalesce(-line.total, 0) <> coalesce(x.open, 0)
      union all
      select 'collateral:committed is ' || coalesce(-line.total, 0) || ', open orders hold ' || coalesce(x.open, 0)
      from o left join line on line.operator_id = o.operator_id and line.account_id = 'collateral:committed'
        left join (select operator_id, sum(authorization_minor - debit_minor) as open from r
              where open and action = 'buy' and mode = 'live' and reserve_confirmed_at is not null group by 1) x on x.operator_id = o.operator_id
      where coalesce(-line.total, 0) <> coalesce(x.open, 0)
      -- exposure
      union all
      select 'exposure of "' || x.external_user_id || '" is kept as ' || coalesce(e.exposure_minor, 0) || ', counted ' || x.counted
      from (
        select operator_id, u.external_user_id, sum(amount) as counted from (
          select operator_id, external_user_id, authorization_minor as amount from r
          where transmission_state = 'unknown' and action = 'buy' and not simulated
          union all
          select operator_id, external_user_id, cost_basis_minor from p where status = 'open' and not simulated
          union all
          select e.operator_id, e.external_user_id, 0 from exposures e join o using (operator_id) where e.external_user_id <> '') s
        cross join lateral (values (s.external_user_id), ('')) u(external_user_id) group by 1, 2) x
      left join exposures e on e.operator_id = x.operator_id and e.external_user_id = x.external_user_id
      where coalesce(e.exposure_minor, 0) <> x.counted
      -- orders
      union all
      select 'order ' || order_id || ' ' || what from r cross join lateral (values
        (action = 'buy' and authorization_minor <> debit_minor + release_minor, 'authorization <> debit + release'),
        (action = 'buy' and debit_minor <> trade_minor + platform_fee_minor + venue_fee_minor, 'debit <> trade + fees'),
        (action = 'sell' and proceeds_minor <> trade_minor - platform_fee_minor - venue_fee_minor, 'proceeds <> notional - fees'),
        (debit_minor > authorization_minor, 'debit above the authorization'),
        (filled_quantity_micros <> fills_quantity_micros or price_weight <> fills_weight, 'is not its fills'),
        (gaps, 'has gaps in its fills'),
        (action = 'sell' and filled_quantity_micros > quoted_quantity_micros, 'sold more than was asked'),
        (status in ('rejected', 'cancelled') and (fill_count > 0 or debit_minor > 0), 'ended with nothing and has fills'),
        (status in ('rejected', 'cancelled') and action = 'buy' and release_minor <> authorization_minor, 'ended with nothing and released less'),
        (status = 'filled' and fill_count = 0, 'filled without a fill'),
        (status in ('reserve_pending', 'pending_venue_execution') and transmission_state <> 'not_transmitted', 'waits and was transmitted'),
        (status in ('filled', 'rejected') and transmission_state <> 'resolved', 'is final and not resolved'),
        (status = 'submitted' and transmission_state <> 'unknown', 'is submitted and not unknown'),
        ((cancellation_id is not null) <> (status = 'cancelled' and transmission_state = 'not_transmitted'), 'cancellation does not fit its state'),
        (transmission_state = 'unknown' and reserve_confirmed_at is null, 'went out without a confirmed reserve'),
        (not simulated and fill_count > 0 and not exists (select 1 from transmissions t where t.operator_id = r.operator_id and t.order_id = r.order_id), 'has fills and no attempt')
      ) c(broken, what) where c.broken
      union all
      select 'quote ' || r.quote_id || ' of order ' || r.order_id || ' is gone'
      from r where not exists (select from quotes q where q.operator_id = r.operator_id and q.quote_id = r.quote_id)
      union all
      select 'quote ' || quote_id || ' was spent ' || count(*) || ' times' from r group by operator_id, quote_id having count(*) > 1
      -- positions: fills in, less exits and settlements
      union all
      select 'contracts of ' || coalesce(m.external_user_id, h.external_user_id) || ' on ' || coalesce(m.contract_id, h.contract_id) || ': fills ' || coalesce(m.quantity_micros, 0) || ', held or settled ' || coalesce(h.quantity_micros, 0)
      from (select operator_id, external_user_id, contract_id, side, simulated, sum(case when action = 'buy' then fills_quantity_micros
                when mode = 'live' and not simulated or intent = 'record_intent' then -exited_quantity_micros else -fills_quantity_micros end) as quantity_micros
            from r group by 1, 2, 3, 4, 5) m
        full join (select operator_id, external_user_id, contract_id, side, simulated, sum(quantity_micros) as quantity_micros from (
              select operator_id, external_user_id, contract_id, side, simulated, quantity_micros from p
              union all select s.operator_id, s.external_user_id, s.contract_id, s.side, s.simulated, s.quantity_micros from settlements s join o using (operator_id)) z group by 1, 2, 3, 4, 5) h
          using (operator_id, external_user_id, contract_id, side, simulated)
      where coalesce(m.quantity_micros, 0) <> coalesce(h.quantity_micros, 0)
      union all
      select 'cost of ' || coalesce(m.external_user_id, h.external_user_id) || ' on ' || coalesce(m.contract_id, h.contract_id) || ': spent ' || coalesce(m.spent, 0) || ', held less realised ' || coalesce(h.cost, 0)
      from (select operator_id, external_user_id, contract_id, side, simulated, sum(amount) as spent from (
              select operator_id, external_user_id, contract_id, side, simulated, debit_minor - proceeds_minor as amount from r
              union all select s.operator_id, s.external_user_id, s.contract_id, s.side, s.simulated, -settlement_credit_minor - void_credit_minor from settlements s join o using (operator_id)) z
            group by 1, 2, 3, 4, 5) m
        full join (select operator_id, external_user_id, contract_id, side, simulated, sum(cost_basis_minor - realised_pnl_minor) as cost from p group by 1, 2, 3, 4, 5) h
          using (operator_id, external_user_id, contract_id, side, simulated)
      where coalesce(m.spent, 0) <> coalesce(h.cost, 0)
      union all
      select 'position ' || p.position_id || ' holds back ' || p.held_quantity_micros || ', open sells ' || coalesce(x.held, 0)
      from p left join (select operator_id, position_id, sum(quoted_quantity_micros - exited_quantity_micros) as held from r where open and action = 'sell' group by 1, 2) x
        using (operator_id, position_id)
      where p.held_quantity_micros <> coalesce(x.held, 0)
      union all
      select 'position ' || p.position_id || ' holds ' || p.quantity_micros || '/' || p.held_quantity_micros || ', its venues ' || coalesce(h.quantity_micros, 0) || '/' || coalesce(h.held, 0)
      from p left join (select operator_id, position_id, sum(quantity_micros) as quantity_micros, sum(held_quantity_micros) as held from position_holdings group by 1, 2) h using (operator_id, position_id)
      where not p.simulated and (p.quantity_micros <> coalesce(h.quantity_micros, 0) or p.held_quantity_micros <> coalesce(h.held, 0))
      union all
      select 'position ' || position_id || ' is settled ' || count(s.*) || ' times' from p left join settlements s using (operator_id, position_id)
      group by p.operator_id, position_id, p.status having count(s.*) <> case when p.status = 'settled' then 1 else 0 end
      -- the feed is dense, tells each state once and in order, and every event is announced
      union all
      select 'feed of ' || o.operator_id || ' has ' || coalesce(f.items, 0) || ' items, last ' || coalesce(f.last, 0) || ', counter ' || c.sequence
      from o join operator_ledgers c using (operator_id)
        left join (select operator_id, count(distinct position) as items, max(position) as last from item group by 1) f using (operator_id)
      where coalesce(f.items, 0) <> c.sequence or coalesce(f.last, 0) <> c.sequence
      union all
      select 'order ' || order_id || ' is told from ' || coalesce(from_state, 'none') || ' to ' || to_state || ' after ' || coalesce(before, 'none')
      from told where from_state is distinct from before
        or (from_state is distinct from to_state and not exists (select 1 from order_transitions t where t.from_status = coalesce(from_state, '') and t.to_status = to_state))
      union all
      select 'order ' || r.order_id || ' is ' || r.status || ' and told as ' || coalesce(told.to_state, 'nothing')
      from r left join told on told.operator_id = r.operator_id and told.order_id = r.order_id and told.last where told.to_state is distinct from r.status
      union all
      select 'event ' || coalesce(e.dedupe_key, f.detail ->> 'dedupeKey') || ' and its item differ'
      from event e full join (select * from item where type = 'webhook.emitted') f on f.operator_id = e.operator_id and f.item_id = e.event_id
      where e.event_id is null or f.item_id is null
      union all
      select 'order ' || r.order_id || ' of ' || r.fill_count || ' fills raised ' || coalesce(e.raised, 0)
      from r left join (select operator_id, split_part(dedupe_key, ':', 2) as order_id, count(*) as raised from event where type = 'order.filled' group by 1, 2) e
        using (operator_id, order_id)
      where coalesce(e.raised, 0) <> r.fill_count
      union all
      select 'order ' || r.order_id || ' ' || c.type || ' raised ' || coalesce(e.raised, 0) || ', expected ' || c.expected
      from r cross join lateral (values ('order.intent_recorded', (r.intent = 'record_intent')::int), ('order.rejected', (r.status = 'rejected')::int),
        ('order.cancelled', (r.cancellation_id is not null)::int)) c(type, expected)
        left join (select operator_id, dedupe_key, count(*) as raised from event group by 1, 2) e
          on e.operator_id = r.operator_id and e.dedupe_key = c.type || ':' || r.order_id
      where coalesce(e.raised, 0) <> c.expected
    )
    select problem from problem limit 40`;
  return rows.map((row) => row.problem);
}

/** What the operators have, of all operators where `ids` is null. */
async function readOf<T>(
  sql: Sql,
  ids: readonly string[] | null,
  read: (sql: Sql, operatorId?: string) => Promise<T[]>,
): Promise<T[]> {
  return ids === null ? read(sql) : (await Promise.all(ids.map((operatorId) => read(sql, operatorId)))).flat();
}
