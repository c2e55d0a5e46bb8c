-- `settlement_once`: every settled position has one settlement, one ledger entry and one item of the feed, and no other has.
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
  (select 'settlement_once', 'critical', 'The feed has no such settlement at ' || s.feed_position || '.', 'record', s.settlement_id::text
  from settlements s left join feed_items f on f.operator_id = s.operator_id and f.position = s.feed_position
    and f.type = 'position.settled' and f.item_id = s.settlement_id and f.position_id = s.position_id
  where s.operator_id = p_operator_id and f.position is null
  order by s.settlement_id limit 100)
$$;

-- `settlement_amount`: credit, outcome and profit worked out again from the resolution (rulings 1 "Settlement"), with
-- arithmetic of its own.
create or replace function check_settlement_amount(p_operator_id text, p_base bigint) returns setof finding language sql stable parallel safe as $$
  select 'settlement_amount', 'critical', 'Paid ' || minor_text(x.settlement_credit_minor + x.void_credit_minor) || ' as ' || x.outcome || '; '
    || x.resolution || ' is worth ' || minor_text(x.credit) || ' as ' || x.expected_outcome || '.', 'record', x.settlement_id::text
  from (
    select s.*, case s.resolution
        when 'VOID' then s.cost_basis_minor::numeric
        when 'SPLIT' then floor(s.quantity::numeric * case when s.side = 'YES' then s.yes_worth_micros else 1000000 - s.yes_worth_micros end / 10000000000)
        else case when s.resolution = s.side then floor(s.quantity::numeric / 10000) else 0 end end as credit,
      case when s.resolution in ('VOID', 'SPLIT') then 'void' when s.resolution = s.side then 'won' else 'lost' end as expected_outcome
    from settlements s where s.operator_id = p_operator_id and s.feed_position > p_base
  ) x left join positions p on p.operator_id = p_operator_id and p.position_id = x.position_id
  where x.outcome <> x.expected_outcome
    or case when x.expected_outcome = 'void' then x.void_credit_minor else x.settlement_credit_minor end <> x.credit
    or case when x.expected_outcome = 'void' then x.settlement_credit_minor else x.void_credit_minor end <> 0
    or x.realised_pnl_minor <> x.credit - x.cost_basis_minor
    or x.lifetime_realised_pnl_minor <> p.realised_pnl_minor
  order by x.settlement_id limit 100
$$;
