-- Whether a customer of this asserted country may trade (contract 29.5). Only the mode
-- `enforced` refuses; exits are permitted if the operator allows them.
create or replace function jurisdiction_permits(p_mode text, p_permitted text[],
  p_allow_exits boolean, p_country text, p_action text)
returns boolean language sql immutable parallel safe as $$
  select p_mode <> 'enforced' or (p_action = 'sell' and p_allow_exits)
    or coalesce(p_country = any (p_permitted), false)
$$;
