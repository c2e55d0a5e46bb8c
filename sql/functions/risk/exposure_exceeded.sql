-- Whether a live buy of this authorization would exceed one of the caps of exceeded_cap.
create or replace function exposure_exceeded(p_operator operators, p_external_user_id text,
  p_authorization bigint) returns boolean language plpgsql stable as $$
begin
  return exceeded_cap(p_operator, p_external_user_id, p_authorization) is not null;
end $$;
