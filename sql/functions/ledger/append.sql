-- The only function that writes the journal and its balances, and the rule for the times of rows.

-- The earliest time that the next row of an operator can have: the time of the clock, or one
-- millisecond after the last row if the clock is not past it. A window that ends at this time
-- therefore contains every row that was recorded before and no later row, even if the clock was set
-- back.
create or replace function next_recorded_at(p_now timestamptz, p_last timestamptz)
returns timestamptz language sql immutable parallel safe as $$
  -- in UTC, because a sum of timestamptz depends on a setting, which Citus permits in no update
  select greatest(p_now, case when p_last >= p_now
    then (p_last at time zone 'UTC' + interval '1 ms') at time zone 'UTC' end)
$$;

-- Whether the last row of an operator was recorded so far ahead of the clock that an administrator
-- must look: the clock of the database was wrong, and times stay ahead until it has caught up.
create or replace function runs_ahead(p_last timestamptz)
returns boolean language sql stable parallel safe as $$
  select p_last > clock_timestamp() + interval '5 seconds'
$$;

-- Appends rows to the journal: gives each its sequence and its time, adds its amounts to the
-- balances, and stores the balances after it. Nothing else writes the journal, the house's balances
-- or the wallets. The caller passes rows of the table without the columns that are set here.
--
-- Locks: the operators' ledgers, in the order of operators, as the last locks of the money
-- statement that calls it. Wallets change under the lock of their customer. The clock is read after
-- the lock, and the ledger stores the time of its last row, so times rise with sequences even if
-- the clock of the machine is set back (next_recorded_at).
--
-- p_commands has the number of each row's command. Rows of a command that was refused (p_codes has
-- its code) are not written. p_position_ids has the position of each command, which is known only
-- after the command's own tables were written. p_decided_at is the time in the command's other
-- tables; the default is the time of the rows. Returns the place of each row in the journal. Raises
-- IN004 unless every row is written.
create or replace function append_to_journal(p_operator_id text, p_entries journal_row[],
  p_commands integer[] default null, p_codes text[] default null,
  p_position_ids text[] default null, p_decided_at timestamptz default null)
returns table (operator_id id, items smallint, sequence bigint, recorded_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  v_operator text := nullif(p_operator_id, '');
  v_expected bigint;
  v_written bigint;
  v_now timestamptz;
begin
  -- 1. The rows that count, of the operator that is named. The last locks of the money statement.
  select count(*) into v_expected from generate_subscripts(p_entries, 1) place
  where p_codes[p_commands[place]] is null;
  if v_expected = 0 then
    return;
  end if;
  if v_operator is not null
    and exists (select from unnest(p_entries) entry where entry.operator_id <> v_operator) then
    raise exception 'a row of another operator' using errcode = '22023';
  end if;
  perform 1 from (select distinct entry.operator_id from unnest(p_entries) entry) entry
    join operator_ledgers ledger on ledger.operator_id = coalesce(v_operator, entry.operator_id)
  order by ledger.operator_id for no key update of ledger;
  v_now := clock_timestamp();

  -- 2. Each row, column by column of the table, has its sequence and the balances after it: what
  --    the ledger and the wallet have, and all rows of the batch so far. An account that does not
  --    move has no amount.
  return query
  insert into journal as written
  select
    ledger.operator_id, entry.items, entry.kind, entry.external_user_id, entry.order_id,
    coalesce(p_position_ids[p_commands[entry.ordinality]], entry.position_id), entry.contract_id,
    entry.digits, entry.side, entry.action, entry.status, entry.from_status,
    entry.transmission_state, entry.simulated, entry.client_order_id, entry.execution_ref,
    entry.fee_bps, entry.authorization_minor, entry.trade_minor, entry.platform_fee_minor,
    entry.venue_fee_minor, entry.venue_fee_known, entry.filled_quantity_micros, entry.price_weight,
    entry.quote_id, entry.intent, entry.quoted_price_micros, entry.slippage_micros,
    entry.quoted_fee_minor, entry.quoted_trade_minor, entry.quoted_quantity_micros, entry.venue,
    entry.routing_reason, entry.considered_venues, entry.scenario_id, entry.spend_micros,
    entry.our_id, entry.valid_seconds, entry.fill_no, entry.quantity_micros, entry.price_micros,
    entry.fill_trade_minor, entry.fill_platform_fee_minor, entry.fill_venue_fee_minor,
    entry.fill_fee_known, entry.fill_fee_micros, entry.venue_fill_id, entry.earned_micros,
    entry.partial, entry.fee_share_minor, entry.remaining_quantity_micros, entry.entry_price_micros,
    entry.venue_agrees, entry.is_loss, entry.resolution, entry.yes_worth_micros,
    entry.resolution_version, entry.outcome, entry.lifetime_pnl_minor, entry.funds,
    entry.other_account, nullif(entry.available, 0), nullif(entry.held, 0),
    nullif(entry.stakes, 0), nullif(entry.result, 0), nullif(entry.platform_fees, 0),
    nullif(entry.venue_fees, 0), nullif(entry.other, 0), entry.effective_at, entry.reason,
    entry.cancellation_id, entry.memo, entry.reference, entry.detail,
    ledger.sequence + sum(entry.items) over by_operator - entry.items + 1, 1,
    next_recorded_at(v_now, ledger.recorded_at),
    coalesce(p_decided_at, next_recorded_at(v_now, ledger.recorded_at)),
    -- for the funds also if only the other of the two moves; for any other account if it moves
    case when entry.funds = 'wallet' then wallet.available
        + coalesce(sum(entry.available) filter (where entry.funds = 'wallet') over by_wallet, 0)
      when entry.funds = 'collateral' then ledger.collateral_available + coalesce(
        sum(entry.available) filter (where entry.funds = 'collateral') over by_operator, 0)
      when entry.funds = 'cash' then ledger.operator_cash
        + coalesce(sum(entry.available) filter (where entry.funds = 'cash') over by_operator, 0)
      end,
    case when entry.funds = 'wallet' then wallet.held
        + coalesce(sum(entry.held) filter (where entry.funds = 'wallet') over by_wallet, 0)
      when entry.funds = 'collateral' then ledger.collateral_committed
        + coalesce(sum(entry.held) filter (where entry.funds = 'collateral') over by_operator, 0)
      end,
    case when entry.stakes <> 0 then ledger.stakes + sum(entry.stakes) over by_operator end,
    case when entry.result <> 0 then ledger.result + sum(entry.result) over by_operator end,
    case when entry.platform_fees <> 0
      then ledger.platform_fees + sum(entry.platform_fees) over by_operator end,
    case when entry.venue_fees <> 0
      then ledger.venue_fees + sum(entry.venue_fees) over by_operator end,
    case when entry.other <> 0 then
      case when entry.other_account = 'sandbox:float' then ledger.sandbox_float
        when entry.other_account = 'deposits' then ledger.deposits
        when entry.other_account = 'overrun' then ledger.overrun
        when entry.other_account = 'fees:returned' then ledger.fees_returned end
      + sum(entry.other) over by_account end
  from unnest(p_entries) with ordinality entry
    join operator_ledgers ledger on ledger.operator_id = coalesce(v_operator, entry.operator_id)
    left join wallets wallet on entry.funds = 'wallet'
      and wallet.operator_id = coalesce(v_operator, entry.operator_id)
      and wallet.external_user_id = entry.external_user_id
  where p_codes[p_commands[entry.ordinality]] is null
    -- an owner who has no wallet
    and (entry.funds is distinct from 'wallet' or wallet.operator_id is not null)
  window by_operator as (partition by ledger.operator_id order by entry.ordinality),
    by_wallet as (partition by ledger.operator_id, entry.external_user_id
      order by entry.ordinality),
    by_account as (partition by ledger.operator_id, entry.other_account order by entry.ordinality)
  returning written.operator_id, written.items, written.sequence, written.recorded_at;
  get diagnostics v_written = row_count;
  -- all of them, or none
  if v_written <> v_expected then
    raise exception '% of % rows could be recorded', v_written, v_expected
      using errcode = 'IN004';
  end if;

  -- 3. The counters and the balances take the sums of the batch.
  update operator_ledgers ledger set sequence = ledger.sequence + batch.items,
    recorded_at = next_recorded_at(v_now, ledger.recorded_at),
    stakes = ledger.stakes + batch.stakes, result = ledger.result + batch.result,
    platform_fees = ledger.platform_fees + batch.platform_fees,
    venue_fees = ledger.venue_fees + batch.venue_fees,
    collateral_available = ledger.collateral_available + batch.collateral_available,
    collateral_committed = ledger.collateral_committed + batch.collateral_committed,
    operator_cash = ledger.operator_cash + batch.operator_cash,
    sandbox_float = ledger.sandbox_float + batch.sandbox_float,
    deposits = ledger.deposits + batch.deposits, overrun = ledger.overrun + batch.overrun,
    fees_returned = ledger.fees_returned + batch.fees_returned
  from (
    select entry.operator_id, sum(entry.items) as items,
      coalesce(sum(entry.stakes), 0) as stakes, coalesce(sum(entry.result), 0) as result,
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
    from unnest(p_entries) with ordinality entry
    where p_codes[p_commands[entry.ordinality]] is null group by entry.operator_id) batch
  where ledger.operator_id = coalesce(v_operator, batch.operator_id);
  update wallets wallet set available = wallet.available + moved.available,
    held = wallet.held + moved.held
  from (
    select entry.operator_id, entry.external_user_id,
      coalesce(sum(entry.available), 0) as available, coalesce(sum(entry.held), 0) as held
    from unnest(p_entries) with ordinality entry
    where p_codes[p_commands[entry.ordinality]] is null and entry.funds = 'wallet'
    group by entry.operator_id, entry.external_user_id) moved
  where wallet.operator_id = coalesce(v_operator, moved.operator_id)
    and wallet.external_user_id = moved.external_user_id;
end $$;
