-- Writes the auditor's books after it has read on: its place moves on from where the books were
-- read, or nothing is written and the answer is false. What can change of a row that is there is
-- replaced, and what was told before stays.
create or replace function write_books(p_operator_id text, p_after bigint,
  p_progress audit.progress[], p_orders audit.orders[], p_fills audit.fills[],
  p_positions audit.positions[], p_holdings audit.holdings[], p_accounts audit.accounts[],
  p_settlements audit.settlements[], p_movements audit.movements[], p_deposits audit.deposits[],
  p_findings audit.findings[])
returns boolean language plpgsql as $$
declare
  v_read audit.progress := p_progress[1];
begin
  -- values, because Citus cannot send an array of rows beside p_after
  insert into audit.progress as known
  values (p_operator_id, v_read.sequence, v_read.recorded_at, v_read.entries, v_read.exits,
    v_read.agrees, v_read.disagrees, clock_timestamp())
  on conflict (operator_id) do update set sequence = excluded.sequence,
    recorded_at = excluded.recorded_at, entries = excluded.entries, exits = excluded.exits,
    agrees = excluded.agrees, disagrees = excluded.disagrees, audited_at = excluded.audited_at
  where known.sequence = p_after;
  if not found then
    return false;
  end if;
  if cardinality(p_orders) > 0 then
    insert into audit.orders select kept.* from unnest(p_orders) kept
    on conflict (operator_id, order_id) do update set status = excluded.status,
      transmission_state = excluded.transmission_state, filled_quantity = excluded.filled_quantity,
      price_weight = excluded.price_weight, trade_minor = excluded.trade_minor,
      platform_fee_minor = excluded.platform_fee_minor, venue_fee_minor = excluded.venue_fee_minor,
      venue_fee_known = excluded.venue_fee_known, debit_minor = excluded.debit_minor,
      release_minor = excluded.release_minor, proceeds_minor = excluded.proceeds_minor,
      counted_stake_minor = excluded.counted_stake_minor, position_id = excluded.position_id,
      reject_reason = excluded.reject_reason, reserve_reference = excluded.reserve_reference,
      reserve_confirmed_at = excluded.reserve_confirmed_at,
      cancellation_id = excluded.cancellation_id, cancelled_at = excluded.cancelled_at,
      cancel_reason = excluded.cancel_reason, transmitted_at = excluded.transmitted_at,
      exited_fills = excluded.exited_fills, venue_gain_minor = excluded.venue_gain_minor,
      held_minor = excluded.held_minor, exited_quantity = excluded.exited_quantity;
  end if;
  if cardinality(p_fills) > 0 then
    insert into audit.fills select kept.* from unnest(p_fills) kept
    on conflict (operator_id, order_id, fill_no) do update set fee_micros = excluded.fee_micros;
  end if;
  if cardinality(p_positions) > 0 then
    insert into audit.positions select kept.* from unnest(p_positions) kept
    on conflict (operator_id, position_id) do update set status = excluded.status,
      quantity = excluded.quantity, held_quantity = excluded.held_quantity,
      cost_basis_minor = excluded.cost_basis_minor, entry_fees_minor = excluded.entry_fees_minor,
      price_weight = excluded.price_weight, average_price_micros = excluded.average_price_micros,
      realised_pnl_minor = excluded.realised_pnl_minor;
  end if;
  if cardinality(p_holdings) > 0 then
    insert into audit.holdings select kept.* from unnest(p_holdings) kept
    on conflict (operator_id, position_id, venue) do update set quantity = excluded.quantity,
      held_quantity = excluded.held_quantity;
  end if;
  if cardinality(p_accounts) > 0 then
    insert into audit.accounts select kept.* from unnest(p_accounts) kept
    on conflict (operator_id, account_id) do update set balance = excluded.balance,
      debits = excluded.debits, lines = excluded.lines, corrected = excluded.corrected;
  end if;
  if cardinality(p_settlements) > 0 then
    insert into audit.settlements select kept.* from unnest(p_settlements) kept
    on conflict do nothing;
  end if;
  if cardinality(p_movements) > 0 then
    insert into audit.movements select kept.* from unnest(p_movements) kept
    on conflict do nothing;
  end if;
  if cardinality(p_deposits) > 0 then
    insert into audit.deposits select kept.* from unnest(p_deposits) kept
    on conflict do nothing;
  end if;
  if cardinality(p_findings) > 0 then
    insert into audit.findings (operator_id, sequence, check_name, severity, detail, subject_type,
      subject_id)
    select found.operator_id, found.sequence, found.check_name, found.severity, found.detail,
      found.subject_type, found.subject_id
    from unnest(p_findings) found;
  end if;
  return true;
end $$;
