-- Takes a lease that is free: never taken, expired, or held under this very name (an answer that got lost). A caller that has
-- watched one expiry for longer than a lease lasts passes it as p_unmoved, so that a clock that went back frees it too.
-- Returns the new epoch, or no epoch and the expiry that stands.
create or replace function take_lease(
  p_name text, p_holder text, p_duration_ms integer, p_unmoved timestamptz, out taken_epoch bigint, out current_expiry timestamptz
) language plpgsql as $$
declare
  v_expires_at timestamptz := clock_timestamp() + p_duration_ms * interval '1 millisecond';
begin
  update leases l set holder = p_holder, epoch = l.epoch + 1, taken_at = clock_timestamp(), expires_at = v_expires_at
  where l.name = p_name and (l.expires_at <= clock_timestamp() or l.expires_at = p_unmoved or l.holder = p_holder)
  returning l.epoch, l.expires_at into taken_epoch, current_expiry;
  if found then
    return;
  end if;
  select l.expires_at into current_expiry from leases l where l.name = p_name;
  if not found then
    insert into leases as l (name, holder, epoch, taken_at, expires_at)
    values (p_name, p_holder, 1, clock_timestamp(), v_expires_at)
    on conflict (name) do nothing
    returning l.epoch, l.expires_at into taken_epoch, current_expiry;
  end if;
end
$$;

-- Whether the lease was still held and now lasts p_duration_ms from here.
create or replace function renew_lease(p_name text, p_epoch bigint, p_holder text, p_duration_ms integer) returns boolean
language plpgsql as $$
begin
  update leases l set expires_at = clock_timestamp() + p_duration_ms * interval '1 millisecond'
  where l.name = p_name and l.epoch = p_epoch and l.holder = p_holder and l.expires_at > clock_timestamp();
  return found;
end
$$;

create or replace function release_lease(p_name text, p_epoch bigint, p_holder text) returns void language sql as $$
  update leases l set expires_at = clock_timestamp()
  where l.name = p_name and l.epoch = p_epoch and l.holder = p_holder and l.expires_at > clock_timestamp()
$$;

-- Refuses a write whose lease another process has taken since. A null epoch is a write by hand, which needs no lease.
-- The caller holds a row lock that all such writes take first, so the next holder's writes come after this one's commit.
create or replace function assert_lease(p_name text, p_epoch bigint, p_holder text) returns void language plpgsql as $$
begin
  if p_epoch is not null
    and not exists (select from leases l where l.name = p_name and l.epoch = p_epoch and l.holder = p_holder) then
    raise exception 'the lease "%" of epoch % was taken by another process', p_name, p_epoch using errcode = 'IN050';
  end if;
end
$$;
