-- Leases of leadership: one process at a time leads under a name, and its epoch fences its writes.

-- Takes a lease that is free: never taken, expired, or held under this name already (its result was
-- lost). A caller that has seen the same expiry for longer than a lease lasts passes it as
-- p_unmoved; so a lease is free even if the clock was set back. Returns the new epoch, or no epoch
-- and the current expiry.
create or replace function take_lease(
  p_name text, p_holder text, p_duration_ms integer, p_unmoved timestamptz, out taken_epoch bigint,
  out current_expiry timestamptz
) language plpgsql as $$
declare
  v_expires_at timestamptz := clock_timestamp() + p_duration_ms * interval '1 millisecond';
begin
  update leases lease set holder = p_holder, epoch = lease.epoch + 1, taken_at = clock_timestamp(),
    expires_at = v_expires_at
  where lease.name = p_name and (lease.expires_at <= clock_timestamp()
    or lease.expires_at = p_unmoved or lease.holder = p_holder)
  returning lease.epoch, lease.expires_at into taken_epoch, current_expiry;
  if found then
    return;
  end if;
  select lease.expires_at into current_expiry from leases lease where lease.name = p_name;
  if not found then
    insert into leases as lease (name, holder, epoch, taken_at, expires_at)
    values (p_name, p_holder, 1, clock_timestamp(), v_expires_at)
    on conflict (name) do nothing
    returning lease.epoch, lease.expires_at into taken_epoch, current_expiry;
  end if;
end
$$;

-- Extends a lease that is still held by p_duration_ms from now. Returns false if it is lost.
create or replace function renew_lease(p_name text, p_epoch bigint, p_holder text,
  p_duration_ms integer) returns boolean
language plpgsql as $$
begin
  update leases lease set expires_at = clock_timestamp() + p_duration_ms * interval '1 millisecond'
  where lease.name = p_name and lease.epoch = p_epoch and lease.holder = p_holder
    and lease.expires_at > clock_timestamp();
  return found;
end
$$;

-- Ends a lease that is still held.
create or replace function release_lease(p_name text, p_epoch bigint, p_holder text)
returns void language sql as $$
  update leases lease set expires_at = clock_timestamp()
  where lease.name = p_name and lease.epoch = p_epoch and lease.holder = p_holder
    and lease.expires_at > clock_timestamp()
$$;

-- Raises IN050 for a write whose lease another process has taken since. A null epoch is a write by
-- a support person, which needs no lease. The caller holds a row lock that all such writes take
-- first, so the writes of the next holder follow this one's commit.
create or replace function assert_lease(p_name text, p_epoch bigint, p_holder text)
returns void language plpgsql as $$
begin
  if p_epoch is not null
    and not exists (select from leases lease
      where lease.name = p_name and lease.epoch = p_epoch and lease.holder = p_holder) then
    raise exception 'the lease "%" of epoch % was taken by another process', p_name,
      p_epoch using errcode = 'IN050';
  end if;
end
$$;
