-- The facts of the commands that were accepted (their code is null), ready for record_facts. Facts
-- travel beside the commands, each with the number of its command: inside the commands they would
-- be copied by every step. Raises IN004 unless there are exactly p_expected of them, which is the
-- sum that the accepted commands count. A position is known only now, so it is filled in here.
create or replace function accepted_facts(
  p_facts json, p_codes text[], p_position_ids text[], p_expected bigint
) returns fact[] language plpgsql as $$
declare
  v_facts fact[];
begin
  select array_agg(row(given.ord, given.operator_id, given.type, given.item_id,
    given.external_user_id,
    case when given.type <> 'ledger.posted' then p_position_ids[given.command] end,
    given.order_id, given.money, given.detail, given.lines, given.event)::fact)
  into v_facts
  from json_to_recordset(p_facts) as given(command integer, ord integer, operator_id text,
    type text, item_id text, external_user_id text, order_id text, money json, detail json,
    lines json, event json)
  where given.command between 1 and cardinality(p_codes) and p_codes[given.command] is null;
  if coalesce(cardinality(v_facts), 0) is distinct from coalesce(p_expected, 0) then
    raise exception 'the batch does not carry the facts that its commands count'
      using errcode = 'IN004';
  end if;
  return v_facts;
end $$;
