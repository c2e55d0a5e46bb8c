-- The checks of an order, which are the longest step of place_orders.

-- Checks each command of a batch against the committed state and returns, in the order of the
-- commands, the code of the first check that fails, or null. `replay` names an earlier order of the
-- same key and `created` one that an earlier call with this very command wrote. After
-- `quote_changed`, `book_changed`, `position_changed` and `scenario_changed` the caller has to
-- decide again. The caller holds the locks of lock_order_rows, and passes the markets of the
-- commands.
create or replace function order_refusals(
  p_operator_id text, p_orders order_row[], p_effects order_effects[],
  p_markets known_market[], p_placed_at timestamptz,
  out codes text[], out limits json[], out order_ids text[]
) language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  -- by the numbers of the commands
  v_markets text[];
  v_revisions bigint[];
  v_place integer := 0;
  v_order order_row;
  v_account operators;
  -- which live buys exceed a cap
  v_capped boolean[] := '{}';
begin
  select array_agg(market_state(market.status, market.trading_closed, market.closes_at, p_placed_at)
      order by market.ordinality),
    array_agg(market.book_revision order by market.ordinality)
  into v_markets, v_revisions
  from unnest(p_markets) with ordinality market;
  limits := broken_limits(p_operator_id, p_orders, p_placed_at);
  foreach v_order in array p_orders loop
    v_place := v_place + 1;
    continue when v_order.intent <> 'record_intent' or v_order.action <> 'buy';
    select * into v_account from operators account
    where account.operator_id = v_order.operator_id;
    v_capped[v_place] := v_account.mode = 'live' and exposure_exceeded(v_account,
      v_order.external_user_id, v_order.authorization_minor);
  end loop;
  select array_agg(checked.code order by checked.number),
    array_agg(checked.order_id order by checked.number)
  into codes, order_ids
  from (
    select command.ordinality as number,
      coalesce(earlier.order_id, spent.order_id) as order_id,
      case
      -- the key
      when earlier.order_id = command.order_id then 'created'
      when earlier.quote_id <> command.quote_id then 'idempotency_conflict'
      when earlier.order_id is not null then 'replay'
      -- the operator and the customer
      when operator.status <> 'active' then 'operator_suspended'
      when customer.status = 'suspended' then 'user_suspended'
      when operator.trading_paused then 'trading_paused'
      -- the quote
      when quote.quote_id is null or quote.external_user_id <> command.external_user_id
        then 'quote_not_found'
      when spent.order_id is not null then 'quote_already_used'
      when quote.expires_at <= p_placed_at then 'quote_expired'
      when (quote.contract_id, quote.side, quote.action, quote.price_micros, quote.fee_bps,
          quote.authorization_minor, quote.fee_minor, quote.trade_minor, quote.quantity_micros,
          quote.venue)
        is distinct from (command.contract_id, command.side, command.action, command.price_micros,
          command.fee_bps, command.authorization_minor, command.quoted_fee_minor,
          command.quoted_trade_minor, command.quoted_quantity_micros, command.venue)
        then 'quote_changed'
      -- the market and its book
      when v_markets[command.ordinality] is null then 'market_unavailable'
      when v_markets[command.ordinality] = 'paused' then 'market_unavailable'
      when v_markets[command.ordinality] <> 'open' then 'market_not_open'
      -- a sandbox position whose requested result waits for a sell takes no more
      when command.action = 'buy' and operator.mode = 'sandbox' and exists (
          select from sandbox_resolutions request
            join positions position
              on position.operator_id = coalesce(v_operator, command.operator_id)
              and position.position_id = request.position_id
          where request.operator_id = coalesce(v_operator, command.operator_id)
            and request.waiting
            and position.external_user_id = command.external_user_id
            and position.contract_id = command.contract_id and position.side = command.side
            and position.status = 'open') then 'market_not_open'
      when command.refusal is not null
        and v_revisions[command.ordinality] is distinct from command.book_revision
        then 'book_changed'
      when command.refusal is not null then command.refusal
      when v_revisions[command.ordinality] <> command.book_revision then 'book_changed'
      -- jurisdiction, limits and caps
      when not jurisdiction_permits(operator.jurisdiction_mode, operator.permitted_countries,
          operator.jurisdiction_allow_exits, customer.country, command.action) then 'jurisdiction'
      when limits[command.ordinality] is not null then 'limits'
      when v_capped[command.ordinality] then 'over_tenant_exposure'
      when command.late_refusal is not null then command.late_refusal
      -- the uses of the order: a position, money of the wallet, a scenario
      when command.action = 'sell' and command.status <> 'rejected'
        and (coalesce(held.free, -1) < command.quoted_quantity_micros or not command.simulated
          and coalesce(stored.free, 0) < command.quoted_quantity_micros)
        then 'insufficient_position'
      when command.action = 'sell' and command.status <> 'rejected'
        and held.version <> command.position_version then 'position_changed'
      when command.wallet_minor > 0 and coalesce(-wallet.available, 0) < command.wallet_minor
        then 'insufficient_funds'
      when command.scenario_id is distinct from (
          select scenario.scenario_id from scenarios scenario
          where scenario.operator_id = coalesce(v_operator, command.operator_id)
            and scenario.consumed_by is null
            and scenario.disarmed_at is null and scenario.expires_at > p_placed_at
            and (scenario.client_order_id is null
              or scenario.client_order_id = command.client_order_id)
            -- an intent takes a scenario only if its reserve is confirmed together with it
            and command.status not in ('rejected', 'reserve_pending')
          order by scenario.client_order_id is null, scenario.scenario_id limit 1)
        then 'scenario_changed'
      end as code
    from unnest(p_orders, p_effects) with ordinality command
      join operators operator on operator.operator_id = coalesce(v_operator, command.operator_id)
      left join customers customer
        on customer.operator_id = coalesce(v_operator, command.operator_id)
        and customer.external_user_id = command.external_user_id
      -- laterals with a limit: the plan is made on tables that may be empty, and a join would read
      -- all of a table that has grown since, once a call. The order of a key names its index: on
      -- empty tables any other that has the operator would do as well.
      left join lateral (
        select placed.order_id, placed.quote_id from orders placed
        where placed.operator_id = coalesce(v_operator, command.operator_id)
          and placed.external_user_id = command.external_user_id
          and placed.client_order_id >= command.client_order_id
          and placed.client_order_id <= command.client_order_id
        order by placed.operator_id, placed.external_user_id, placed.client_order_id
        limit 1) earlier on true
      left join lateral (
        select issued.* from quotes issued
        where issued.operator_id = coalesce(v_operator, command.operator_id)
          and issued.quote_id = command.quote_id limit 1) quote on true
      left join lateral (
        select placed.order_id from orders placed
        where placed.operator_id = coalesce(v_operator, command.operator_id)
          and placed.quote_id >= command.quote_id and placed.quote_id <= command.quote_id
        order by placed.quote_id limit 1) spent on true
      -- the contracts of an exit; a purchase looks nothing up
      left join lateral (
        select open.quantity_micros - open.held_quantity_micros as free, open.version
        from positions open
        where command.action = 'sell'
          and open.operator_id = coalesce(v_operator, command.operator_id)
          and open.position_id = command.position_id
          and open.simulated = command.simulated and open.status = 'open' limit 1) held on true
      left join lateral (
        select holding.quantity_micros - holding.held_quantity_micros as free
        from position_holdings holding
        where command.action = 'sell'
          and holding.operator_id = coalesce(v_operator, command.operator_id)
          and holding.position_id = command.position_id and holding.venue = command.venue
        limit 1) stored on true
      left join lateral (
        select owned.available from wallets owned
        where command.wallet_minor > 0
          and owned.operator_id = coalesce(v_operator, command.operator_id)
          and owned.external_user_id = command.external_user_id limit 1) wallet on true
  ) checked;
end $$;
