-- The status of a contract, from what the venue reports, what the service operator decided, and the
-- time (contract 4.15).
create or replace function contract_status(
  p_resolution text, p_operator_paused boolean, p_venue_status text, p_closes_at timestamptz,
  p_now timestamptz
) returns text language sql immutable as $$
  select case
    when p_resolution = 'VOID' then 'voided'
    when p_resolution is not null then 'resolved'
    when p_venue_status in ('closed', 'resolved', 'voided') or p_closes_at <= p_now then 'closed'
    when p_operator_paused or p_venue_status = 'paused' then 'paused'
    else 'open'
  end
$$;
