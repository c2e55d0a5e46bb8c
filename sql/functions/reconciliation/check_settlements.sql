-- `settlement_once`: every settled position has one settlement, one ledger entry and one item of
-- the feed, of the same time, and no other position has; and no position stays open on a contract
-- that has resolved (15 minutes warning, 24 hours critical). Settlements of p_positions, or of all;
-- open positions are always all.
create or replace function check_settlement_once(p_operator_id text, p_positions text[])
returns setof finding language sql stable parallel safe as $$
  (select 'settlement_once', 'critical', case
      when position.position_id is null then 'A settlement of a position that does not exist.'
      when position.status <> 'settled' then 'The position has a settlement and is '
        || position.status || '.'
      when settled.settlements is null then 'The position is settled and has no settlement.'
      else 'The position has ' || settled.settlements || ' settlements.' end, 'record',
        coalesce(position.position_id::text, settled.position_id)
  from (select position_id, status from positions where operator_id = p_operator_id
      and (p_positions is null or position_id = any (p_positions))) position
    full join (select position_id::text, count(*) as settlements from settlements
      where operator_id = p_operator_id
        and (p_positions is null or position_id = any (p_positions)) group by 1) settled
      on settled.position_id = position.position_id
  where (position.status = 'settled') is distinct from (settled.settlements is not null)
    and (position.status = 'settled' or settled.settlements is not null) or settled.settlements > 1
  order by 5 limit 100)
  union all
  (select 'settlement_once', 'critical', 'The ledger settled the position ' || count(*)
    || ' times.', 'record', entry.reference_id
  from ledger_entries entry where entry.operator_id = p_operator_id
    and entry.movement_type = 'POSITION_SETTLEMENT' and entry.reference_type <> 'order'
    and (p_positions is null or entry.reference_id = any (p_positions))
  group by entry.reference_id having count(*) > 1 order by entry.reference_id limit 100)
  union all
  (select 'settlement_once', 'critical',
    case when item.position is null then 'The feed has no such settlement at '
    || settlement.feed_position || '.'
      else 'Settled at ' || to_char(settlement.settled_at at time zone 'UTC',
        'YYYY-MM-DD HH24:MI:SS') || ' UTC, in the feed at '
        || to_char(item.occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC.' end,
          'record', settlement.settlement_id::text
  from settlements settlement left join feed_item_rows item
    on item.operator_id = settlement.operator_id
    and item.position = settlement.feed_position
    and item.type = 'position.settled' and item.item_id = settlement.settlement_id
      and item.position_id = settlement.position_id
  where settlement.operator_id = p_operator_id
    and (p_positions is null or settlement.position_id = any (p_positions))
    -- older settlements read the clock a moment after their item did
    and (item.position is null or settlement.settled_at not between item.occurred_at
      - interval '10 seconds' and item.occurred_at + interval '10 seconds')
  order by settlement.settlement_id limit 100)
  union all
  (select 'settlement_once', case when resolved.recorded_at < now() - interval '24 hours'
    then 'critical' else 'warning' end,
    'The contract resolved ' || contract.resolution || ' at '
      || to_char(resolved.recorded_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
      || ' UTC and the position is open'
      || case when position.held_quantity > 0 then '; ' || micro_number(position.held_quantity)
        || ' contracts are held back for a sell' else '' end || '.',
    'record', position.position_id::text
  from positions position
    join contracts contract on contract.contract_id = position.contract_id and contract.resolution
      is not null
    cross join lateral (select max(decision.recorded_at) as recorded_at
      from contract_resolutions decision
      where decision.contract_id = contract.contract_id and decision.applied) resolved
  where position.operator_id = p_operator_id and position.status = 'open'
    and greatest(resolved.recorded_at, position.opened_at) < now() - interval '15 minutes'
  order by position.position_id limit 100)
$$;

-- `settlement_amount`: credit, outcome and profit worked out again (contract 16.2) with
-- arithmetic of its own, from the position and from what resolved it: the version of the contract's
-- resolutions that the settlement names, or the request of a sandbox tester.
create or replace function check_settlement_amount(p_operator_id text, p_base bigint)
returns setof finding language sql stable parallel safe as $$
  with asked as materialized (
    select request.position_id, request.resolution from sandbox_resolutions request
      where request.operator_id = p_operator_id
  ), judged as (
    select settlement.*, result.resolved, case settlement.resolution
        when 'VOID' then settlement.cost_basis_minor::numeric
        when 'SPLIT' then floor(settlement.quantity::numeric * case when settlement.side = 'YES'
          then settlement.yes_worth_micros
          else 1000000 - settlement.yes_worth_micros end / 10000000000)
        else case when settlement.resolution = settlement.side
          then floor(settlement.quantity::numeric / 10000) else 0 end end as credit,
      case when settlement.resolution in ('VOID', 'SPLIT') then 'void'
        when settlement.resolution = settlement.side then 'won' else 'lost' end as expected_outcome
    from settlements settlement
      left join asked on asked.position_id = settlement.position_id
      left join contract_resolutions decision on decision.contract_id = settlement.contract_id
        and decision.version = settlement.resolution_version
      cross join lateral (select case
        -- asked for by a sandbox tester, for this position alone
        when settlement.resolution_version is null
          then coalesce(case asked.resolution when 'VOID' then settlement.resolution = 'VOID'
          when 'WIN' then settlement.resolution = settlement.side
          when 'LOSS' then settlement.resolution in ('YES', 'NO')
            and settlement.resolution <> settlement.side end, false)
        else coalesce(decision.applied and decision.resolution = settlement.resolution
          and decision.split_yes_micros is not distinct from settlement.yes_worth_micros, false) end
          as resolved) result
    where settlement.operator_id = p_operator_id and settlement.feed_position > p_base
  )
  select 'settlement_amount', 'critical', case
      when not judged.resolved then 'Settled as ' || judged.resolution || ', which '
        || case when judged.resolution_version is null then 'was never requested.'
        else 'was not its contract’s resolution.' end
      else 'Paid ' || minor_text(judged.settlement_credit_minor + judged.void_credit_minor)
        || ' as ' || judged.outcome || '; ' || judged.resolution || ' is worth '
        || minor_text(judged.credit) || ' as ' || judged.expected_outcome || '.' end, 'record',
          judged.settlement_id::text
  from judged left join positions position on position.operator_id = p_operator_id
    and position.position_id = judged.position_id
  where not judged.resolved
    or judged.outcome <> judged.expected_outcome
    or case when judged.expected_outcome = 'void' then judged.void_credit_minor
      else judged.settlement_credit_minor end <> judged.credit
    or case when judged.expected_outcome = 'void' then judged.settlement_credit_minor
      else judged.void_credit_minor end <> 0
    or judged.realised_pnl_minor <> judged.credit - judged.cost_basis_minor
    or judged.lifetime_realised_pnl_minor <> position.realised_pnl_minor
    or (judged.side, judged.contract_id::text, judged.external_user_id)
      <> (position.side, position.contract_id::text, position.external_user_id)
  order by judged.settlement_id limit 100
$$;
