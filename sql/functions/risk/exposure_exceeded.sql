-- Whether a live buy of this authorization would breach any of those caps.
create or replace function exposure_exceeded(o operators, p_external_user_id text, p_authorization bigint) returns boolean language plpgsql stable as $$
begin
  return exceeded_cap(o, p_external_user_id, p_authorization) is not null;
end $$;
