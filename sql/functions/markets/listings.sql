-- Changes of listings beside ingestion: which of two venues are one contract, which venues are
-- retired, which listings are withdrawn, and whether a venue is held back.

-- Why no worker has sent to a venue for more than 15 seconds, and since when. Null if one of them
-- may send, or if none has reported in the last 30 seconds.
create or replace function venue_held_back(p_venue text, out because text, out since timestamptz)
language sql stable as $$
  select min(worker.held_because), min(worker.held_since)
  from venue_requests worker
  where worker.venue = p_venue and worker.seen_at > clock_timestamp() - interval '30 seconds'
  having count(*) filter (where worker.held_because is null) = 0
$$;

-- Gives the contracts of a group, and all their listings, a new revision: boards read them again,
-- and open quotes on them are priced again.
create or replace function touch_group(p_group_key text, p_revision bigint) returns void
language sql as $$
  with touched as (
    update contracts contract set revision = p_revision, book_revision = p_revision
      where contract.group_key = p_group_key returning contract.contract_id
  )
  update listings listing set revision = p_revision, book_revision = p_revision
    where listing.contract_id in (select touched.contract_id from touched)
$$;

-- Records that a support person compared listings of two venues and found them to be one contract;
-- with p_inverse, YES of one is NO of the other. p_terms are the terms that the person read; if one
-- of them has changed since, nothing is recorded. Returns a code: null, or the reason of the
-- refusal.
create or replace function match_listings(
  p_venues text[], p_listings text[], p_terms text[], p_inverse boolean, p_new_key text,
  p_note text, p_compared json, out code text, out group_key text, out board_revision bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  v_one contracts%rowtype;
  v_two contracts%rowtype;
  v_twice boolean;
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into board_revision;
  select contract.* into v_one from contracts contract
    join listings listing on listing.contract_id = contract.contract_id
    where listing.venue = p_venues[1] and listing.listing_id = p_listings[1]
      and listing.terms is not distinct from p_terms[1] for update of contract;
  select contract.* into v_two from contracts contract
    join listings listing on listing.contract_id = contract.contract_id
    where listing.venue = p_venues[2] and listing.listing_id = p_listings[2]
      and listing.terms is not distinct from p_terms[2] for update of contract;
  if v_one.contract_id is null or v_two.contract_id is null then
    code := 'terms_changed';
    return;
  end if;
  if v_one.group_key <> v_two.group_key then
    code := 'other_group';
    return;
  end if;
  group_key := coalesce(v_one.group_key, v_two.group_key, p_new_key);
  if v_one.group_key = v_two.group_key
    and (v_one.inverse <> v_two.inverse) is distinct from p_inverse then
    code := 'other_polarity';
    return;
  end if;
  select count(*) > count(distinct listing.venue) into v_twice
    from contracts contract join listings listing on listing.contract_id = contract.contract_id
    where contract.group_key = match_listings.group_key
      or contract.contract_id in (v_one.contract_id, v_two.contract_id);
  if v_twice then
    code := 'same_venue';
    return;
  end if;
  insert into routing_groups (group_key) values (match_listings.group_key) on conflict do nothing;
  update contracts contract set group_key = match_listings.group_key, matched = true,
    inverse = v_two.inverse <> p_inverse
  where contract.contract_id = v_one.contract_id and v_one.group_key is null
    and v_two.group_key is not null;
  update contracts contract set group_key = match_listings.group_key, matched = true,
    inverse = v_one.inverse <> p_inverse
  where contract.contract_id = v_two.contract_id and v_two.group_key is null;
  update contracts contract set group_key = match_listings.group_key, matched = true
  where contract.contract_id = v_one.contract_id and v_one.group_key is null
    and v_two.group_key is null;
  update routing_groups routing set verified_by = session_user, verified_at = clock_timestamp(),
    note = p_note, compared = p_compared, ended_at = null, ended_because = null
  where routing.group_key = match_listings.group_key;
  perform touch_group(group_key, board_revision);
end
$$;

-- Ends the routing of a group by decision of a support person. Contracts that were joined by hand
-- leave it, unless positions, orders or attempts exist at the venue of another contract of the
-- group: then they stay, so that these can be sold and compared there. Returns no row for an
-- unknown group.
create or replace function unmatch_listings(p_group_key text)
returns table (contract_id text, leaves boolean, out_revision bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_revision bigint;
  v_crossed boolean;
  v_contracts text[];
  v_listed text[];
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  update routing_groups routing set verified_by = null, verified_at = null,
    ended_at = clock_timestamp(), ended_because = 'unmatched'
  where routing.group_key = p_group_key and routing.ended_because is distinct from 'unmatched';
  -- in steps: operators' rows may be on other servers than contracts and listings
  select coalesce(array_agg(contract.contract_id), '{}') into v_contracts
    from contracts contract where contract.group_key = p_group_key;
  select coalesce(array_agg(listing.contract_id || ' ' || listing.venue), '{}') into v_listed
    from listings listing where listing.contract_id = any (v_contracts);
  perform 1 from positions position join position_holdings holding using (operator_id, position_id)
    where position.contract_id = any (v_contracts) and position.status = 'open'
      and holding.quantity_micros > 0
      and position.contract_id || ' ' || holding.venue <> all (v_listed) limit 1;
  v_crossed := found;
  if not v_crossed then
    perform 1 from orders order_row
      where order_row.contract_id = any (v_contracts)
        and is_open_order(order_row.status, order_row.transmission_state)
        and order_row.contract_id || ' ' || order_row.venue <> all (v_listed) limit 1;
    v_crossed := found;
  end if;
  perform touch_group(p_group_key, v_revision);
  return query
    with before as (
      select contract.contract_id, contract.matched from contracts contract
        where contract.group_key = p_group_key
    ), left_group as (
      update contracts contract set group_key = null, matched = false, inverse = false
      where contract.group_key = p_group_key and contract.matched and not v_crossed
      returning contract.contract_id
    )
    select before.contract_id::text, left_group.contract_id is not null, v_revision
    from before left join left_group using (contract_id) order by 1;
end
$$;

-- Withdraws the reports of venues that the deployment no longer uses: their books are emptied,
-- contracts that no other venue lists are paused, and their feeds are no longer reported. If a
-- venue is used again, its next reports restore everything. Raises IN050 if the writer has lost the
-- lease of ingestion. Returns the revision of the board.
create or replace function retire_venues(
  p_used text[], p_epoch bigint default null, p_holder text default null, out board_revision bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  v_revision bigint;
  v_now timestamptz := clock_timestamp();
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  perform assert_lease('ingestion', p_epoch, p_holder);

  with retired as (
    update listings listing set bid_prices = '{}', bid_sizes = '{}', ask_prices = '{}',
      ask_sizes = '{}',
      venue_sequence = null, session = 0, book_updated_at = null, book_confirmed_at = null,
        rank = 32767,
      book_revision = v_revision, revision = v_revision
    where listing.venue <> all (p_used) and listing.rank < 32767
    returning listing.contract_id
  )
  update contracts contract set book_revision = v_revision
    where contract.contract_id in (select retired.contract_id from retired);

  update contracts contract set digest = 'withdrawn', venue_status = 'paused', updated_at = v_now,
    revision = v_revision,
    status = contract_status(null, contract.operator_paused, 'paused', contract.closes_at, v_now)
  where contract.resolution is null and contract.digest <> 'withdrawn'
    and not exists (select from listings listing
      where listing.contract_id = contract.contract_id and listing.venue = any (p_used));

  update venue_feeds feed set connected = false, retired = true, revision = v_revision
  where feed.venue <> all (p_used) and not feed.retired;

  board_revision := v_revision;
end
$$;

-- Pauses the unresolved contracts that a venue describes and no longer lists (contract 16.12).
-- Their digest is invalidated, so that they are restored when the venue lists them again. Raises
-- IN050 if the writer has lost the lease of ingestion. Returns the revision of the board and the
-- listings.
create or replace function withdraw_unlisted(
  p_venue text, p_rank integer, p_listed text[], p_epoch bigint default null,
  p_holder text default null,
  out board_revision bigint, out keys text[]
) language plpgsql as $$
#variable_conflict use_column
declare
  v_revision bigint;
  v_keys text[];
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  perform assert_lease('ingestion', p_epoch, p_holder);
  with gone as (
    select listing.listing_id, listing.contract_id
    from contracts contract join listings listing on listing.contract_id = contract.contract_id
    where contract.resolution is null and contract.rank = p_rank and contract.digest <> 'withdrawn'
      and listing.venue = p_venue
      and listing.listing_id not in (select unnest(p_listed))
  ), written as (
    update contracts contract set digest = 'withdrawn', venue_status = 'paused',
      updated_at = clock_timestamp(), revision = v_revision,
      status = contract_status(null, contract.operator_paused, 'paused', contract.closes_at,
        clock_timestamp())
    from gone where contract.contract_id = gone.contract_id
    returning gone.listing_id
  )
  select coalesce(array_agg(written.listing_id), '{}') into v_keys from written;
  board_revision := v_revision;
  keys := v_keys;
end
$$;
