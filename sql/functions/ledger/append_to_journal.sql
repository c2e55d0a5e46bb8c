-- Appends rows to the journal: gives each its sequence and its time, adds its amounts to the
-- balances, and stores the balances after it. Nothing else writes the journal, the house's balances
-- or the wallets. Locks: the operators' ledgers, in the order of operators, as the last locks of
-- the money statement that calls it; wallets change under the lock of their customer. The clock is
-- read after the lock, and the ledger keeps the last time, so times rise with sequences even if the
-- clock of the machine is set back. Rows of commands that were refused (p_codes has their code) are
-- left out; p_position_ids has the positions of the commands, which the caller learns while it
-- writes. p_decided_at is the time that the
-- command's own rows have; by default it is that of the rows. Returns the sequence and the time of
-- each row. Raises IN004 unless every row is written.
create or replace function append_to_journal(p_entries journal_entry[], p_codes text[] default null,
  p_position_ids text[] default null, p_decided_at timestamptz default null)
returns table (operator_id text, ord integer, sequence bigint, recorded_at timestamptz)
language plpgsql
-- One plan for all calls, and look-ups by key only, as in place_orders.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_mergejoin = off
set enable_hashjoin = on as $$
#variable_conflict use_column
declare
  v_expected bigint;
  v_written bigint;
  v_now timestamptz;
begin
  select count(*) into v_expected from unnest(p_entries) entry where p_codes[entry.command] is null;
  if v_expected = 0 then
    return;
  end if;
  perform 1 from operator_ledgers ledger
  where ledger.operator_id in (select distinct entry.operator_id from unnest(p_entries) entry)
  order by ledger.operator_id for no key update;
  v_now := clock_timestamp();

  return query
  with entry as materialized (
    select * from unnest(p_entries) entry where p_codes[entry.command] is null
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
    from batch where ledger.operator_id = batch.operator_id
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
    from moved where wallet.operator_id = moved.operator_id
      and wallet.external_user_id = moved.external_user_id
    returning wallet.operator_id, wallet.external_user_id,
      wallet.available - moved.available as available, wallet.held - moved.held as held
  ), placed as materialized (
    select entry.*, ledger.recorded_at,
      ledger.sequence + sum(entry.items) over by_operator - entry.items + 1 as sequence,
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
      ledger.stakes + sum(entry.stakes) over by_operator as stakes_after,
      ledger.result + sum(entry.result) over by_operator as result_after,
      ledger.platform_fees + sum(entry.platform_fees) over by_operator as platform_fees_after,
      ledger.venue_fees + sum(entry.venue_fees) over by_operator as venue_fees_after,
      case entry.other_account when 'sandbox:float' then ledger.sandbox_float
        when 'deposits' then ledger.deposits when 'overrun' then ledger.overrun
        when 'fees:returned' then ledger.fees_returned end
        + sum(entry.other) over (partition by entry.operator_id, entry.other_account
          order by entry.ord) as other_after
    from entry join ledger on ledger.operator_id = entry.operator_id
      left join wallet on entry.funds = 'wallet' and wallet.operator_id = entry.operator_id
        and wallet.external_user_id = entry.external_user_id
    window by_operator as (partition by entry.operator_id order by entry.ord),
      by_wallet as (partition by entry.operator_id, entry.external_user_id order by entry.ord)
  ), recorded as (
    insert into journal (operator_id, sequence, items, kind, recorded_at, decided_at,
      external_user_id, order_id, position_id, contract_id, digits, side, action, status,
      from_status,
      transmission_state, simulated, client_order_id, execution_ref, fee_bps, authorization_minor,
      trade_minor, platform_fee_minor, venue_fee_minor, venue_fee_known, filled_quantity,
      price_weight, quote_id, intent, quoted_price_micros, slippage_micros, quoted_fee_minor,
      quoted_trade_minor, quoted_quantity, venue, routing_reason, considered_venues, scenario_id,
      fill_no, quantity, price_micros, fill_trade_minor, fill_platform_fee_minor,
      fill_venue_fee_minor, fill_fee_known, fill_fee_micros, partial, fee_share_minor,
      remaining_quantity, entry_price_micros, venue_agrees, is_loss, resolution, yes_worth_micros,
      resolution_version, outcome,
      lifetime_pnl_minor, funds, other_account, available, held, stakes, result, platform_fees,
      venue_fees, other, available_after, held_after, stakes_after, result_after,
      platform_fees_after, venue_fees_after, other_after, corrects_entry_id, corrects_kind,
      effective_at, reason, cancellation_id, memo, reference, detail)
    select placed.operator_id, placed.sequence, placed.items, placed.kind::journal_kind,
      placed.recorded_at, coalesce(p_decided_at, placed.recorded_at), placed.external_user_id,
      placed.order_id,
      coalesce(p_position_ids[placed.command], placed.position_id),
      placed.contract_id, placed.digits::uuid, placed.side::contract_side,
      placed.action::order_action, placed.status::order_status, placed.from_status::order_status,
      placed.transmission_state::transmission_state, placed.simulated, placed.client_order_id,
      placed.execution_ref, placed.fee_bps, placed.authorization_minor, placed.trade_minor,
      placed.platform_fee_minor, placed.venue_fee_minor, placed.venue_fee_known,
      placed.filled_quantity, placed.price_weight, placed.quote_id,
      placed.intent::order_intent, placed.quoted_price_micros, placed.slippage_micros,
      placed.quoted_fee_minor, placed.quoted_trade_minor, placed.quoted_quantity, placed.venue,
      placed.routing_reason::routing_reason, placed.considered_venues, placed.scenario_id,
      placed.fill_no, placed.quantity,
      placed.price_micros, placed.fill_trade_minor, placed.fill_platform_fee_minor,
      placed.fill_venue_fee_minor, placed.fill_fee_known, placed.fill_fee_micros, placed.partial,
      placed.fee_share_minor,
      placed.remaining_quantity, placed.entry_price_micros, placed.venue_agrees, placed.is_loss,
      placed.resolution::resolution_word, placed.yes_worth_micros, placed.resolution_version,
      placed.outcome::settlement_outcome, placed.lifetime_pnl_minor, placed.funds::money_source,
      placed.other_account::other_account, nullif(placed.available, 0), nullif(placed.held, 0),
      nullif(placed.stakes, 0), nullif(placed.result, 0), nullif(placed.platform_fees, 0),
      nullif(placed.venue_fees, 0), nullif(placed.other, 0), placed.available_after,
      placed.held_after, case when placed.stakes <> 0 then placed.stakes_after end,
      case when placed.result <> 0 then placed.result_after end,
      case when placed.platform_fees <> 0 then placed.platform_fees_after end,
      case when placed.venue_fees <> 0 then placed.venue_fees_after end,
      case when placed.other <> 0 then placed.other_after end, placed.corrects_entry_id,
      placed.corrects_kind::journal_kind, placed.effective_at, placed.reason,
      placed.cancellation_id, placed.memo, placed.reference, placed.detail
    from placed
    returning 1
  )
  select placed.operator_id, placed.ord, placed.sequence::bigint, placed.recorded_at from placed
  where (select count(*) from recorded) = v_expected
    and (select count(*) from wallet) = (select count(*) from moved);
  get diagnostics v_written = row_count;
  if v_written <> v_expected then
    raise exception '% of % rows could be recorded', v_written, v_expected using errcode = 'IN004';
  end if;
end $$;
