-- A resolution in a dedupe key: `null` where it was withdrawn, and a split with what YES is worth.
create or replace function resolution_word(resolution text, yes_worth bigint) returns text language sql immutable parallel safe as $$
  select coalesce(resolution, 'null') || case when resolution = 'SPLIT' then ':' || micro_number(yes_worth) else '' end
$$;
