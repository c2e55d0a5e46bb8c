-- Deposits or withdraws an operator's collateral, or moves it to a total (`to_total`: available and committed together). One
-- statement under the operator's counter: the reference is looked for, the balance read and the movement recorded with nothing
-- in between. Outcomes: `moved`; `repeated`, the movement that the reference named before; `unchanged`, the total was right;
-- and the refusals `reference_used` (for another kind or amount) and `insufficient_collateral`, which record nothing.
create or replace function move_collateral(p_operator_id text, p_kind text, p_amount_minor bigint, p_reference text)
returns table (outcome text, reference text, kind text, amount_minor bigint, sequence bigint, recorded_at timestamptz,
  available_minor bigint, committed_minor bigint) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  earlier collateral_movements;
  available bigint;
  committed bigint;
  -- cents, above zero into the collateral
  change bigint;
  word text;
  entry_id text := 'ent_' || replace(uuidv7_text(), '-', '');
  item_id text := 'mov_' || replace(uuidv7_text(), '-', '');
  lines json;
begin
  perform 1 from operator_counters c where c.operator_id = p_operator_id for update;
  select * into earlier from collateral_movements m where m.operator_id = p_operator_id and m.reference = p_reference;
  if earlier.reference is not null and (earlier.kind, earlier.amount_minor) is not distinct from (p_kind, p_amount_minor) then
    return query select 'repeated', earlier.reference, earlier.kind, earlier.amount_minor, earlier.sequence, earlier.recorded_at,
      earlier.available_minor, earlier.committed_minor;
    return;
  end if;
  available := -coalesce((select b.balance from account_balances b
    where b.operator_id = p_operator_id and b.account_id = 'collateral:available'), 0);
  committed := -coalesce((select b.balance from account_balances b
    where b.operator_id = p_operator_id and b.account_id = 'collateral:committed'), 0);
  change := case p_kind when 'deposit' then p_amount_minor when 'withdrawal' then -p_amount_minor
    when 'to_total' then p_amount_minor - available - committed end;
  word := case when change > 0 then 'deposit' else 'withdrawal' end;
  if earlier.reference is not null or change = 0 or available + change < 0 then
    return query select case when earlier.reference is not null then 'reference_used' when change = 0 then 'unchanged'
      else 'insufficient_collateral' end, p_reference, p_kind, p_amount_minor, null::bigint, null::timestamptz, available, committed;
    return;
  end if;
  lines := json_build_array(json_build_array('deposits', change), json_build_array('collateral:available', -change));
  return query
  with facts as (
    select array[
      row(1, p_operator_id, 'ledger.posted', entry_id, null, null, null,
        json_build_object('currency', 'USD', 'amount', minor_text(abs(change)), 'lines', json_build_array(
          json_build_object('accountId', 'deposits', 'debit', minor_text(greatest(change, 0)), 'credit', minor_text(greatest(-change, 0))),
          json_build_object('accountId', 'collateral:available', 'debit', minor_text(greatest(-change, 0)), 'credit', minor_text(greatest(change, 0))))),
        json_build_object('movementType', case word when 'deposit' then 'COLLATERAL_DEPOSIT' else 'COLLATERAL_WITHDRAWAL' end,
          'memo', case word when 'deposit' then 'Collateral deposited' else 'Collateral withdrawn' end, 'referenceType', 'operator',
          'referenceId', p_operator_id, 'correctsEntryId', null),
        lines, null)::fact,
      row(2, p_operator_id, 'collateral.moved', item_id, null, null, null,
        json_build_object('currency', 'USD', 'amount', minor_text(abs(change))),
        json_build_object('kind', word, 'memo', case word when 'deposit' then 'Collateral deposited' else 'Collateral withdrawn' end,
          'ledgerEntryId', entry_id), null, null)::fact] as made
  )
  insert into collateral_movements as m (operator_id, reference, kind, amount_minor, sequence, recorded_at, available_minor, committed_minor)
  select p_operator_id, coalesce(p_reference, item_id), word, abs(change), r.feed_position, r.recorded_at, available + change, committed
  from facts cross join lateral record_facts(facts.made) r where r.ord = 2
  returning 'moved', m.reference, m.kind, m.amount_minor, m.sequence, m.recorded_at, m.available_minor, m.committed_minor;
end $$;
