-- The facts of the commands that were accepted (their code is null), ready for record_facts. Facts
-- travel beside the commands, each with the number of its command: inside the commands they would
-- be copied by every step. Raises IN004 unless they are exactly p_expected items, which is the sum
-- that the accepted commands count. A position is known only now, so it is filled in here.
create or replace function accepted_facts(
  p_facts json, p_codes text[], p_position_ids text[], p_expected bigint
) returns feed_fact[] language plpgsql as $$
declare
  v_facts feed_fact[];
  v_items bigint;
begin
  select array_agg(row(given.ord, given.operator_id, given.type, given.item_id,
    given.external_user_id,
    case when given.type <> 'ledger.posted' then p_position_ids[given.command] end,
    given.order_id, given.money, given.detail, given.lines, null::json, given.place,
    given.places, given.items, given.following)::feed_fact),
    sum(given.items)
  into v_facts, v_items
  from json_to_recordset(p_facts) as given(command integer, ord integer, operator_id text,
    type text, item_id text, external_user_id text, order_id text, money json, detail json,
    lines json, place integer, places integer, items integer, following text)
  where given.command between 1 and cardinality(p_codes) and p_codes[given.command] is null;
  if coalesce(v_items, 0) is distinct from coalesce(p_expected, 0) then
    raise exception 'the batch does not carry the facts that its commands count'
      using errcode = 'IN004';
  end if;
  return v_facts;
end $$;
