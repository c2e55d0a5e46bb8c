-- Whether an entry of this operator may take effect at a moment: not in a closed period, not in the
-- future. Null is the time of recording, which is always allowed.
create or replace function may_take_effect(p_counter operator_counters, p_effective_at timestamptz)
returns boolean language sql volatile as $$
  select p_effective_at is null
    or (p_effective_at >= coalesce((p_counter).closed_until, to_timestamp(0))
      and p_effective_at <= clock_timestamp())
$$;

-- The detail of a `ledger.posted` item, with its effective date if it has one of its own.
create or replace function dated_detail(p_detail json, p_effective_at timestamptz)
returns json language sql stable as $$
  select case when p_effective_at is null then p_detail else concat(left(p_detail::text, -1),
    ', "effectiveAt" : "', to_char(p_effective_at at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"}')::json end
$$;
