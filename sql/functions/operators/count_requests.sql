-- count_budgets as the release before calls it, which knows no leases and counts beside them.
create or replace function count_requests(
  p_subjects text[], p_limits integer[], p_counts integer[], p_tenants text[], p_ceilings integer[],
  p_now timestamptz default null)
returns table (group_no integer, counted_before integer, subject_granted integer, granted integer,
  reset_seconds integer)
language sql as $$
  select counted.group_no, counted.counted_before, counted.subject_granted, counted.granted,
    counted.reset_seconds
  from count_budgets(p_subjects, p_limits, p_counts, p_tenants, p_ceilings, p_now, true) counted
$$;
