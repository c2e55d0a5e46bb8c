-- `settlement_once`: every settled position has one settlement, one ledger entry and one item of the feed, of the same time, and
-- no other position has; and no position stays open on a contract that has resolved (15 minutes warning, 24 hours critical).
create or replace function check_settlement_once(p_operator_id text) returns setof finding language sql stable parallel safe as $$
  (select 'settlement_once', 'critical', case
      when p.position_id is null then 'A settlement of a position that does not exist.'
      when p.status <> 'settled' then 'The position has a settlement and is ' || p.status || '.'
      when s.settlements is null then 'The position is settled and has no settlement.'
      else 'The position has ' || s.settlements || ' settlements.' end, 'record', coalesce(p.position_id::text, s.position_id)
  from (select position_id, status from positions where operator_id = p_operator_id) p
    full join (select position_id::text, count(*) as settlements from settlements where operator_id = p_operator_id group by 1) s on s.position_id = p.position_id
  where (p.status = 'settled') is distinct from (s.settlements is not null) and (p.status = 'settled' or s.settlements is not null) or s.settlements > 1
  order by 5 limit 100)
  union all
  (select 'settlement_once', 'critical', 'The ledger settled the position ' || count(*) || ' times.', 'record', e.reference_id
  from ledger_entries e where e.operator_id = p_operator_id and e.movement_type = 'POSITION_SETTLEMENT'
  group by e.reference_id having count(*) > 1 order by e.reference_id limit 100)
  union all
  (select 'settlement_once', 'critical', case when f.position is null then 'The feed has no such settlement at ' || s.feed_position || '.'
      else 'Settled at ' || to_char(s.settled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC, in the feed at '
        || to_char(f.occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC.' end, 'record', s.settlement_id::text
  from settlements s left join feed_items f on f.operator_id = s.operator_id and f.position = s.feed_position
    and f.type = 'position.settled' and f.item_id = s.settlement_id and f.position_id = s.position_id
  where s.operator_id = p_operator_id
    -- older settlements read the clock a moment after their item did
    and (f.position is null or s.settled_at not between f.occurred_at - interval '10 seconds' and f.occurred_at + interval '10 seconds')
  order by s.settlement_id limit 100)
  union all
  (select 'settlement_once', case when r.recorded_at < now() - interval '24 hours' then 'critical' else 'warning' end,
    'The contract resolved ' || c.resolution || ' at ' || to_char(r.recorded_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC and the position is open'
      || case when p.held_quantity > 0 then '; ' || micro_number(p.held_quantity) || ' contracts are held back for a sell' else '' end || '.',
    'record', p.position_id::text
  from positions p
    join contracts c on c.contract_id = p.contract_id and c.resolution is not null
    cross join lateral (select max(x.recorded_at) as recorded_at from contract_resolutions x where x.contract_id = c.contract_id and x.applied) r
  where p.operator_id = p_operator_id and p.status = 'open' and greatest(r.recorded_at, p.opened_at) < now() - interval '15 minutes'
  order by p.position_id limit 100)
$$;

-- `settlement_amount`: credit, outcome and profit worked out again (rulings 1 "Settlement") with arithmetic of its own, from
-- the position and from what resolved it: the version of the contract's resolutions that the settlement names, or the request
-- of a sandbox tester.
create or replace function check_settlement_amount(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe as $$
  with asked as materialized (
    select t.position_id, t.resolution from sandbox_resolutions t where t.operator_id = p_operator_id
  ), judged as (
    select s.*, r.resolved, case s.resolution
        when 'VOID' then s.cost_basis_minor::numeric
        when 'SPLIT' then floor(s.quantity::numeric * case when s.side = 'YES' then s.yes_worth_micros else 1000000 - s.yes_worth_micros end / 10000000000)
        else case when s.resolution = s.side then floor(s.quantity::numeric / 10000) else 0 end end as credit,
      case when s.resolution in ('VOID', 'SPLIT') then 'void' when s.resolution = s.side then 'won' else 'lost' end as expected_outcome
    from settlements s
      left join asked a on a.position_id = s.position_id
      left join contract_resolutions x on x.contract_id = s.contract_id and x.version = s.resolution_version
      cross join lateral (select case
        -- asked for by a sandbox tester, for this position alone
        when s.resolution_version is null then coalesce(case a.resolution when 'VOID' then s.resolution = 'VOID' when 'WIN' then s.resolution = s.side
          when 'LOSS' then s.resolution in ('YES', 'NO') and s.resolution <> s.side end, false)
        else coalesce(x.applied and x.resolution = s.resolution and x.split_yes_micros is not distinct from s.yes_worth_micros, false) end as resolved) r
    where s.operator_id = p_operator_id and s.feed_position > p_base
  )
  select 'settlement_amount', 'critical', case
      when not j.resolved then 'Settled as ' || j.resolution || ', which ' || case when j.resolution_version is null then 'nobody asked for.' else 'was not its contract’s resolution.' end
      else 'Paid ' || minor_text(j.settlement_credit_minor + j.void_credit_minor) || ' as ' || j.outcome || '; ' || j.resolution || ' is worth '
        || minor_text(j.credit) || ' as ' || j.expected_outcome || '.' end, 'record', j.settlement_id::text
  from judged j left join positions p on p.operator_id = p_operator_id and p.position_id = j.position_id
  where not j.resolved
    or j.outcome <> j.expected_outcome
    or case when j.expected_outcome = 'void' then j.void_credit_minor else j.settlement_credit_minor end <> j.credit
    or case when j.expected_outcome = 'void' then j.settlement_credit_minor else j.void_credit_minor end <> 0
    or j.realised_pnl_minor <> j.credit - j.cost_basis_minor
    or j.lifetime_realised_pnl_minor <> p.realised_pnl_minor
    or (j.side, j.contract_id::text, j.external_user_id) <> (p.side, p.contract_id::text, p.external_user_id)
  order by j.settlement_id limit 100
$$;
