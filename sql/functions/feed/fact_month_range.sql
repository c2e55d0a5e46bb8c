-- In which months positions of an operator are: in the first month or a later one, and before the
-- last. 0: also in the partitions of before the first month, where the month is null. A read that
-- names the range opens no partition of another month.
create or replace function fact_month_range(p_operator_id text, p_first bigint, p_last bigint,
  out p_from smallint, out p_before smallint) language sql stable parallel safe as $$
  select coalesce(max(start.month) filter (where start.first_position <= p_first), 0::smallint),
    coalesce(min(start.month) filter (where start.first_position > p_last), 32767::smallint)
  from fact_month_starts start where start.operator_id = p_operator_id
$$;
