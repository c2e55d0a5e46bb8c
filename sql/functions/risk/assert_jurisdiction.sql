-- Records where the operator says a customer is (PUT users/{id}/jurisdiction, and the creation of
-- an embed session) and returns the customer. What the service observed is not changed.
create or replace function assert_jurisdiction(
  p_operator_id text, p_external_user_id text, p_country text, p_subdivision text, p_source text,
  p_set_by text
) returns customers language plpgsql as $$
declare
  v_customer customers;
  v_now timestamptz := clock_timestamp();
begin
  perform ensure_customer(p_operator_id, p_external_user_id);
  update customers
  set country = p_country, subdivision = p_subdivision, asserted_at = v_now,
    asserted_source = p_source
  where operator_id = p_operator_id and external_user_id = p_external_user_id
  returning * into v_customer;
  insert into jurisdiction_changes (operator_id, external_user_id, country, subdivision, source,
    set_by, recorded_at)
  values (p_operator_id, p_external_user_id, p_country, p_subdivision, p_source, p_set_by,
    v_customer.asserted_at);
  return v_customer;
end $$;
