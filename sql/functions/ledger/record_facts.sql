-- Posts to the ledger and writes the feed: gives each fact its dense position, posts ledger lines
-- on running balances. Nothing else writes to these tables. The facts of a command have `places`
-- positions, and each says which of them is its own (`place`, from 0). A fact is a row of the feed
-- that may hold items which follow it (`items` counts them with it), or an entry (`lines`). Locks:
-- the operators' counters, in the order of operators, as the last locks of the money statement that
-- calls it. The accounts of an operator are only touched under its counter. The clock is read after
-- the lock, and the counter keeps the last time, so times rise with positions even if the clock of
-- the machine is set back. Returns the position and the time of each fact. Raises IN004 unless
-- every fact and every ledger entry of the batch is written, and an item for every position.
create or replace function record_facts(p_facts feed_fact[])
returns table (operator_id text, ord integer, feed_position bigint, recorded_at timestamptz)
language plpgsql
-- One plan for all calls, and look-ups by key only, as in place_orders. Hash joins stay on for the
-- joins among the rows of the batch itself, which have no index.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_mergejoin = off
set enable_hashjoin = on as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_written bigint;
begin
  if coalesce(cardinality(p_facts), 0) = 0 then
    return;
  end if;
  perform 1 from operator_counters counter
  where counter.operator_id in (select distinct fact_row.operator_id from unnest(p_facts) fact_row)
  order by counter.operator_id for update;
  v_now := clock_timestamp();

  return query
  with numbered as materialized (
    -- the first fact of a command takes the positions of all
    select fact_row.*, sum(case when fact_row.place = 0 then fact_row.places else 0 end)
      over (partition by fact_row.operator_id order by fact_row.ord) - fact_row.places
      + fact_row.place + 1 as number from unnest(p_facts) fact_row
  ), counted as (
    select numbered.operator_id, sum(numbered.items) as items
    from numbered group by numbered.operator_id
  ), bumped as materialized (
    update operator_counters counter set feed_position = counter.feed_position + counted.items,
      recorded_at = greatest(v_now, counter.recorded_at)
    from counted where counter.operator_id = counted.operator_id
    returning counter.operator_id, counter.feed_position - counted.items as base,
      counter.recorded_at
  ), placed as materialized (
    select numbered.*, bumped.base + numbered.number as position, bumped.recorded_at from numbered
      join bumped on bumped.operator_id = numbered.operator_id
  ), line as materialized (
    select placed.operator_id, placed.position, placed.item_id, placed.recorded_at, placed.detail,
      placed.external_user_id, placed.order_id, given_line.ordinality as line_no,
      given_line.value ->> 0 as account_id,
      (given_line.value ->> 1)::bigint as amount
    from placed cross join lateral json_array_elements(placed.lines) with ordinality given_line
    where placed.lines is not null and placed.type = 'ledger.posted'
  ), total as (
    select operator_id, account_id, sum(amount) as amount
      from line group by operator_id, account_id order by operator_id, account_id
  ), before as materialized (
    select total.operator_id, total.account_id, total.amount,
      coalesce(existing.balance, 0) as balance, existing.place
    from total left join lateral (
      select account.ctid as place, account.balance from account_balances account
        where account.operator_id = total.operator_id
        and account.account_id = total.account_id limit 1) existing on true
  ), opened as (
    insert into account_balances (operator_id, account_id, balance)
    select operator_id, account_id, amount from before where place is null
  ), moved as (
    -- not "on conflict do update", which would hold a lone debit against the floor of an account;
    -- found again by its ctid, which no other statement moves under the counter: joined by its key,
    -- all accounts there are would be read
    update account_balances account set balance = account.balance + before.amount
    from before where account.ctid = before.place
  ), running as materialized (
    select line.*, before.balance + sum(line.amount)
      over (partition by line.operator_id, line.account_id order by line.position, line.line_no)
      as balance_after
    from line join before on before.operator_id = line.operator_id
      and before.account_id = line.account_id
  ), posted as (
    -- what an entry says of itself comes with its lines: joined to them, each would look at all
    select operator_id, position, item_id, recorded_at, (array_agg(detail))[1] as detail,
      min(external_user_id) as external_user_id, min(order_id) as order_id,
      array_agg(account_id order by line_no) as account_ids,
      array_agg(amount order by line_no) as amounts,
      array_agg(balance_after order by line_no) as balances_after
    from running group by operator_id, position, item_id, recorded_at
  ), entries as (
    insert into ledger_entries (operator_id, position, entry_id, movement_type, memo,
      reference_type, reference_id, corrects_entry_id, recorded_at, effective_at, account_ids,
      amounts, balances_after, external_user_id, order_id)
    select operator_id, position, item_id, said."movementType", said.memo, said."referenceType",
      said."referenceId", said."correctsEntryId", recorded_at, said."effectiveAt", account_ids,
      amounts, balances_after, external_user_id, nullif(order_id, said."referenceId")
    from posted cross join lateral json_to_record(posted.detail) as said("movementType" text,
      memo text, "referenceType" text, "referenceId" text, "correctsEntryId" text,
      "effectiveAt" timestamptz)
    -- the item of an entry that refers to an order is of that order
    where order_id is not null or said."referenceType" <> 'order'
    returning 1
  ), items as (
  insert into feed_item_rows (operator_id, position, type, item_id, occurred_at, external_user_id,
    position_id, order_id, money, detail, following)
  select placed.operator_id, placed.position, placed.type, placed.item_id, placed.recorded_at,
    placed.external_user_id, placed.position_id, placed.order_id,
    case when placed.type <> 'collateral.moved' then placed.money else json_build_object(
      'currency', 'USD', 'amount', placed.money ->> 'amount',
      'balanceAfter', minor_text(-collateral_after(placed.operator_id, 'collateral:available',
        (select running.balance_after from running
          where running.operator_id = placed.operator_id
          and running.account_id = 'collateral:available'
           and running.position < placed.position order by running.position desc,
             running.line_no desc limit 1))),
      'committedAfter', minor_text(-collateral_after(placed.operator_id, 'collateral:committed',
        (select running.balance_after from running
          where running.operator_id = placed.operator_id
          and running.account_id = 'collateral:committed'
           and running.position < placed.position order by running.position desc,
             running.line_no desc limit 1))))
    end,
    placed.detail, placed.following
  from placed where placed.lines is null and placed.items > 0
  )
  select placed.operator_id, placed.ord, placed.position, placed.recorded_at from placed
  where (select count(*) from entries) = (select count(placed.lines) from placed)
    and (select sum(placed.items) from placed)
      = (select sum(placed.places) from placed where placed.place = 0);
  get diagnostics v_written = row_count;
  if v_written <> cardinality(p_facts) then
    raise exception '% of % facts could be recorded', v_written,
      cardinality(p_facts) using errcode = 'IN004';
  end if;
end $$;
