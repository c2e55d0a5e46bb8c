-- Takes back requests that the same transaction counted: for each subject or tenant how many in
-- all, and how many of them were counted in advance.
create or replace function uncount_requests(
  p_minute timestamptz, p_subjects text[], p_counts bigint[], p_leased integer[]
) returns void language sql as $$
  update rate_counters counter set count = counter.count - given.count,
    leased = counter.leased - given.leased,
    leased_until = case when counter.leased > given.leased then counter.leased_until end
  from unnest(p_subjects, p_counts, p_leased) given(subject, count, leased)
  where counter.subject = given.subject and counter.window_start = p_minute
$$;
