-- Places orders: the facts for the decision (order_basis), and the batch that records the decided
-- orders (place_orders).

-- The facts on which orders are decided, one row for each request: the customer's quote, an earlier
-- order of the same key, the position that a sell exits (a simulated sell exits a simulated one),
-- and the scenario that would apply. Reads only; place_orders checks all of it again.
create or replace function order_basis(p_operator_id text, p_operator_ids text[],
  p_external_user_ids text[], p_quote_ids text[], p_client_order_ids text[], p_simulates boolean[])
returns table (
  number bigint, customer_suspended boolean, existing_order_id id, quote_id id,
  contract_id id, side text, action text,
  price_micros bigint, fee_bps integer, authorization_minor bigint, fee_minor bigint,
  trade_minor bigint, quantity_micros bigint,
  simulated boolean, venue text, routing_reason text, considered_venues integer, levels jsonb,
  position_id id,
  position_quantity_micros bigint,
  cost_basis_minor bigint, entry_fees_minor bigint, price_weight numeric,
  average_price_micros bigint, position_version bigint,
  scenario_id id, fill_fraction numeric, fill_amount_minor bigint
) language plpgsql stable as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_now timestamptz := now();
begin
  return query select request.n, coalesce(customer.status = 'suspended', false), order_row.order_id,
    quote.quote_id, quote.contract_id, quote.side, quote.action,
    quote.price_micros, quote.fee_bps, quote.authorization_minor, quote.fee_minor,
      quote.trade_minor, quote.quantity_micros,
    quote.simulated, quote.venue, quote.routing_reason, quote.considered_venues, quote.levels,
      position.position_id, position.quantity_micros,
    position.cost_basis_minor, position.entry_fees_minor, position.price_weight,
      position.average_price_micros, position.version,
    armed.scenario_id, armed.fill_fraction, armed.fill_amount_minor
  from unnest(p_operator_ids, p_external_user_ids, p_quote_ids, p_client_order_ids, p_simulates)
      with ordinality as request(operator_id, external_user_id, quote_id, client_order_id,
        simulates, n)
    left join customers customer on customer.operator_id = coalesce(v_operator, request.operator_id)
      and customer.external_user_id = request.external_user_id
    left join orders order_row on order_row.operator_id = coalesce(v_operator, request.operator_id)
      and order_row.external_user_id = request.external_user_id
      and order_row.client_order_id = request.client_order_id
    left join quotes quote on quote.operator_id = coalesce(v_operator, request.operator_id)
      and quote.quote_id = request.quote_id and quote.external_user_id = request.external_user_id
    left join lateral (
      select open.* from positions open
      where quote.action = 'sell' and open.operator_id = coalesce(v_operator, request.operator_id)
        and open.external_user_id = request.external_user_id
        and open.contract_id = quote.contract_id and open.side = quote.side
          and open.simulated = (quote.simulated or request.simulates)
          and open.status = 'open' limit 1) position on true
    left join lateral (
      select scenario.scenario_id, scenario.fill_fraction, scenario.fill_amount_minor
        from scenarios scenario
      where scenario.operator_id = coalesce(v_operator, request.operator_id)
        and scenario.consumed_by is null
        and scenario.disarmed_at is null and scenario.expires_at > v_now
        and (scenario.client_order_id is null or scenario.client_order_id = request.client_order_id)
      order by scenario.client_order_id is null, scenario.scenario_id limit 1) armed on true;
end $$;

-- Takes the locks that place_orders needs before it checks anything: the customers' rows, then the
-- scenarios that the commands want to use. Each kind is locked in one global order, so two batches
-- never wait for each other in a circle. The operators' ledgers follow last, in append_to_journal.
create or replace function lock_order_rows(p_operator_id text, p_orders order_row[],
  p_scripted boolean) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  perform 1 from unnest(p_orders) command
    join customers customer on customer.operator_id = coalesce(v_operator, command.operator_id)
      and customer.external_user_id = command.external_user_id
  order by customer.operator_id, customer.external_user_id for no key update of customer;
  if p_scripted then
    perform 1 from (select distinct command.operator_id, command.scenario_id
        from unnest(p_orders) command) command
      join scenarios scenario on scenario.operator_id = coalesce(v_operator, command.operator_id)
        and scenario.scenario_id = command.scenario_id
    order by scenario.operator_id, scenario.scenario_id for update of scenario;
  end if;
end $$;

-- Writes accepted orders, which spends their quotes: the index orders_quote has one order a quote.
-- Only the position and the times are given here.
create or replace function insert_orders(
  p_orders order_row[], p_codes text[], p_position_ids text[], p_placed_at timestamptz
) returns void language plpgsql as $$
declare
  v_place integer := 0;
  v_order order_row;
  v_rows order_row[] := '{}';
begin
  foreach v_order in array p_orders loop
    v_place := v_place + 1;
    continue when p_codes[v_place] is not null;
    v_order.position_id := p_position_ids[v_place];
    v_order.created_at := p_placed_at;
    v_order.updated_at := p_placed_at;
    if v_order.status = 'pending_venue_execution' then
      v_order.reserve_confirmed_at := p_placed_at;
    end if;
    v_rows := v_rows || v_order;
  end loop;
  insert into orders select * from unnest(v_rows);
end $$;

-- Records the orders of a batch: POST /orders. A command is an order's row and its effects
-- (docs/ledger.md, "The write path"). It is checked again against the committed state and then
-- written with its position and rows of the journal, or it is refused with a code and not written.
-- The caller puts at most one command of a customer into a batch. So the customers' rows, which are
-- locked first, guard their quotes, wallets, positions and limits. Locks: customers, scenarios,
-- positions by key, operators' ledgers (in append_to_journal). Rows of the journal travel beside
-- the commands; p_commands has the number of each row's command. p_markets has the market of each
-- command if the caller read them (markets_of). The order of the arrays identifies a command
-- everywhere. Measured: as one body or in these steps, a batch takes the same time.
create or replace function place_orders(
  p_operator_id text, p_orders order_row[], p_effects order_effects[], p_journal journal_row[],
  p_commands integer[], p_markets known_market[] default null
) returns table (
  number integer, code text, order_id text, position_id text, created_at timestamptz, limits json
) language plpgsql as $$
#variable_conflict use_column
declare
  v_operator text := nullif(p_operator_id, '');
  v_codes text[];
  v_limits json[];
  v_order_ids text[];
  v_position_ids text[];
  v_placed_at timestamptz;
  v_elsewhere boolean;
  v_dated boolean;
  -- a step that no command of the batch needs is left out
  v_scripted boolean;
  v_commits boolean;
begin
  perform hold_in_place(p_operator_id);
  select bool_or(command.scenario_id is not null), bool_or(command.collateral_minor > 0),
    bool_or(command.operator_id <> v_operator),
    bool_or(command.order_id < id_at('ord', clock_timestamp() - interval '30 minutes'))
  into v_scripted, v_commits, v_elsewhere, v_dated
  from unnest(p_orders, p_effects) command;

  -- it would be looked up among the rows of the operator that is named
  if v_elsewhere then
    raise exception 'an order of another operator' using errcode = '22023';
  end if;
  -- broken_limits would not count it, because it reads orders by the time in their ids
  if v_dated then
    raise exception 'an order has an id of half an hour ago: the clock of its process is wrong'
      using errcode = '22023';
  end if;

  perform lock_order_rows(p_operator_id, p_orders, v_scripted);
  v_placed_at := clock_timestamp();

  select checked.codes, checked.limits, checked.order_ids into v_codes, v_limits, v_order_ids
  from order_refusals(p_operator_id, p_orders, p_effects,
    markets_of(array(select command.contract_id from unnest(p_orders) command), p_markets,
      v_placed_at), v_placed_at) checked;
  if v_commits or v_scripted then
    v_codes := settle_order_races(p_orders, p_effects, v_codes, v_scripted);
  end if;

  if v_scripted then
    update scenarios scenario set consumed_by = command.order_id
    from unnest(p_orders) with ordinality command
    where v_codes[command.ordinality] is null and command.scenario_id is not null
      and scenario.operator_id = coalesce(v_operator, command.operator_id)
      and scenario.scenario_id = command.scenario_id;
  end if;
  v_position_ids := move_positions(p_operator_id, p_orders, p_effects, v_codes, v_placed_at);
  perform insert_orders(p_orders, v_codes, v_position_ids, v_placed_at);
  perform append_to_journal(p_operator_id, p_journal, p_commands, v_codes, v_position_ids,
    v_placed_at);

  return query
    select command.ordinality::integer, v_codes[command.ordinality],
      coalesce(v_order_ids[command.ordinality], command.order_id),
      v_position_ids[command.ordinality], v_placed_at, v_limits[command.ordinality]
    from unnest(p_orders) with ordinality command order by command.ordinality;
end $$;

-- Takes and gives back the weakest lock that an order needs of each table which it reads or writes.
-- Health calls it: a table that another session has locked stops all orders, although the database
-- responds. Fails with 55P03 if a lock is not free in time. Only the owner may lock the journal on
-- every release of PostgreSQL, so the function runs with its rights and takes no argument.
create or replace function try_order_locks() returns void language plpgsql security definer
-- The search path is fixed, because the function runs with the owner's rights. The lock timeout is
-- short, because health has two seconds.
set search_path = public, pg_temp set lock_timeout = '500ms' as $$
begin
  lock table api_keys, operators, contracts in access share mode;
  lock table quotes, customers, scenarios, wallets, orders, positions, position_holdings, exposures,
    operator_ledgers, journal in row exclusive mode;
end $$;
