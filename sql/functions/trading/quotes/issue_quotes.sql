-- Records quotes: POST /quotes. Each command is verified against the committed state and written, or answered with the
-- code of the first check that fails (rulings 4) and nothing is written for it. `book_changed` is for the caller alone:
-- the price base is older than the committed book, so price again. Amounts were decided by the caller.
create or replace function issue_quotes(batch json)
returns table (number integer, code text, limits json, expires_at timestamptz) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  commands quote_command[];
  codes text[];
  broken json[];
  issued_at timestamptz := clock_timestamp();
begin
  select array_agg(c order by c.number) into commands from json_populate_recordset(null::quote_command, batch) c;

  perform create_customers(array_agg(q.operator_id), array_agg(q.external_user_id))
  from unnest(commands) q where q.refusal is null;

  select array_agg(v.code order by v.number), array_agg(v.limits order by v.number) into codes, broken
  from (
    select q.number, l.limits, case
      when k.status = 'suspended' then 'user_suspended'
      when o.trading_paused then 'trading_paused'
      when m.closes_at <= issued_at then 'market_not_open'
      -- a refusal that was made on an older board is not answered
      when q.refusal is not null and m.book_revision is distinct from q.book_revision then 'book_changed'
      when q.refusal = 'market_paused' and m.status = 'open' and not m.trading_closed then 'book_changed'
      when q.refusal is not null then q.refusal
      when m.contract_id is null then 'market_not_found'
      when m.status <> 'open' or m.trading_closed then 'market_paused'
      when m.book_revision <> q.book_revision then 'book_changed'
      when not jurisdiction_permits(o.jurisdiction_mode, o.permitted_countries, o.jurisdiction_allow_exits, k.country, q.action)
        then 'jurisdiction'
      when l.limits is not null then 'limits'
      when q.action = 'sell' and q.quantity > coalesce(p.free, 0) then 'insufficient_position'
      end as code
    from unnest(commands) q
      join operators o on o.operator_id = q.operator_id
      left join customers k on k.operator_id = q.operator_id and k.external_user_id = q.external_user_id
      left join contracts m on m.contract_id = q.contract_id
      -- asked only where it can be broken: a call a command costs more than the comparison
      cross join lateral (
        select case when q.action = 'buy' and q.refusal is null and (k.period_hours is not null or o.period_hours is not null
            or q.authorization_minor > least(k.max_wager_minor, o.max_wager_minor, o.max_order_minor))
          then broken_limits(o, k, q.authorization_minor) end as limits) l
      -- a live tenant's order may be live or simulated, which only the order says: either position will do here
      left join lateral (
        select max(case when p.simulated then p.quantity - p.held_quantity else h.quantity - h.held_quantity end) as free
        from positions p left join position_holdings h
          on not p.simulated and h.operator_id = p.operator_id and h.position_id = p.position_id and h.venue = q.venue
        where q.action = 'sell' and p.operator_id = q.operator_id and p.external_user_id = q.external_user_id
          and p.contract_id = q.contract_id and p.side = q.side and (p.simulated or not q.simulated) and p.status = 'open') p on true
  ) v;

  insert into quotes (operator_id, quote_id, external_user_id, contract_id, side, action, price_micros, fee_bps, authorization_minor,
    fee_minor, trade_minor, quantity, payout_minor, simulated, venue, routing_reason, considered_venues, routable, book, created_at, expires_at)
  select q.operator_id, q.quote_id, q.external_user_id, q.contract_id, q.side, q.action, q.price_micros, q.fee_bps, q.authorization_minor,
    q.fee_minor, q.trade_minor, q.quantity, q.payout_minor, q.simulated, q.venue, q.routing_reason, q.considered_venues, q.routable, q.book,
    issued_at, issued_at + make_interval(secs => q.hold_seconds)
  from unnest(commands) q where codes[q.number] is null
  -- repeated by a caller whose answer was lost
  on conflict do nothing;

  return query
    select q.number, codes[q.number], broken[q.number], issued_at + make_interval(secs => q.hold_seconds)
    from unnest(commands) q order by q.number;
end $$;
