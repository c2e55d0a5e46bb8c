-- Issues quotes. quote_weeks.sql keeps and removes them.

-- Records the quotes of a batch: POST /quotes. Each command is checked against the committed state
-- and written, or it is refused with the code of the first check that fails (contract 10.11) and
-- not written. After `book_changed` the caller has to price again, because its book is older than
-- the committed one. The caller has computed all amounts. Takes no lock but that of new customers.
create or replace function issue_quotes(p_operator_id text, p_commands quote_command[],
  p_markets known_market[] default null)
returns table (number integer, code text, limits json, expires_at timestamptz)
language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_codes text[];
  v_broken json[];
  -- by the numbers of the commands
  v_markets text[];
  v_revisions bigint[];
  v_issued_at timestamptz := clock_timestamp();
  v_written integer;
begin
  perform hold_in_place(p_operator_id);
  if v_operator is not null
    and exists (select from unnest(p_commands) command where command.operator_id <> v_operator) then
    raise exception 'a quote of another operator' using errcode = '22023';
  end if;

  perform create_customers(p_operator_id, array_agg(command.operator_id),
    array_agg(command.external_user_id))
  from unnest(p_commands) command where command.refusal is null;
  select array_agg(market_state(market.status, market.trading_closed, market.closes_at, v_issued_at)
      order by market.ordinality),
    array_agg(market.book_revision order by market.ordinality)
  into v_markets, v_revisions
  from unnest(markets_of(array(select command.contract_id from unnest(p_commands) command),
    p_markets, v_issued_at)) with ordinality market;
  v_broken := broken_limits(p_operator_id, p_commands, v_issued_at);

  select array_agg(checked.code order by checked.number) into v_codes
  from (
    select command.ordinality as number, case
      when customer.status = 'suspended' then 'user_suspended'
      when operator.trading_paused then 'trading_paused'
      when v_markets[command.ordinality] = 'ended' then 'market_not_open'
      -- a refusal that was made on an older board is not returned
      when command.refusal is not null and v_revisions[command.ordinality]
        is distinct from command.book_revision then 'book_changed'
      when command.refusal in ('market_paused', 'market_not_open')
        and v_markets[command.ordinality] = 'open' then 'book_changed'
      when v_markets[command.ordinality] = 'paused' then 'market_paused'
      when v_markets[command.ordinality] = 'closed' then 'market_not_open'
      when command.refusal is not null then command.refusal
      when v_markets[command.ordinality] is null then 'market_not_found'
      when v_revisions[command.ordinality] <> command.book_revision then 'book_changed'
      when not jurisdiction_permits(operator.jurisdiction_mode, operator.permitted_countries,
        operator.jurisdiction_allow_exits, customer.country, command.action)
        then 'jurisdiction'
      when v_broken[command.ordinality] is not null then 'limits'
      when command.action = 'sell' and command.quantity_micros > coalesce(held.free, 0)
        then 'insufficient_position'
      end as code
    from unnest(p_commands) with ordinality command
      join operators operator on operator.operator_id = coalesce(v_operator, command.operator_id)
      left join customers customer
        on customer.operator_id = coalesce(v_operator, command.operator_id)
        and customer.external_user_id = command.external_user_id
      -- a live tenant's order may be live or simulated, which only the order shows: either position
      -- will do here
      left join lateral (
        select max(case when position.simulated
          then position.quantity_micros - position.held_quantity_micros
          else holding.quantity_micros - holding.held_quantity_micros end) as free
        from positions position left join position_holdings holding
          on not position.simulated
            and holding.operator_id = coalesce(v_operator, command.operator_id)
            and holding.position_id = position.position_id and holding.venue = command.venue
        where command.action = 'sell'
          and position.operator_id = coalesce(v_operator, command.operator_id)
          and position.external_user_id = command.external_user_id
          and position.contract_id = command.contract_id and position.side = command.side
            and (position.simulated or not command.simulated) and position.status = 'open') held
            on true
  ) checked;

  insert into quotes (operator_id, quote_id, external_user_id, contract_id, side, action,
    price_micros, fee_bps, authorization_minor,
    fee_minor, trade_minor, quantity_micros, simulated, venue, routing_reason, considered_venues,
    levels, created_at, expires_at)
  select command.operator_id, command.quote_id, command.external_user_id, command.contract_id,
    command.side, command.action, command.price_micros, command.fee_bps,
    command.authorization_minor,
    command.fee_minor, command.trade_minor, command.quantity_micros, command.simulated,
    command.venue, command.routing_reason, command.considered_venues, command.levels,
    v_issued_at, v_issued_at + make_interval(secs => command.hold_seconds)
  from unnest(p_commands) with ordinality command where v_codes[command.ordinality] is null
  on conflict do nothing;
  get diagnostics v_written = row_count;

  -- a caller whose response was lost repeats a quote: the first row holds, and its expiry
  return query
    select command.ordinality::integer, v_codes[command.ordinality], v_broken[command.ordinality],
      coalesce((select kept.expires_at from quotes kept
        where v_written < cardinality(array_positions(v_codes, null))
          and kept.operator_id = coalesce(v_operator, command.operator_id)
          and kept.quote_id = command.quote_id),
        v_issued_at + make_interval(secs => command.hold_seconds))
    from unnest(p_commands) with ordinality command order by command.ordinality;
end $$;
