-- Records facts of an operator that come from no order: collateral moved by the service operator, corrections.
create or replace function record_operator_facts(p_operator_id text, p_facts json) returns bigint language sql volatile as $$
  select count(*) from record_facts((
    select array_agg(row(f.ord, p_operator_id, f.type, f.item_id, f.external_user_id, f.position_id, f.order_id, f.money, f.detail, f.lines, f.event)::fact)
    from json_populate_recordset(null::fact, p_facts) f))
$$;
