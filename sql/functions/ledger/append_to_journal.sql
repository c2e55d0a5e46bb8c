-- Appends rows to the journal: gives each its sequence and its time, adds its amounts to the
-- balances, and stores the balances after it. Nothing else writes the journal, the house's balances
-- or the wallets. A row comes as the table has it, without what is given here. Locks: the
-- operators' ledgers, in the order of operators, as the last locks of the money statement that
-- calls it; wallets change under the lock of their customer. The clock is read after the lock, and
-- the ledger keeps the last time, so times rise with sequences even if the clock of the machine is
-- set back. p_commands has the number of each row's command: rows of commands that were refused
-- (p_codes has their code) are left out, and p_position_ids has the positions of the commands,
-- which the caller learns while it writes. p_decided_at is the time that the command's own rows
-- have; by default it is that of the rows. Returns the sequence and the time of each row, with its
-- place in the array. Raises IN004 unless every row is written.
create or replace function append_to_journal(p_operator_id text, p_entries journal_row[],
  p_commands integer[] default null, p_codes text[] default null,
  p_position_ids text[] default null, p_decided_at timestamptz default null)
returns table (operator_id text, place integer, sequence bigint, recorded_at timestamptz)
language plpgsql
-- One plan for all calls, and look-ups by key only, as in place_orders.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_mergejoin = off
set enable_hashjoin = on as $$
#variable_conflict use_column
declare
  v_operator text := nullif(p_operator_id, '');
  v_expected bigint;
  v_now timestamptz;
  v_placed record;
  v_entry journal_row;
  v_entries journal_row[] := '{}';
begin
  -- 1. The rows that count, of the operator that is named. The last locks of the money statement.
  select count(*) into v_expected from generate_subscripts(p_entries, 1) place
  where p_codes[p_commands[place]] is null;
  if v_expected = 0 then
    return;
  end if;
  if exists (select from unnest(p_entries) entry where entry.operator_id <> v_operator) then
    raise exception 'a row of another operator' using errcode = '22023';
  end if;
  perform 1 from (select distinct entry.operator_id from unnest(p_entries) entry) entry
    join operator_ledgers ledger on ledger.operator_id = coalesce(v_operator, entry.operator_id)
  order by ledger.operator_id for no key update of ledger;
  v_now := clock_timestamp();

  -- 2. The counters and the balances take the sums of the batch, and remember what was before it.
  -- 3. Each row has its sequence and its balances: what was before the batch, and all rows so far.
  for v_placed in
    with entry as materialized (
      -- an account that does not move has no amount
      select entry.ordinality as place, entry.operator_id, entry.items, entry.external_user_id,
        entry.funds, entry.other_account, nullif(entry.available, 0) as available,
        nullif(entry.held, 0) as held, nullif(entry.stakes, 0) as stakes,
        nullif(entry.result, 0) as result, nullif(entry.platform_fees, 0) as platform_fees,
        nullif(entry.venue_fees, 0) as venue_fees, nullif(entry.other, 0) as other
      from unnest(p_entries) with ordinality entry
      where p_codes[p_commands[entry.ordinality]] is null
    ), batch as (
      select entry.operator_id, sum(entry.items) as items, coalesce(sum(entry.stakes), 0) as stakes,
        coalesce(sum(entry.result), 0) as result,
        coalesce(sum(entry.platform_fees), 0) as platform_fees,
        coalesce(sum(entry.venue_fees), 0) as venue_fees,
        coalesce(sum(entry.available) filter (where entry.funds = 'collateral'), 0)
          as collateral_available,
        coalesce(sum(entry.held) filter (where entry.funds = 'collateral'), 0)
          as collateral_committed,
        coalesce(sum(entry.available) filter (where entry.funds = 'cash'), 0) as operator_cash,
        coalesce(sum(entry.other) filter (where entry.other_account = 'sandbox:float'), 0)
          as sandbox_float,
        coalesce(sum(entry.other) filter (where entry.other_account = 'deposits'), 0) as deposits,
        coalesce(sum(entry.other) filter (where entry.other_account = 'overrun'), 0) as overrun,
        coalesce(sum(entry.other) filter (where entry.other_account = 'fees:returned'), 0)
          as fees_returned
      from entry group by entry.operator_id
    ), ledger as materialized (
      update operator_ledgers ledger set sequence = ledger.sequence + batch.items,
        recorded_at = greatest(v_now, ledger.recorded_at),
        stakes = ledger.stakes + batch.stakes, result = ledger.result + batch.result,
        platform_fees = ledger.platform_fees + batch.platform_fees,
        venue_fees = ledger.venue_fees + batch.venue_fees,
        collateral_available = ledger.collateral_available + batch.collateral_available,
        collateral_committed = ledger.collateral_committed + batch.collateral_committed,
        operator_cash = ledger.operator_cash + batch.operator_cash,
        sandbox_float = ledger.sandbox_float + batch.sandbox_float,
        deposits = ledger.deposits + batch.deposits, overrun = ledger.overrun + batch.overrun,
        fees_returned = ledger.fees_returned + batch.fees_returned
      from batch where ledger.operator_id = coalesce(v_operator, batch.operator_id)
      -- the balances before the batch
      returning ledger.operator_id, ledger.sequence - batch.items as sequence, ledger.recorded_at,
        ledger.stakes - batch.stakes as stakes, ledger.result - batch.result as result,
        ledger.platform_fees - batch.platform_fees as platform_fees,
        ledger.venue_fees - batch.venue_fees as venue_fees,
        ledger.collateral_available - batch.collateral_available as collateral_available,
        ledger.collateral_committed - batch.collateral_committed as collateral_committed,
        ledger.operator_cash - batch.operator_cash as operator_cash,
        ledger.sandbox_float - batch.sandbox_float as sandbox_float,
        ledger.deposits - batch.deposits as deposits, ledger.overrun - batch.overrun as overrun,
        ledger.fees_returned - batch.fees_returned as fees_returned
    ), moved as materialized (
      select entry.operator_id, entry.external_user_id, coalesce(sum(entry.available), 0)
          as available, coalesce(sum(entry.held), 0) as held
      from entry where entry.funds = 'wallet' group by entry.operator_id, entry.external_user_id
    ), wallet as materialized (
      update wallets wallet set available = wallet.available + moved.available,
        held = wallet.held + moved.held
      from moved where wallet.operator_id = coalesce(v_operator, moved.operator_id)
        and wallet.external_user_id = moved.external_user_id
      returning wallet.operator_id, wallet.external_user_id,
        wallet.available - moved.available as available, wallet.held - moved.held as held
    )
    select entry.place::integer as place, ledger.recorded_at, entry.available, entry.held,
      entry.stakes, entry.result, entry.platform_fees, entry.venue_fees, entry.other,
      ledger.sequence + sum(entry.items) over by_operator - entry.items + 1 as sequence,
      -- of the funds also where only the other of both moves; of any other account if it moves
      case entry.funds
        when 'wallet' then wallet.available
          + coalesce(sum(entry.available) filter (where entry.funds = 'wallet') over by_wallet, 0)
        when 'collateral' then ledger.collateral_available + coalesce(
          sum(entry.available) filter (where entry.funds = 'collateral') over by_operator, 0)
        when 'cash' then ledger.operator_cash
          + coalesce(sum(entry.available) filter (where entry.funds = 'cash') over by_operator, 0)
        end as available_after,
      case entry.funds
        when 'wallet' then wallet.held
          + coalesce(sum(entry.held) filter (where entry.funds = 'wallet') over by_wallet, 0)
        when 'collateral' then ledger.collateral_committed
          + coalesce(sum(entry.held) filter (where entry.funds = 'collateral') over by_operator, 0)
        end as held_after,
      case when entry.stakes <> 0 then ledger.stakes + sum(entry.stakes) over by_operator end
        as stakes_after,
      case when entry.result <> 0 then ledger.result + sum(entry.result) over by_operator end
        as result_after,
      case when entry.platform_fees <> 0
        then ledger.platform_fees + sum(entry.platform_fees) over by_operator end
        as platform_fees_after,
      case when entry.venue_fees <> 0
        then ledger.venue_fees + sum(entry.venue_fees) over by_operator end as venue_fees_after,
      case when entry.other <> 0 then
        case entry.other_account when 'sandbox:float' then ledger.sandbox_float
          when 'deposits' then ledger.deposits when 'overrun' then ledger.overrun
          when 'fees:returned' then ledger.fees_returned end
        + sum(entry.other) over (partition by entry.operator_id, entry.other_account
          order by entry.place) end as other_after
    from entry join ledger on ledger.operator_id = entry.operator_id
      left join wallet on entry.funds = 'wallet' and wallet.operator_id = entry.operator_id
        and wallet.external_user_id = entry.external_user_id
    -- an owner who has no wallet
    where entry.funds is distinct from 'wallet' or wallet.operator_id is not null
    window by_operator as (partition by entry.operator_id order by entry.place),
      by_wallet as (partition by entry.operator_id, entry.external_user_id order by entry.place)
    order by entry.place
  loop
    v_entry := p_entries[v_placed.place];
    v_entry.version := 1;
    v_entry.sequence := v_placed.sequence;
    v_entry.recorded_at := v_placed.recorded_at;
    v_entry.decided_at := coalesce(p_decided_at, v_placed.recorded_at);
    v_entry.position_id := coalesce(p_position_ids[p_commands[v_placed.place]],
      v_entry.position_id);
    v_entry.available := v_placed.available;
    v_entry.available_after := v_placed.available_after;
    v_entry.held := v_placed.held;
    v_entry.held_after := v_placed.held_after;
    v_entry.stakes := v_placed.stakes;
    v_entry.stakes_after := v_placed.stakes_after;
    v_entry.result := v_placed.result;
    v_entry.result_after := v_placed.result_after;
    v_entry.platform_fees := v_placed.platform_fees;
    v_entry.platform_fees_after := v_placed.platform_fees_after;
    v_entry.venue_fees := v_placed.venue_fees;
    v_entry.venue_fees_after := v_placed.venue_fees_after;
    v_entry.other := v_placed.other;
    v_entry.other_after := v_placed.other_after;
    v_entries := v_entries || v_entry;

    operator_id := v_entry.operator_id;
    place := v_placed.place;
    sequence := v_entry.sequence;
    recorded_at := v_entry.recorded_at;
    return next;
  end loop;
  -- 4. All of them, or nothing.
  if cardinality(v_entries) <> v_expected then
    raise exception '% of % rows could be recorded', cardinality(v_entries), v_expected
      using errcode = 'IN004';
  end if;
  insert into journal select * from unnest(v_entries);
end $$;
