-- The steps that placing and moving orders share: races within a batch, and positions.

-- Decides between commands of one batch that want the same thing, in the order of the commands: the
-- operator's collateral, and the room below its overall caps on exposure and on live orders, go to
-- those that fit in; a scenario for any order goes to the first command that wants it, and the
-- later one decides again (p_scripted: commands take scenarios). Returns the codes with these
-- refusals added. Called only for a batch that commits collateral, takes a scenario or begins a
-- transmission.
create or replace function settle_order_races(
  p_orders order_row[], p_effects order_effects[], p_codes text[], p_scripted boolean
) returns text[] language plpgsql as $$
declare
  v_number integer;
begin
  for v_number in
    select unnest(short_of_collateral(array_agg(command.ordinality::integer),
      array_agg(command.operator_id::text), array_agg(command.collateral_minor)))
    from unnest(p_orders, p_effects) with ordinality command
    where p_codes[command.ordinality] is null and command.collateral_minor > 0
  loop
    p_codes[v_number] := 'insufficient_collateral';
  end loop;
  for v_number in
    select unnest(over_total_caps(array_agg(command.ordinality::integer),
      array_agg(command.operator_id::text), array_agg(command.exposure_minor)))
    from unnest(p_orders, p_effects) with ordinality command
    where p_codes[command.ordinality] is null and command.begins and command.adopts is not true
      and command.exposure_minor > 0
  loop
    p_codes[v_number] := 'over_tenant_exposure';
  end loop;
  for v_number in
    select wanted.number
    from (
      select command.ordinality as number, row_number() over (
        partition by command.operator_id, command.scenario_id order by command.ordinality) as rank
      from unnest(p_orders) with ordinality command
      where p_codes[command.ordinality] is null
        and p_scripted and command.scenario_id is not null) wanted
    where wanted.rank > 1
  loop
    p_codes[v_number] := 'scenario_changed';
  end loop;
  return p_codes;
end $$;

-- Applies accepted commands to positions: contracts that were bought open or extend one, contracts
-- that were sold leave one, and a sell that waits for a venue holds contracts back. Live positions
-- also keep how much is held at which venue. Returns the position of each command's order, in the
-- order of the commands. A step that no command needs is left out.
create or replace function move_positions(
  p_operator_id text, p_orders order_row[], p_effects order_effects[], p_codes text[],
  p_at timestamptz
) returns text[] language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_bought record;
  v_customers text[];
  v_buys boolean;
  v_buys_live boolean;
  v_late_fees boolean;
  v_exits boolean;
  v_position_ids text[];
begin
  select bool_or(command.add_quantity_micros > 0),
    bool_or(command.add_quantity_micros > 0 and not command.simulated),
    bool_or(coalesce(command.add_quantity_micros, 0) = 0 and command.add_cost_minor <> 0),
    bool_or(command.take_quantity_micros > 0 or command.hold_quantity_micros <> 0),
    array_agg(command.position_id order by command.ordinality),
    array_agg(command.operator_id || ' ' || command.external_user_id order by command.ordinality)
  into v_buys, v_buys_live, v_late_fees, v_exits, v_position_ids, v_customers
  from unnest(p_orders, p_effects) with ordinality command;

  if v_buys then
    for v_bought in
      insert into positions as position (operator_id, position_id, external_user_id, contract_id,
        side, simulated, quantity_micros, cost_basis_minor, entry_fees_minor, realised_pnl_minor,
        price_weight, average_price_micros, opened_at, updated_at)
      select command.operator_id, command.opens_position_id, command.external_user_id,
        command.contract_id, command.side, command.simulated, command.add_quantity_micros,
        command.add_cost_minor + refund.fees_minor, command.add_fees_minor + refund.fees_minor,
        refund.fees_minor, command.add_weight,
        average_price(command.add_weight, command.add_quantity_micros), p_at, p_at
      from unnest(p_orders, p_effects) with ordinality command
        -- The total of an order's fees may fall with its next fill (a fill whose fee is unknown, or
        -- no room left for it). Fees of contracts that were sold meanwhile cannot reduce the cost
        -- of the contracts still held, so they are profit.
        cross join lateral (select greatest(0, -command.add_fees_minor) as fees_minor) refund
      where p_codes[command.ordinality] is null and command.add_quantity_micros > 0
      on conflict (operator_id, external_user_id, contract_id, side, simulated)
        where status = 'open'
      do update set
        quantity_micros = position.quantity_micros + excluded.quantity_micros,
        cost_basis_minor = position.cost_basis_minor + excluded.cost_basis_minor
          - excluded.realised_pnl_minor + greatest(0, excluded.realised_pnl_minor
            - excluded.entry_fees_minor - position.entry_fees_minor),
        entry_fees_minor = greatest(0, position.entry_fees_minor + excluded.entry_fees_minor
          - excluded.realised_pnl_minor),
        realised_pnl_minor = position.realised_pnl_minor + greatest(0, excluded.realised_pnl_minor
          - excluded.entry_fees_minor - position.entry_fees_minor),
        price_weight = position.price_weight + excluded.price_weight,
        average_price_micros = average_price(
          position.price_weight + excluded.price_weight,
          position.quantity_micros + excluded.quantity_micros),
        updated_at = excluded.updated_at, version = position.version + 1
      returning position.operator_id, position.external_user_id, position.position_id
    loop
      -- one command of a customer in a batch, so operator and customer name the command
      v_position_ids[array_position(v_customers,
        v_bought.operator_id || ' ' || v_bought.external_user_id)] := v_bought.position_id;
    end loop;
  end if;

  if v_buys_live then
    insert into position_holdings as holding (operator_id, position_id, venue, quantity_micros)
    select command.operator_id, v_position_ids[command.ordinality], command.venue,
      command.add_quantity_micros
    from unnest(p_orders, p_effects) with ordinality command
    where p_codes[command.ordinality] is null and command.add_quantity_micros > 0
      and not command.simulated
    on conflict (operator_id, position_id, venue)
    do update set quantity_micros = holding.quantity_micros + excluded.quantity_micros;
  end if;

  if v_late_fees then
    -- A venue's fee that became known after the fill is part of the cost of the contracts still
    -- held, or a loss if all were sold meanwhile.
    update positions position set
      cost_basis_minor = position.cost_basis_minor
        + case when position.status = 'open' then command.add_cost_minor else 0 end,
      entry_fees_minor = position.entry_fees_minor
        + case when position.status = 'open' then command.add_fees_minor else 0 end,
      realised_pnl_minor = position.realised_pnl_minor
        - case when position.status = 'open' then 0 else command.add_cost_minor end,
      updated_at = p_at, version = position.version + 1
    from unnest(p_orders, p_effects) with ordinality command
    where p_codes[command.ordinality] is null
      and coalesce(command.add_quantity_micros, 0) = 0 and command.add_cost_minor <> 0
      and position.operator_id = coalesce(v_operator, command.operator_id)
      and position.position_id = command.position_id;
  end if;

  if v_exits then
    update positions position set
      quantity_micros = position.quantity_micros - coalesce(command.take_quantity_micros, 0),
      held_quantity_micros = position.held_quantity_micros
        + coalesce(command.hold_quantity_micros, 0),
      cost_basis_minor = position.cost_basis_minor - coalesce(command.cost_share_minor, 0),
      entry_fees_minor = position.entry_fees_minor - coalesce(command.fee_share_minor, 0),
      price_weight = position.price_weight - coalesce(command.weight_share, 0),
      realised_pnl_minor = position.realised_pnl_minor + coalesce(command.add_realised_minor, 0),
      status = case
        when position.quantity_micros = coalesce(command.take_quantity_micros, 0) then 'closed'
        else 'open' end,
      updated_at = p_at, version = position.version + 1
    from unnest(p_orders, p_effects) with ordinality command
    where p_codes[command.ordinality] is null
      and (command.take_quantity_micros > 0 or command.hold_quantity_micros <> 0)
      and position.operator_id = coalesce(v_operator, command.operator_id)
      and position.position_id = command.position_id;
    update position_holdings holding set
      quantity_micros = holding.quantity_micros - coalesce(command.take_quantity_micros, 0),
      held_quantity_micros = holding.held_quantity_micros
        + coalesce(command.hold_quantity_micros, 0)
    from unnest(p_orders, p_effects) with ordinality command
    where p_codes[command.ordinality] is null and not command.simulated
      and (command.take_quantity_micros > 0 or command.hold_quantity_micros <> 0)
      and holding.operator_id = coalesce(v_operator, command.operator_id)
      and holding.position_id = command.position_id and holding.venue = command.venue;
  end if;
  return v_position_ids;
end $$;
