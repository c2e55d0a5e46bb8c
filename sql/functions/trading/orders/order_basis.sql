-- What orders are decided on, one row for each request: the customer's quote, an earlier order of
-- the key, the position that a sell exits (a simulated sell a simulated one), and the scenario that
-- would take the order. Reads only; place_orders verifies all of it again.
create or replace function order_basis(p_operator_ids text[], p_external_user_ids text[], p_quote_ids text[], p_client_order_ids text[], p_simulates boolean[])
returns table (
  number bigint, customer_suspended boolean, existing_order_id text, quote_id text, contract_id text, side text, action text,
  price_micros bigint, fee_bps integer, authorization_minor bigint, fee_minor bigint, trade_minor bigint, quantity bigint,
  simulated boolean, venue text, routing_reason text, considered_venues integer, position_id text, position_quantity bigint,
  cost_basis_minor bigint, entry_fees_minor bigint, price_weight numeric, average_price_micros bigint, position_version bigint,
  scenario_id text, fill_fraction numeric, fill_amount_minor bigint
) language sql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select x.n, coalesce(k.status = 'suspended', false), r.order_id, q.quote_id, q.contract_id, q.side, q.action,
    q.price_micros, q.fee_bps, q.authorization_minor, q.fee_minor, q.trade_minor, q.quantity,
    q.simulated, q.venue, q.routing_reason, q.considered_venues, p.position_id, p.quantity,
    p.cost_basis_minor, p.entry_fees_minor, p.price_weight, p.average_price_micros, p.version,
    s.scenario_id, s.fill_fraction, s.fill_amount_minor
  from unnest(p_operator_ids, p_external_user_ids, p_quote_ids, p_client_order_ids, p_simulates)
      with ordinality as x(operator_id, external_user_id, quote_id, client_order_id, simulates, n)
    left join customers k on k.operator_id = x.operator_id and k.external_user_id = x.external_user_id
    left join orders r on r.operator_id = x.operator_id and r.external_user_id = x.external_user_id and r.client_order_id = x.client_order_id
    left join quotes q on q.operator_id = x.operator_id and q.quote_id = x.quote_id and q.external_user_id = x.external_user_id
    left join lateral (
      select p.* from positions p
      where q.action = 'sell' and p.operator_id = x.operator_id and p.external_user_id = x.external_user_id
        and p.contract_id = q.contract_id and p.side = q.side and p.simulated = (q.simulated or x.simulates) and p.status = 'open' limit 1) p on true
    left join lateral (
      select a.scenario_id, a.fill_fraction, a.fill_amount_minor from scenarios a
      where a.operator_id = x.operator_id and a.consumed_by is null and a.disarmed_at is null and a.expires_at > now()
        and (a.client_order_id is null or a.client_order_id = x.client_order_id)
      order by a.client_order_id is null, a.scenario_id limit 1) s on true
$$;
