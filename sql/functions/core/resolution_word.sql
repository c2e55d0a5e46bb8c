-- A resolution as part of a dedupe key: `null` if it was withdrawn, and a split with the value of
-- YES.
create or replace function resolution_word(p_resolution text, p_yes_worth bigint)
returns text language sql immutable parallel safe as $$
  select coalesce(p_resolution, 'null')
    || case when p_resolution = 'SPLIT' then ':' || micro_number(p_yes_worth) else '' end
$$;
