-- What orders are decided on, one row for each request: the customer's quote, an earlier order of
-- the same key, the position that a sell exits (a simulated sell exits a simulated one), and the
-- scenario that would apply. Reads only; place_orders checks all of it again.
create or replace function order_basis(p_operator_id text, p_operator_ids text[],
  p_external_user_ids text[], p_quote_ids text[], p_client_order_ids text[], p_simulates boolean[])
returns table (
  number bigint, customer_suspended boolean, existing_order_id id, quote_id id,
  contract_id id, side text, action text,
  price_micros bigint, fee_bps integer, authorization_minor bigint, fee_minor bigint,
  trade_minor bigint, quantity bigint,
  simulated boolean, venue text, routing_reason text, considered_venues integer, position_id id,
  position_quantity bigint,
  cost_basis_minor bigint, entry_fees_minor bigint, price_weight numeric,
  average_price_micros bigint, position_version bigint,
  scenario_id id, fill_fraction numeric, fill_amount_minor bigint
) language plpgsql stable
-- One plan for all calls, because planning costs more than running it, and look-ups by key only:
-- see place_orders.
set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_operator text := nullif(p_operator_id, '');
  v_now timestamptz := now();
begin
  return query select request.n, coalesce(customer.status = 'suspended', false), order_row.order_id,
    quote.quote_id, quote.contract_id, quote.side, quote.action,
    quote.price_micros, quote.fee_bps, quote.authorization_minor, quote.fee_minor,
      quote.trade_minor, quote.quantity,
    quote.simulated, quote.venue, quote.routing_reason, quote.considered_venues,
      position.position_id, position.quantity,
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
