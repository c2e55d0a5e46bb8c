-- Whether an entry of this operator may take effect at a moment: not in a closed period, not in the
-- future. Null is the time of recording, which is always allowed.
create or replace function may_take_effect(p_ledger operator_ledgers, p_effective_at timestamptz)
returns boolean language sql volatile as $$
  select p_effective_at is null
    or (p_effective_at >= coalesce((p_ledger).closed_until, to_timestamp(0))
      and p_effective_at <= clock_timestamp())
$$;
