-- The posting engine and the feed in one: gives each fact its dense position, posts ledger lines on running balances and
-- fills the outbox. Nothing else writes to these tables. It takes the operators' counters, in order of operator, as the
-- last locks of the money statement that calls it; the accounts of an operator are only touched under its counter.
-- The clock is read after the lock and an operator's time never goes back (the counter keeps the last one), so times rise with
-- positions even where the machine's clock steps back. Returns the position and the time that each fact was given.
-- Raises IN004 unless every fact and every ledger entry that was handed in is written.
create or replace function record_facts(facts fact[])
returns table (operator_id text, ord integer, feed_position bigint, recorded_at timestamptz) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_mergejoin = off set enable_hashjoin = on as $$
#variable_conflict use_column
declare
  now_ timestamptz;
  written bigint;
begin
  if coalesce(cardinality(facts), 0) = 0 then
    return;
  end if;
  perform 1 from operator_counters c
  where c.operator_id in (select distinct f.operator_id from unnest(facts) f)
  order by c.operator_id for update;
  now_ := clock_timestamp();

  return query
  with numbered as materialized (
    select f.*, row_number() over (partition by f.operator_id order by f.ord) as number from unnest(facts) f
  ), counted as (
    select n.operator_id, count(*) as items from numbered n group by n.operator_id
  ), bumped as materialized (
    update operator_counters c set feed_position = c.feed_position + k.items, recorded_at = greatest(now_, c.recorded_at)
    from counted k where c.operator_id = k.operator_id
    returning c.operator_id, c.feed_position - k.items as base, c.recorded_at
  ), placed as materialized (
    select n.*, b.base + n.number as position, b.recorded_at from numbered n join bumped b on b.operator_id = n.operator_id
  ), line as materialized (
    select p.operator_id, p.position, l.ordinality as line_no, l.value ->> 0 as account_id, (l.value ->> 1)::bigint as amount
    from placed p cross join lateral json_array_elements(p.lines) with ordinality l
    where p.lines is not null
  ), total as (
    select operator_id, account_id, sum(amount) as amount from line group by operator_id, account_id order by operator_id, account_id
  ), before as materialized (
    select t.operator_id, t.account_id, t.amount, coalesce(b.balance, 0) as balance, b.place
    from total t left join lateral (
      select a.ctid as place, a.balance from account_balances a where a.operator_id = t.operator_id and a.account_id = t.account_id limit 1) b on true
  ), opened as (
    insert into account_balances (operator_id, account_id, balance)
    select operator_id, account_id, amount from before where place is null
  ), moved as (
    -- not "on conflict do update", which would hold a lone debit against the floor of an account; found again by its
    -- place, which nobody else moves under the counter: joined by its key, all accounts there are would be read
    update account_balances b set balance = b.balance + t.amount
    from before t where b.ctid = t.place
  ), entries as (
    insert into ledger_entries (operator_id, position, entry_id, movement_type, memo, reference_type, reference_id, corrects_entry_id, recorded_at)
    select operator_id, position, item_id, detail ->> 'movementType', detail ->> 'memo', detail ->> 'referenceType',
           detail ->> 'referenceId', detail ->> 'correctsEntryId', recorded_at
    from placed where lines is not null
  ), running as materialized (
    select l.*, b.balance + sum(l.amount) over (partition by l.operator_id, l.account_id order by l.position, l.line_no) as balance_after
    from line l join before b on b.operator_id = l.operator_id and b.account_id = l.account_id
  ), lines as (
    insert into ledger_lines (operator_id, position, line_no, account_id, amount, balance_after)
    select operator_id, position, line_no, account_id, amount, balance_after from running
  ), outbox as (
    insert into outbox_events (operator_id, event_id, type, dedupe_key, data, created_at)
    select operator_id, item_id, detail ->> 'eventType', detail ->> 'dedupeKey', event, recorded_at
    from placed where event is not null
  ), items as (
  insert into feed_items (operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail)
  select p.operator_id, p.position, p.type, p.item_id, p.recorded_at, p.external_user_id, p.position_id, p.order_id,
    case when p.type <> 'collateral.moved' then p.money else json_build_object(
      'currency', 'USD', 'amount', p.money ->> 'amount',
      'balanceAfter', minor_text(-collateral_after(p.operator_id, 'collateral:available',
        (select r.balance_after from running r where r.operator_id = p.operator_id and r.account_id = 'collateral:available'
           and r.position < p.position order by r.position desc, r.line_no desc limit 1))),
      'committedAfter', minor_text(-collateral_after(p.operator_id, 'collateral:committed',
        (select r.balance_after from running r where r.operator_id = p.operator_id and r.account_id = 'collateral:committed'
           and r.position < p.position order by r.position desc, r.line_no desc limit 1))))
    end,
    p.detail
  from placed p
  )
  select p.operator_id, p.ord, p.position, p.recorded_at from placed p;
  get diagnostics written = row_count;
  if written <> cardinality(facts) then
    raise exception '% of % facts could be recorded', written, cardinality(facts) using errcode = 'IN004';
  end if;
end $$;
