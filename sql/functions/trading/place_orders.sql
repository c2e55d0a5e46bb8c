-- Records orders: POST /orders. A batch holds at most one command per customer (the caller sees to that), so the
-- customers' rows, locked first in one global order, guard their quotes, wallets, positions and windows; the operators'
-- counters come last, inside record_facts. Each command is verified again against the committed state and written with its
-- fill, position, ledger entries, feed items and events, or answered with a code and nothing is written for it.
-- `replay` names an order of the same key and `created` one that an earlier try of this very command wrote.
-- Facts come apart from the commands, each with the number of its own: carried along they would be copied by every step. Each
-- command says how many it has, and exactly so many are written.
-- `quote_changed`, `book_changed`, `position_changed` and `scenario_changed` are for the caller alone: decide again.
create or replace function place_orders(batch json, p_facts json)
returns table (number integer, code text, order_id text, position_id text, created_at timestamptz, limits json) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  commands order_command[];
  codes text[];
  broken json[];
  found_orders text[];
  position_ids text[];
  facts fact[];
  placed_at timestamptz;
  -- what a batch has none of costs it nothing
  scripted boolean;
  commits boolean;
  sells boolean;
begin
  select array_agg(c order by c.number), bool_or(c.scenario_id is not null), bool_or(c.collateral_minor > 0), bool_or(c.action = 'sell')
  into commands, scripted, commits, sells
  from json_populate_recordset(null::order_command, batch) c;

  perform 1 from customers k
  where (k.operator_id, k.external_user_id) in (select q.operator_id, q.external_user_id from unnest(commands) q)
  order by k.operator_id, k.external_user_id for no key update;
  if scripted then
    perform 1 from scenarios s
    where (s.operator_id, s.scenario_id) in (select q.operator_id, q.scenario_id from unnest(commands) q where q.scenario_id is not null)
    order by s.operator_id, s.scenario_id for update;
  end if;
  placed_at := clock_timestamp();

  select array_agg(v.code order by v.number), array_agg(v.limits order by v.number), array_agg(v.found order by v.number)
  into codes, broken, found_orders
  from (
    select q.number, l.limits, coalesce(r.order_id, t.spent_by) as found, case
      when r.order_id = q.order_id then 'created'
      when r.quote_id <> q.quote_id then 'idempotency_conflict'
      when r.order_id is not null then 'replay'
      when o.status <> 'active' then 'operator_suspended'
      when k.status = 'suspended' then 'user_suspended'
      when o.trading_paused then 'trading_paused'
      when t.quote_id is null or t.external_user_id <> q.external_user_id then 'quote_not_found'
      when t.spent_by is not null then 'quote_already_used'
      when t.expires_at <= placed_at then 'quote_expired'
      when (t.contract_id, t.side, t.action, t.price_micros, t.fee_bps, t.authorization_minor, t.fee_minor, t.trade_minor, t.quantity, t.venue)
        is distinct from (q.contract_id, q.side, q.action, q.price_micros, q.fee_bps, q.authorization_minor, q.quoted_fee_minor,
          q.quoted_trade_minor, q.quoted_quantity, q.venue) then 'quote_changed'
      when m.contract_id is null then 'market_unavailable'
      when m.closes_at <= placed_at then 'market_not_open'
      when m.status = 'paused' then 'market_unavailable'
      when m.status <> 'open' or m.trading_closed then 'market_not_open'
      when q.refusal is not null and m.book_revision is distinct from q.book_revision then 'book_changed'
      when q.refusal is not null then q.refusal
      when m.book_revision <> q.book_revision then 'book_changed'
      when not jurisdiction_permits(o.jurisdiction_mode, o.permitted_countries, o.jurisdiction_allow_exits, k.country, q.action)
        then 'jurisdiction'
      when l.limits is not null then 'limits'
      when q.intent = 'record_intent' and q.action = 'buy' and o.mode = 'live' and exposure_exceeded(o, q.external_user_id, q.authorization_minor)
        then 'over_tenant_exposure'
      when q.late_refusal is not null then q.late_refusal
      when q.action = 'sell' and q.status <> 'rejected' and (p.position_id is null or p.quantity - p.held_quantity < q.quoted_quantity
          or (not q.simulated and coalesce(h.quantity - h.held_quantity, 0) < q.quoted_quantity))
        then 'insufficient_position'
      when q.action = 'sell' and p.version <> q.position_version and q.status <> 'rejected' then 'position_changed'
      when q.wallet_minor > 0 and coalesce(-w.balance, 0) < q.wallet_minor then 'insufficient_funds'
      when q.scenario_id is distinct from (
          select s.scenario_id from scenarios s
          where s.operator_id = q.operator_id and s.consumed_by is null and s.disarmed_at is null and s.expires_at > placed_at
            and (s.client_order_id is null or s.client_order_id = q.client_order_id)
            -- an intent takes one when its reserve is confirmed with it
            and q.status not in ('rejected', 'reserve_pending')
          order by s.client_order_id is null, s.scenario_id limit 1)
        then 'scenario_changed'
      end as code
    from unnest(commands) q
      join operators o on o.operator_id = q.operator_id
      left join customers k on k.operator_id = q.operator_id and k.external_user_id = q.external_user_id
      left join orders r on r.operator_id = q.operator_id and r.external_user_id = q.external_user_id and r.client_order_id = q.client_order_id
      left join quotes t on t.operator_id = q.operator_id and t.quote_id = q.quote_id
      left join contracts m on m.contract_id = q.contract_id
      -- asked only where it can be broken: a call a command costs more than the comparison
      cross join lateral (
        select case when q.action = 'buy' and (k.period_hours is not null or o.period_hours is not null
            or q.authorization_minor > least(k.max_wager_minor, o.max_wager_minor, o.max_order_minor))
          then broken_limits(o, k, q.authorization_minor) end as limits) l
      -- laterals with a limit: a plan made on empty tables must not turn a look-up of one row into a scan
      left join lateral (
        select p.position_id, p.quantity, p.held_quantity, p.version from positions p
        where q.action = 'sell' and p.operator_id = q.operator_id and p.position_id = q.position_id and p.simulated = q.simulated
          and p.status = 'open' limit 1) p on true
      left join lateral (
        select w.balance from account_balances w
        where q.wallet_minor > 0 and w.operator_id = q.operator_id and w.account_id = 'wallet:' || q.external_user_id limit 1) w on true
      left join position_holdings h on q.action = 'sell' and h.operator_id = q.operator_id and h.position_id = q.position_id and h.venue = q.venue
  ) v;

  if commits then
    select array_agg(case when codes[q.number] is null and q.number = any (x.short) then 'insufficient_collateral' else codes[q.number] end order by q.number)
    into codes
    from unnest(commands) q cross join (
      select short_of_collateral(array_agg(c.number), array_agg(c.operator_id), array_agg(c.collateral_minor)) as short
      from unnest(commands) c where codes[c.number] is null and c.collateral_minor > 0) x;
  end if;

  if scripted then
    -- two commands of one batch may want the operator's one scenario for any order: the later decides again
    select array_agg(case when codes[x.number] is null and x.rank > 1 then 'scenario_changed' else codes[x.number] end order by x.number)
    into codes
    from (select q.number, case when q.scenario_id is null then 1 else
            row_number() over (partition by q.operator_id, q.scenario_id, codes[q.number] is null order by q.number) end as rank
          from unnest(commands) q) x;
    update scenarios s set consumed_by = q.order_id
    from unnest(commands) q
    where codes[q.number] is null and q.scenario_id is not null and s.operator_id = q.operator_id and s.scenario_id = q.scenario_id;
  end if;

  update quotes t set spent_by = q.order_id
  from unnest(commands) q where codes[q.number] is null and t.operator_id = q.operator_id and t.quote_id = q.quote_id;

  with bought as (
    insert into positions as p (operator_id, position_id, external_user_id, contract_id, side, simulated, quantity, cost_basis_minor,
      entry_fees_minor, price_weight, average_price_micros, opened_at, updated_at)
    select q.operator_id, q.position_id, q.external_user_id, q.contract_id, q.side, q.simulated, q.filled_quantity, q.debit_minor,
      q.platform_fee_minor + q.venue_fee_minor, q.filled_quantity::numeric * q.fill_price_micros, q.fill_price_micros, placed_at, placed_at
    from unnest(commands) q where codes[q.number] is null and q.action = 'buy' and q.filled_quantity > 0
    on conflict (operator_id, external_user_id, contract_id, side, simulated) where status = 'open' do update set
      quantity = p.quantity + excluded.quantity,
      cost_basis_minor = p.cost_basis_minor + excluded.cost_basis_minor,
      entry_fees_minor = p.entry_fees_minor + excluded.entry_fees_minor,
      price_weight = p.price_weight + excluded.price_weight,
      average_price_micros = round((p.price_weight + excluded.price_weight) / (p.quantity + excluded.quantity)),
      updated_at = excluded.updated_at, version = p.version + 1
    returning p.operator_id, p.external_user_id, p.position_id
  )
  select array_agg(coalesce(b.position_id, case when q.action = 'sell' then q.position_id end) order by q.number) into position_ids
  from unnest(commands) q left join bought b on b.operator_id = q.operator_id and b.external_user_id = q.external_user_id;

  if sells then
    -- an exit, or contracts held back for one that is not filled here
    update positions p set
      quantity = p.quantity - q.filled_quantity,
      held_quantity = p.held_quantity + case when q.intent = 'record_intent' then q.quoted_quantity else 0 end,
      cost_basis_minor = p.cost_basis_minor - coalesce(q.cost_share_minor, 0),
      entry_fees_minor = p.entry_fees_minor - coalesce(q.fee_share_minor, 0),
      price_weight = p.price_weight - coalesce(q.weight_share, 0),
      realised_pnl_minor = p.realised_pnl_minor + q.proceeds_minor - coalesce(q.cost_share_minor, 0),
      status = case when p.quantity = q.filled_quantity then 'closed' else 'open' end,
      updated_at = placed_at, version = p.version + 1
    from unnest(commands) q
    where codes[q.number] is null and q.action = 'sell' and q.status <> 'rejected' and p.operator_id = q.operator_id and p.position_id = q.position_id;
    update position_holdings h set held_quantity = h.held_quantity + q.quoted_quantity
    from unnest(commands) q
    where codes[q.number] is null and q.action = 'sell' and q.intent = 'record_intent' and not q.simulated
      and h.operator_id = q.operator_id and h.position_id = q.position_id and h.venue = q.venue;
  end if;

  insert into orders (operator_id, order_id, external_user_id, client_order_id, execution_ref, quote_id, contract_id, side, action, intent,
    status, transmission_state, simulated, price_micros, slippage_micros, fee_bps, authorization_minor, quoted_fee_minor,
    quoted_trade_minor, quoted_quantity, filled_quantity, price_weight, trade_minor, platform_fee_minor, venue_fee_minor,
    venue_fee_known, debit_minor, release_minor, proceeds_minor, counted_stake_minor, position_id, scenario_id, reject_reason,
    routing_reason, considered_venues, venue, armed, reserve_reference, reserve_confirmed_at, created_at, updated_at)
  select q.operator_id, q.order_id, q.external_user_id, q.client_order_id, q.execution_ref, q.quote_id, q.contract_id, q.side, q.action, q.intent,
    q.status, q.transmission_state, q.simulated, q.price_micros, q.slippage_micros, q.fee_bps, q.authorization_minor, q.quoted_fee_minor,
    q.quoted_trade_minor, q.quoted_quantity, q.filled_quantity, q.filled_quantity::numeric * coalesce(q.fill_price_micros, 0), q.trade_minor,
    q.platform_fee_minor, q.venue_fee_minor, q.venue_fee_known, q.debit_minor, q.release_minor, q.proceeds_minor, q.counted_stake_minor,
    position_ids[q.number], q.scenario_id, q.reject_reason, q.routing_reason, q.considered_venues, q.venue, q.armed, q.reserve_reference,
    case when q.status = 'pending_venue_execution' then placed_at end, placed_at, placed_at
  from unnest(commands) q where codes[q.number] is null;

  insert into fills (operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, filled_at)
  select q.operator_id, q.order_id, 1, q.fill_id, q.filled_quantity, q.fill_price_micros, 0, placed_at
  from unnest(commands) q where codes[q.number] is null and q.filled_quantity > 0;

  select array_agg(row(f.ord, f.operator_id, f.type, f.item_id, f.external_user_id,
    case when f.type <> 'ledger.posted' then position_ids[f.command] end,
    f.order_id, f.money, f.detail, f.lines, f.event)::fact)
  into facts
  from json_to_recordset(p_facts) as f(command integer, ord integer, operator_id text, type text, item_id text, external_user_id text,
    order_id text, money json, detail json, lines json, event json)
  where f.command between 1 and cardinality(commands) and codes[f.command] is null;
  if coalesce(cardinality(facts), 0) is distinct from (
      select coalesce(sum(q.fact_count), 0) from unnest(commands) q where codes[q.number] is null) then
    raise exception 'the batch does not carry the facts that its commands count' using errcode = 'IN004';
  end if;
  perform record_facts(facts);

  return query
    select q.number, codes[q.number], coalesce(found_orders[q.number], q.order_id), position_ids[q.number], placed_at, broken[q.number]
    from unnest(commands) q order by q.number;
end $$;
