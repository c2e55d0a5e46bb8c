-- Caps of live orders: which cap an order would exceed, which orders of a batch fit together, and
-- the running exposure.

-- Which cap a live buy of this authorization would exceed: on exposure or on live orders in 24
-- hours, of the customer or overall (contract 20.5). Null if none. Without a lock the result is
-- preliminary; the sending checks again under the locks.
create or replace function exceeded_cap(p_operator operators, p_external_user_id text,
  p_authorization bigint) returns text language plpgsql stable as $$
declare
  v_player_minor bigint;
  v_total_minor bigint;
begin
  if p_operator.player_exposure_minor is not null or p_operator.total_exposure_minor is not null
    then
    select coalesce(sum(exposure.exposure_minor) filter (where exposure.external_user_id <> ''), 0),
      coalesce(sum(exposure.exposure_minor) filter (where exposure.external_user_id = ''), 0)
    into v_player_minor, v_total_minor
    from exposures exposure where exposure.operator_id = p_operator.operator_id
      and exposure.external_user_id in (p_external_user_id, '');
    if v_player_minor + p_authorization > p_operator.player_exposure_minor
      then return 'player_exposure'; end if;
    if v_total_minor + p_authorization > p_operator.total_exposure_minor
      then return 'total_exposure'; end if;
  end if;
  -- most operators have no such caps, and two calls that only find that out cost more than this
  -- look-up
  if p_operator.player_orders is not null and live_orders(p_operator.operator_id,
      p_external_user_id, p_operator.player_orders) >= p_operator.player_orders
    then return 'player_orders'; end if;
  if p_operator.total_orders is not null and live_orders(p_operator.operator_id, null,
      p_operator.total_orders) >= p_operator.total_orders
    then return 'total_orders'; end if;
  return null;
end $$;

-- The same for an operator by its id.
create or replace function exceeded_cap_of(p_operator_id text, p_external_user_id text,
  p_authorization bigint) returns text language plpgsql stable as $$
declare
  v_operator operators;
begin
  select * into v_operator from operators operator where operator.operator_id = p_operator_id;
  return exceeded_cap(v_operator, p_external_user_id, p_authorization);
end $$;

-- Whether a live buy of this authorization would exceed one of the caps of exceeded_cap.
create or replace function exposure_exceeded(p_operator operators, p_external_user_id text,
  p_authorization bigint) returns boolean language plpgsql stable as $$
begin
  return exceeded_cap(p_operator, p_external_user_id, p_authorization) is not null;
end $$;

-- Which transmissions of a batch would exceed their operator's overall cap on exposure or on live
-- orders in 24 hours. They are added up in the order of their numbers; one that does not fit leaves
-- its room to the next. The caller holds the lock on the operators' total exposure. A batch has at
-- most one order of a customer, so the caps of a customer need no adding up: transmission_refusal
-- checks them one by one.
create or replace function over_total_caps(p_numbers integer[], p_operator_ids text[],
  p_amounts bigint[]) returns integer[] language plpgsql stable as $$
declare
  v_order record;
  v_operator text;
  v_exposure bigint;
  v_sent bigint;
  v_over integer[] := '{}';
begin
  for v_order in
    select sent.number, sent.operator_id, sent.amount, operator.total_exposure_minor,
      operator.total_orders
    from unnest(p_numbers, p_operator_ids, p_amounts) as sent(number, operator_id, amount)
      join operators operator on operator.operator_id = sent.operator_id
    where operator.total_exposure_minor is not null or operator.total_orders is not null
    order by sent.operator_id, sent.number
  loop
    if v_operator is distinct from v_order.operator_id then
      v_operator := v_order.operator_id;
      v_exposure := coalesce((select exposure.exposure_minor from exposures exposure
        where exposure.operator_id = v_operator and exposure.external_user_id = ''), 0);
      v_sent := live_orders(v_operator, null, v_order.total_orders);
    end if;
    if v_exposure + v_order.amount > v_order.total_exposure_minor or v_sent >= v_order.total_orders
      then
      v_over := v_over || v_order.number;
    else
      v_exposure := v_exposure + v_order.amount;
      v_sent := v_sent + 1;
    end if;
  end loop;
  return v_over;
end $$;

-- Which commands of a batch the available collateral of their operators does not cover. They are
-- subtracted in the order of their numbers; one that does not fit leaves its room to the next.
-- Balances may still fall until the counters are locked; the constraint on balances then refuses
-- the whole statement, and the caller repeats it.
create or replace function short_of_collateral(p_numbers integer[], p_operator_ids text[],
  p_amounts bigint[]) returns integer[] language plpgsql stable as $$
declare
  v_command record;
  v_operator text;
  v_available bigint;
  v_short integer[] := '{}';
begin
  for v_command in
    select wanted.number, wanted.operator_id, wanted.amount
      from unnest(p_numbers, p_operator_ids, p_amounts) as wanted(number, operator_id, amount)
    where wanted.amount > 0 order by wanted.operator_id, wanted.number
  loop
    if v_operator is distinct from v_command.operator_id then
      v_operator := v_command.operator_id;
      v_available := (select -ledger.collateral_available from operator_ledgers ledger
        where ledger.operator_id = v_operator);
    end if;
    if v_command.amount > v_available then
      v_short := v_short || v_command.number;
    else
      v_available := v_available - v_command.amount;
    end if;
  end loop;
  return v_short;
end $$;

-- Adds to the running exposure of customers and of their operators. Locks: the customers' rows
-- first, then the operators' totals, each kind in one global order. A total that would fall below
-- zero was wrong before; it stops at zero, because no payment may wait for it.
create or replace function add_exposures(p_operator_id text, p_operator_ids text[],
  p_external_user_ids text[], p_amounts bigint[]) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  insert into exposures as exposure (operator_id, external_user_id, exposure_minor)
  select change.operator_id, change.external_user_id, 0 from (
      select distinct change.operator_id, owner.external_user_id
      from unnest(p_operator_ids, p_external_user_ids, p_amounts)
        as change(operator_id, external_user_id, amount)
        cross join lateral (values (change.external_user_id), ('')) owner(external_user_id)
      where change.amount <> 0) change
  order by change.external_user_id = '', change.operator_id, change.external_user_id
  on conflict do nothing;
  update exposures exposure
  set exposure_minor = greatest(0, exposure.exposure_minor + change.amount)
  from (select change.operator_id, change.external_user_id, sum(change.amount)::bigint as amount
        from unnest(p_operator_ids, p_external_user_ids, p_amounts)
          as change(operator_id, external_user_id, amount)
        where change.amount <> 0 group by 1, 2) change
  where exposure.operator_id = coalesce(v_operator, change.operator_id)
    and exposure.external_user_id = change.external_user_id;
  update exposures exposure
  set exposure_minor = greatest(0, exposure.exposure_minor + change.amount)
  from (select change.operator_id, sum(change.amount)::bigint as amount
        from unnest(p_operator_ids, p_external_user_ids, p_amounts)
          as change(operator_id, external_user_id, amount)
        where change.amount <> 0 group by 1) change
  where exposure.operator_id = coalesce(v_operator, change.operator_id)
    and exposure.external_user_id = '';
end $$;
