-- The status of a contract and whether it is traded, and the service operator's decisions about it:
-- its resolution, its pauses and its routing group.

-- The status of a contract, from the venue's reports, the service operator's decisions, and the
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

-- What a money statement needs of a contract that is read now.
create or replace function known_market_of(p_contract contracts)
returns known_market language sql volatile as $$
  select row((p_contract).status, (p_contract).trading_closed, (p_contract).operator_paused,
    (p_contract).closes_at, (p_contract).book_revision, clock_timestamp())::known_market
$$;

-- Whether a market is traded at a moment: `open`, `paused`, `closed`, or `ended` if its time is
-- over, which may not be recorded yet. Null if the market does not exist.
create or replace function market_state(p_status text, p_trading_closed boolean,
  p_closes_at timestamptz, p_at timestamptz)
returns text language sql immutable parallel safe as $$
  select case when p_closes_at <= p_at then 'ended'
    when p_status = 'paused' then 'paused'
    when p_status <> 'open' or p_trading_closed then 'closed'
    else p_status end
$$;

-- The markets of these contracts, in their order; null for a contract that does not exist. In a
-- statement of its own, because markets are not on the servers of the operators' rows.
create or replace function read_markets(p_contract_ids text[])
returns known_market[] language plpgsql as $$
begin
  return array(
    select market.known from unnest(p_contract_ids) with ordinality wanted(contract_id, number)
      -- a lateral with a limit: the plan is made on a table that may be empty, and a join would
      -- read all of a table that has grown since, once a call
      left join lateral (
        select known_market_of(listed) as known from contracts listed
        where listed.contract_id = wanted.contract_id limit 1) market on true
    order by wanted.number);
end $$;

-- The same for a money statement, whose caller has read them if the operators' rows are on other
-- servers (docs/scale.md). What was read more than a second ago may have changed: the statement is
-- refused with 40001, and its caller reads again.
create or replace function markets_of(p_contract_ids text[], p_read known_market[],
  p_at timestamptz) returns known_market[] language plpgsql as $$
begin
  if p_read is null then
    return read_markets(p_contract_ids);
  end if;
  if exists (select from unnest(p_read) market where market.read_at < p_at - interval '1 second')
    then
    raise exception 'a market was read more than a second ago' using errcode = '40001';
  end if;
  return p_read;
end $$;

-- Records a decision of the service operator about one contract: a resolution (which overrides the
-- venue's), the withdrawal of a resolution, a pause or the end of a pause. Repeating a decision
-- changes nothing. Locks: the board's revision, then the contract. Returns no row for an unknown
-- contract.
create or replace function decide_market(
  p_contract_id text, p_action text, p_resolution text default null,
  p_split_yes_micros bigint default null,
  out changed boolean, out out_status text, out out_resolution text,
  out out_split_yes_micros bigint,
  out out_revision bigint
) returns setof record language plpgsql as $$
#variable_conflict use_column
declare
  v_revision bigint;
  v_now timestamptz := clock_timestamp();
  v_version integer;
  v_before contracts%rowtype;
  v_after contracts%rowtype;
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  select * into v_before from contracts contract
    where contract.contract_id = p_contract_id for update;
  if not found then
    return;
  end if;
  v_after := v_before;
  if p_action = 'resolve' then
    if (v_before.resolution, v_before.split_yes_micros)
      is distinct from (p_resolution, p_split_yes_micros) then
      v_after.resolution := p_resolution;
      v_after.split_yes_micros := p_split_yes_micros;
      v_after.resolved_at := v_now;
      v_after.resolved_by := 'operator';
    end if;
  elsif p_action = 'reopen' then
    v_after.resolution := null;
    v_after.split_yes_micros := null;
    v_after.resolved_at := null;
    v_after.resolved_by := null;
  elsif p_action in ('pause', 'resume') then
    v_after.operator_paused := p_action = 'pause';
  else
    raise exception 'no such decision: %', p_action;
  end if;
  v_after.status := contract_status(v_after.resolution, v_after.operator_paused,
    v_after.venue_status,
    v_after.closes_at, v_now);
  v_after.trading_closed := v_after.status in ('closed', 'resolved', 'voided');
  changed := (v_before.resolution, v_before.split_yes_micros, v_before.operator_paused,
    v_before.status)
    is distinct from (v_after.resolution, v_after.split_yes_micros, v_after.operator_paused,
      v_after.status);

  -- the version rises in the statement that resolves or reopens: settlements and changes of a
  -- result are distinguished by it
  if (v_before.resolution, v_before.split_yes_micros)
    is distinct from (v_after.resolution, v_after.split_yes_micros) then
    insert into contract_resolutions (contract_id, version, resolution, split_yes_micros, source,
      applied, occurred_at)
    select p_contract_id, 1 + coalesce(max(decision.version), 0), v_after.resolution,
      v_after.split_yes_micros, 'operator',
      true, v_now
    from contract_resolutions decision where decision.contract_id = p_contract_id
    returning version into v_version;
  end if;

  update contracts contract set resolution = v_after.resolution,
    split_yes_micros = v_after.split_yes_micros,
    resolution_version = coalesce(v_version, contract.resolution_version),
    resolved_at = v_after.resolved_at, resolved_by = v_after.resolved_by,
      operator_paused = v_after.operator_paused,
    status = v_after.status, trading_closed = v_after.trading_closed,
    updated_at = case when changed then v_now else contract.updated_at end,
    revision = case when changed then v_revision else contract.revision end
  where contract.contract_id = p_contract_id;

  out_status := v_after.status;
  out_resolution := v_after.resolution;
  out_split_yes_micros := v_after.split_yes_micros;
  out_revision := v_revision;
  return next;
end
$$;

-- Records that a support person has verified that the listings of a group are one contract. Returns
-- no row if the group does not exist.
create or replace function verify_routing_group(p_group_key text)
returns table (contract_id text, out_revision bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_revision bigint;
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  update routing_groups routing set verified_by = session_user, verified_at = clock_timestamp(),
    ended_at = null,
    ended_because = null
  where routing.group_key = p_group_key and routing.verified_at is null;
  return query update contracts contract set revision = v_revision
    where contract.group_key = p_group_key returning contract.contract_id::text, v_revision;
end
$$;

-- Decides about a market as decide_market does, if its resolution is still the one that the caller
-- saw: p_version is the version then, null for any. A decision that already holds counts as seen,
-- so that a repetition changes nothing and returns it. Locks: the board's revision, then the
-- contract.
create or replace function decide_market_as_seen(
  p_contract_id text, p_action text, p_resolution text, p_split_yes_micros bigint,
  p_version integer,
  out as_seen boolean, out changed boolean, out out_status text, out out_resolution text,
  out out_split_yes_micros bigint, out out_revision bigint
) returns setof record language plpgsql as $$
begin
  perform 1 from board_revision board for update;
  select p_version is null or contract.resolution_version = p_version
      or (p_action = 'resolve' and (contract.resolution, contract.split_yes_micros)
        is not distinct from (p_resolution, p_split_yes_micros))
      or (p_action = 'reopen' and contract.resolution is null)
    into as_seen
  from contracts contract where contract.contract_id = p_contract_id for update;
  if as_seen is null then
    return;
  end if;
  if not as_seen then
    return next;
    return;
  end if;
  return query
  select true, decided.* from decide_market(p_contract_id, p_action, p_resolution,
    p_split_yes_micros) decided;
end $$;
