-- Whether a key may make a request, and the first reason why not: specification "Authentication" 1
-- and 4-7, apart from the rate. p_operator is the operator of the key, p_child the child that the
-- request names, if it names one that the key may act for. One expression, so the planner puts it
-- into the statements that call it.
create or replace function key_outcome(p_key api_keys, p_operator operators, p_child operators,
  p_acting text, p_needed text, p_sufficient text, p_address text, p_moment timestamptz)
returns text language sql stable as $$
  select case
    when (p_key).key_id is null then 'invalid_key'
    when (p_key).revoked_at <= p_moment then 'revoked_key'
    when (p_key).expires_at <= p_moment then 'expired_key'
    when (p_key).allowed_addresses is not null
      and (p_address is null or not p_address::inet <<= any ((p_key).allowed_addresses))
      then 'address_not_allowed'
    when (p_operator).status <> 'active' then 'operator_suspended'
    when p_acting is not null and p_acting <> (p_operator).operator_id
      and (p_child).operator_id is null then 'operator_not_permitted'
    when (p_child).status <> 'active' then 'operator_suspended'
    when not (p_key).scopes @> string_to_array(p_needed, ' ')
      and (p_sufficient is null or not p_sufficient = any ((p_key).scopes))
      then 'insufficient_scope'
    else 'admitted' end
$$;
