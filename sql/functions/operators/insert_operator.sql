-- Gives a new operator what every operator has: its ledger and the place of its relay.
create or replace function open_ledger(p_operator_id text) returns void language plpgsql as $$
begin
  insert into operator_ledgers (operator_id) values (p_operator_id);
  insert into webhook_relays (operator_id) values (p_operator_id);
end $$;

-- Makes an operator of the columns that are given, with its ledger, in one statement. Raises
-- unique_violation if the slug is taken.
create or replace function insert_operator(p_columns json) returns operators language plpgsql as $$
declare
  v_operator operators;
begin
  execute format('insert into operators (%1$s) select %1$s
      from json_populate_record(null::operators, $1) returning *',
    (select string_agg(quote_ident(name), ', ') from json_object_keys(p_columns) name))
  into v_operator using p_columns;
  perform open_ledger(v_operator.operator_id);
  return v_operator;
end $$;

-- Changes the columns of an operator that are given. Returns null if there is no such operator.
create or replace function update_operator(p_operator_id text, p_columns json) returns operators
language plpgsql as $$
declare
  v_operator operators;
begin
  execute format('update operators set %s, updated_at = $3,
      execution_confirmed_at = case when $4 and not operators.execution_confirmed then $3
        else operators.execution_confirmed_at end
      from json_populate_record(null::operators, $1) given
      where operators.operator_id = $2 returning operators.*',
    (select string_agg(format('%1$I = given.%1$I', name), ', ')
     from json_object_keys(p_columns) name))
  into v_operator using p_columns, p_operator_id, now(),
    coalesce((p_columns ->> 'execution_confirmed')::boolean, false);
  return v_operator;
end $$;
