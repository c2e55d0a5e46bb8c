-- Moves orders along their states. TypeScript calls move_orders, the last function; the others are
-- its steps and rules that it shares.

-- How many live buys were transmitted in the last 24 hours, of one customer or (null) of the whole
-- operator. They are not counted if there is no cap.
create or replace function live_orders(p_operator_id text, p_external_user_id text, p_cap integer)
returns bigint language plpgsql stable as $$
begin
  if p_cap is null then
    return 0;
  end if;
  return (select count(*) from orders
    where operator_id = p_operator_id
      and (p_external_user_id is null or external_user_id = p_external_user_id)
      and transmitted_at > now() - interval '24 hours' and action = 'buy' and not simulated);
end $$;

-- The average price of contracts in micro-dollars, rounded half up, from the sum of quantity times
-- price over their fills. For display: no amount is computed from it. test/trading/
-- average-price.test.ts holds it equal to src/money/exit.ts. PostgreSQL inlines it.
create or replace function average_price(p_price_weight numeric, p_quantity_micros bigint)
returns bigint language sql immutable parallel safe as $$
  select div(2 * p_price_weight + p_quantity_micros, 2 * p_quantity_micros::numeric)::bigint
$$;

-- Takes the locks that move_orders needs before it checks anything: the customers' rows, then the
-- operators' totals of exposure, each kind in one global order. The operators' ledgers follow
-- last, in append_to_journal. Runs under the planner settings of its caller.
create or replace function lock_move_rows(p_operator_id text, p_orders order_row[],
  p_effects order_effects[], p_begins boolean, p_exposes boolean
) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  perform 1 from unnest(p_orders) command
    join customers customer on customer.operator_id = coalesce(v_operator, command.operator_id)
      and customer.external_user_id = command.external_user_id
  order by customer.operator_id, customer.external_user_id for no key update of customer;
  if p_begins then
    -- a row that does not exist cannot be locked: without it, the first orders of an operator would
    -- not see each other
    insert into exposures (operator_id, external_user_id)
    select distinct command.operator_id, '' from unnest(p_orders, p_effects) command
    where command.begins order by 1 on conflict do nothing;
  end if;
  if p_begins or p_exposes then
    perform 1 from (select distinct command.operator_id from unnest(p_orders, p_effects) command
        where command.exposure_minor <> 0 or command.begins) command
      join exposures exposure on exposure.operator_id = coalesce(v_operator, command.operator_id)
        and exposure.external_user_id = ''
    order by exposure.operator_id for update of exposure;
  end if;
end $$;

-- By how much each transition of a batch changes the exposure, in the order of the commands. It
-- reads the positions before they move: a fee that is taken back, or that arrives after the
-- contracts were sold, is not an exposure of the contracts still held. Runs under the planner
-- settings of its caller.
create or replace function exposure_changes(p_operator_id text, p_orders order_row[],
  p_effects order_effects[]) returns bigint[] language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_changes bigint[];
begin
  select array_agg(command.exposure_minor + case
      when command.add_quantity_micros > 0 and command.add_fees_minor < 0
        then greatest(0, -command.add_fees_minor - coalesce((
          select position.entry_fees_minor from positions position
          where position.operator_id = coalesce(v_operator, command.operator_id)
            and position.external_user_id = command.external_user_id
            and position.contract_id = command.contract_id and position.side = command.side
            and position.simulated = command.simulated and position.status = 'open'), 0))
      when coalesce(command.add_quantity_micros, 0) = 0 and command.add_cost_minor <> 0 and exists (
          select from positions position
          where position.operator_id = coalesce(v_operator, command.operator_id)
            and position.position_id = command.position_id and position.status <> 'open')
        then -command.add_cost_minor
      else 0 end order by command.ordinality)
  into v_changes
  from unnest(p_orders, p_effects) with ordinality command;
  return v_changes;
end $$;

-- Writes accepted transitions to their orders: everything of an order that may change. Its terms
-- never do. Runs under the planner settings of its caller.
create or replace function update_orders(p_operator_id text, p_orders order_row[],
  p_effects order_effects[], p_codes text[], p_position_ids text[], p_moved_at timestamptz
) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  update orders recorded set
    status = command.status, transmission_state = command.transmission_state,
    filled_quantity_micros = command.filled_quantity_micros, price_weight = command.price_weight,
    trade_minor = command.trade_minor, platform_fee_minor = command.platform_fee_minor,
    venue_fee_minor = command.venue_fee_minor, venue_fee_known = command.venue_fee_known,
    position_id = command.moved_position_id, reject_reason = command.reject_reason,
    reserve_reference = command.reserve_reference, cancellation_id = command.cancellation_id,
    cancel_reason = command.cancel_reason,
    reserve_confirmed_at = coalesce(recorded.reserve_confirmed_at,
      case when command.status = 'pending_venue_execution' then p_moved_at end),
    cancelled_at = coalesce(recorded.cancelled_at,
      case when command.cancellation_id is not null then p_moved_at end),
    transmitted_at = case when command.begins then p_moved_at else recorded.transmitted_at end,
    updated_at = p_moved_at, version = recorded.version + 1
  -- the place in an array as a separate column: Citus cannot write it as a value of an update
  from (select given.*, p_position_ids[given.ordinality] as moved_position_id
    from unnest(p_orders, p_effects) with ordinality given) command
  where p_codes[command.ordinality] is null
    and recorded.operator_id = coalesce(v_operator, command.operator_id)
    and recorded.external_user_id = command.external_user_id
    and recorded.order_id = command.order_id;
end $$;

-- Raises IN005 unless the fills of accepted transitions equal the growth of their orders. Otherwise
-- a recorded fill would be recorded again, by a transition that was decided on fills which were
-- read too early. Runs under the planner settings of its caller.
create or replace function refuse_repeated_fills(p_operator_id text, p_orders order_row[],
  p_codes text[], p_journal journal_row[], p_commands integer[]) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  if exists (
      select from unnest(p_orders) with ordinality command
        cross join lateral (
          select placed.filled_quantity_micros from orders placed
          where placed.operator_id = coalesce(v_operator, command.operator_id)
            and placed.order_id = command.order_id
          order by placed.operator_id, placed.order_id limit 1) recorded
        left join (
          select p_commands[entry.ordinality] as number,
            sum(entry.quantity_micros) as quantity_micros
          from unnest(p_journal) with ordinality entry where entry.kind = 'order_filled'
          group by 1) told on told.number = command.ordinality
      where p_codes[command.ordinality] is null and command.filled_quantity_micros > 0
        and command.filled_quantity_micros - recorded.filled_quantity_micros
          <> coalesce(told.quantity_micros, 0)) then
    raise exception 'a fill that is recorded was to be recorded again' using errcode = 'IN005';
  end if;
end $$;

-- Moves a batch of orders along their states: a reserve is confirmed, an order is withdrawn, a
-- transmission begins, a venue has responded. A command is the order's row after the transition,
-- with the version that it was decided on, and its effects (docs/ledger.md, "The write path"). It
-- is checked again against the committed state and then written with its attempt, position,
-- exposure and rows of the journal, or it is refused with a code and not written. The caller puts
-- at most one command of a customer into a batch. Locks: customers, operators' totals of exposure,
-- positions and orders by key, customers' exposure, operators' ledgers (in append_to_journal). Rows
-- of the journal and markets travel beside the commands, as in place_orders.
create or replace function move_orders(
  p_operator_id text, p_orders order_row[], p_effects order_effects[], p_journal journal_row[],
  p_commands integer[], p_markets known_market[] default null
) returns table (number integer, code text, version bigint, moved_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  v_operator text := nullif(p_operator_id, '');
  v_codes text[];
  v_exposures bigint[];
  v_position_ids text[];
  v_moved_at timestamptz;
  -- a step that no command of the batch needs is left out
  v_begins boolean;
  v_exposes boolean;
  v_commits boolean;
  v_answers boolean;
  v_filled boolean;
begin
  perform hold_in_place(p_operator_id);
  select bool_or(command.begins),
    -- a fee that a position no longer carries changes the exposure too (exposure_changes)
    bool_or(command.exposure_minor <> 0 or command.add_fees_minor < 0
      or (coalesce(command.add_quantity_micros, 0) = 0 and command.add_cost_minor <> 0)),
    bool_or(command.collateral_minor > 0),
    bool_or(command.attempt is null and command.attempt_state is not null),
    bool_or(command.filled_quantity_micros > 0)
  into v_begins, v_exposes, v_commits, v_answers, v_filled
  from unnest(p_orders, p_effects) command;

  -- it would be looked up among the rows of the operator that is named
  if exists (select from unnest(p_orders) command where command.operator_id <> v_operator) then
    raise exception 'an order of another operator' using errcode = '22023';
  end if;

  perform lock_move_rows(p_operator_id, p_orders, p_effects, v_begins, v_exposes);
  v_moved_at := clock_timestamp();

  if v_begins then
    p_markets := markets_of(array(select command.contract_id from unnest(p_orders) command),
      p_markets, v_moved_at);
  end if;
  v_codes := move_refusals(p_operator_id, p_orders, p_effects, p_markets);
  if v_commits or v_begins then
    v_codes := settle_order_races(p_orders, p_effects, v_codes, false);
  end if;

  if v_filled then
    perform refuse_repeated_fills(p_operator_id, p_orders, v_codes, p_journal, p_commands);
  end if;
  if v_exposes then
    v_exposures := exposure_changes(p_operator_id, p_orders, p_effects);
  end if;
  v_position_ids := move_positions(p_operator_id, p_orders, p_effects, v_codes, v_moved_at);
  perform update_orders(p_operator_id, p_orders, p_effects, v_codes, v_position_ids, v_moved_at);
  if v_begins then
    perform begin_attempts(p_orders, p_effects, v_codes, v_moved_at);
  end if;
  if v_answers then
    perform record_answers(p_operator_id, p_orders, p_effects, v_codes, v_moved_at);
  end if;
  if v_exposes then
    perform add_exposures(p_operator_id, array_agg(command.operator_id::text),
      array_agg(command.external_user_id), array_agg(v_exposures[command.ordinality]))
    from unnest(p_orders) with ordinality command
    where v_codes[command.ordinality] is null and v_exposures[command.ordinality] <> 0;
  end if;
  perform append_to_journal(p_operator_id, p_journal, p_commands, v_codes, v_position_ids,
    v_moved_at);

  return query
    select command.ordinality::integer, v_codes[command.ordinality], command.version + 1,
      v_moved_at
    from unnest(p_orders) with ordinality command order by command.ordinality;
end $$;
