-- Whether the caller may see rows of an operator: the tenants' role sees those of the operator that
-- is set, every other role all. For functions that read with the owner's rights, where no policy
-- applies.
create or replace function sees_operator(p_operator_id text)
returns boolean language sql stable parallel safe as $$
  select current_setting('role') <> 'inlay_tenant'
    or p_operator_id is not distinct from current_setting('inlay.operator', true)
$$;
