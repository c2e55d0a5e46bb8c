-- Ends routing between listings that a person has matched, before the batch is written: if the
-- batch adds another listing to their contract, or changes the terms of one of them. Routing stays
-- ended until a person matches them again. Open quotes on the contract are priced again.
create or replace function end_routing(p_contracts jsonb, p_revision bigint)
returns void language sql as $$
  with changed as (
    select contract.group_key, case when bool_or(listing.listing_id is null) then 'listing_joined'
      else 'terms_changed' end as because
    from jsonb_to_recordset(p_contracts)
      as given(venue text, listing_id text, contract_id text, terms text)
    join contracts contract on contract.contract_id = given.contract_id
    left join listings listing on listing.venue = given.venue
      and listing.listing_id = given.listing_id
    where contract.group_key is not null
      and (listing.listing_id is null or listing.terms <> given.terms)
    group by contract.group_key
  ), ended as (
    update routing_groups routing set verified_by = null, verified_at = null,
      ended_at = clock_timestamp(), ended_because = changed.because
    from changed where routing.group_key = changed.group_key and routing.verified_at is not null
    returning routing.group_key
  ), unrouted as (
    update contracts contract set revision = p_revision, book_revision = p_revision
      where contract.group_key in (select ended.group_key from ended)
    returning contract.contract_id
  )
  update listings listing set revision = p_revision, book_revision = p_revision
    where listing.contract_id in (select unrouted.contract_id from unrouted)
$$;

-- The contracts of a batch of ingest_board: the facts of each contract as the venue of the lowest
-- rank describes it, its listings, and what the venue reports about its result. Returns the
-- contracts whose effective resolution changed.
create or replace function ingest_contracts(p_contracts jsonb, p_revision bigint, p_now timestamptz)
returns text[]
language plpgsql as $$
declare
  v_resolved text[];
begin
  insert into routing_groups (group_key)
  select distinct given->>'group_key' from jsonb_array_elements(p_contracts) given
    where given->>'group_key' is not null
  on conflict do nothing;

  insert into contracts as contract (contract_id, event_id, status, trading_closed, five_minute,
    category, closes_at, rank,
    digest, venue_status, group_key, position, label, yes_label, no_label, translations,
      team_logo_url, team_color,
    team_marks, team_abbr, sports_market_type, threshold, direction, volume_micros,
      volume_24h_micros,
    last_price_micros, source_price_micros, rules, revision)
  select given.contract_id, given.event_id,
    contract_status(null, false, given.venue_status, given.closes_at, p_now),
    contract_status(null, false, given.venue_status, given.closes_at, p_now) = 'closed',
      given.five_minute, given.category,
    given.closes_at, given.rank, given.digest, given.venue_status, given.group_key, given.position,
      given.label, given.yes_label, given.no_label,
    given.translations, given.team_logo_url, given.team_color, given.team_marks, given.team_abbr,
      given.sports_market_type, given.threshold,
    given.direction, given.volume_micros, given.volume_24h_micros, given.last_price_micros,
      given.source_price_micros, given.rules, p_revision
  from (
    -- of several venues in one batch the first describes the contract
    select distinct on (given.contract_id) given.*
      from jsonb_to_recordset(p_contracts) as given(contract_id text, event_id text,
      five_minute boolean, category text, closes_at timestamptz, rank smallint, digest text,
        venue_status text,
      group_key text, position integer, label text, yes_label text, no_label text,
        translations jsonb,
      team_logo_url text, team_color text, team_marks text[], team_abbr text,
        sports_market_type text,
      threshold numeric, direction text, volume_micros bigint, volume_24h_micros bigint,
        last_price_micros bigint,
      source_price_micros bigint, rules jsonb)
    order by given.contract_id, given.rank
  ) given
  on conflict (contract_id) do update set event_id = excluded.event_id,
    five_minute = excluded.five_minute,
    category = excluded.category, closes_at = excluded.closes_at, rank = excluded.rank,
      digest = excluded.digest,
    venue_status = excluded.venue_status,
      -- a group that a person made is kept: the venue knows nothing of it
      group_key = coalesce(excluded.group_key, contract.group_key),
      position = excluded.position,
    label = excluded.label, yes_label = excluded.yes_label, no_label = excluded.no_label,
    translations = excluded.translations, team_logo_url = excluded.team_logo_url,
      team_color = excluded.team_color,
    team_marks = excluded.team_marks, team_abbr = excluded.team_abbr,
    sports_market_type = excluded.sports_market_type, threshold = excluded.threshold,
      direction = excluded.direction,
    volume_micros = excluded.volume_micros, volume_24h_micros = excluded.volume_24h_micros,
    last_price_micros = excluded.last_price_micros,
      source_price_micros = excluded.source_price_micros, rules = excluded.rules,
    updated_at = p_now, revision = p_revision
  where contract.rank > excluded.rank
    or (contract.rank = excluded.rank and contract.digest <> excluded.digest);

  -- A venue's new result takes effect unless the service operator has resolved the contract.
  with said as (
    select distinct on (given.contract_id) given.*
      from jsonb_to_recordset(p_contracts) as given(contract_id text, rank smallint,
      resolution text, split_yes_micros bigint, resolved_at timestamptz)
    order by given.contract_id, given.rank
  ), news as (
    select contract.contract_id, said.resolution, said.split_yes_micros,
      coalesce(said.resolved_at, p_now) as occurred_at,
      (contract.resolved_by is distinct from 'operator') as applied,
      1 + coalesce((select max(decision.version) from contract_resolutions decision
        where decision.contract_id = contract.contract_id), 0) as version
    from said join contracts contract on contract.contract_id = said.contract_id
      and contract.rank = said.rank
    where (contract.venue_resolution, contract.venue_split_yes_micros)
      is distinct from (said.resolution, said.split_yes_micros)
  ), written as (
    update contracts contract set venue_resolution = news.resolution,
      venue_split_yes_micros = news.split_yes_micros,
      resolution = case when news.applied then news.resolution else contract.resolution end,
      resolution_version = case when news.applied then news.version
        else contract.resolution_version end,
      split_yes_micros = case when news.applied then news.split_yes_micros
        else contract.split_yes_micros end,
      resolved_at = case when not news.applied then contract.resolved_at when news.resolution
        is not null then news.occurred_at end,
      resolved_by = case when not news.applied then contract.resolved_by when news.resolution
        is not null then 'venue' end,
      status = case when not news.applied then contract.status
        else contract_status(news.resolution, contract.operator_paused, contract.venue_status,
          contract.closes_at, p_now) end,
      updated_at = p_now, revision = p_revision
    from news where contract.contract_id = news.contract_id
    returning contract.contract_id, news.applied
  ), noted as (
    insert into contract_resolutions (contract_id, version, resolution, split_yes_micros, source,
      applied, occurred_at)
    select news.contract_id, news.version, news.resolution, news.split_yes_micros, 'venue',
      news.applied, news.occurred_at
    from news
  )
  select coalesce(array_agg(written.contract_id) filter (where written.applied),
    '{}') into v_resolved from written;

  update contracts contract set status = current.status,
    trading_closed = current.status in ('closed', 'resolved', 'voided'),
    updated_at = p_now, revision = p_revision
  from (
    select named.contract_id,
      contract_status(named.resolution, named.operator_paused, named.venue_status, named.closes_at,
        p_now) as status
    from contracts named
    where named.contract_id in (select given->>'contract_id'
      from jsonb_array_elements(p_contracts) given)
  ) current
  where contract.contract_id = current.contract_id
    and (contract.status, contract.trading_closed)
      is distinct from (current.status, current.status in ('closed', 'resolved', 'voided'));

  perform end_routing(p_contracts, p_revision);

  insert into listings as listing (venue, listing_id, contract_id, rank, fee_model, fee_bps,
    fee_known, fee_broker_bps, minimum_minor,
    minimum_quantity_micros, quantity_step_micros, tick_micros, part, terms, wording, revision)
  select given.venue, given.listing_id, given.contract_id, given.rank, given.fee_model,
    given.fee_bps, given.fee_known, given.fee_broker_bps, given.minimum_minor,
    given.minimum_quantity_micros, given.quantity_step_micros, given.tick_micros, given.part,
      given.terms, given.wording, p_revision
  from jsonb_to_recordset(p_contracts)
    as given(venue text, listing_id text, contract_id text, rank smallint, fee_model text,
    fee_bps integer, fee_known boolean, fee_broker_bps integer, minimum_minor bigint,
    minimum_quantity_micros bigint,
    quantity_step_micros bigint, tick_micros bigint, part smallint, terms text, wording jsonb)
  on conflict (venue, listing_id) do update set rank = excluded.rank,
    fee_model = excluded.fee_model,
    fee_bps = excluded.fee_bps, fee_known = excluded.fee_known,
    fee_broker_bps = excluded.fee_broker_bps,
      minimum_minor = excluded.minimum_minor,
    minimum_quantity_micros = excluded.minimum_quantity_micros,
    quantity_step_micros = excluded.quantity_step_micros, tick_micros = excluded.tick_micros,
    part = excluded.part,
    terms = excluded.terms, wording = excluded.wording, revision = p_revision
  where (listing.rank, listing.fee_model, listing.fee_bps, listing.fee_known,
    listing.fee_broker_bps, listing.minimum_minor, listing.minimum_quantity_micros,
      listing.quantity_step_micros, listing.tick_micros, listing.part, listing.terms,
      listing.wording)
    is distinct from (excluded.rank, excluded.fee_model, excluded.fee_bps, excluded.fee_known,
      excluded.fee_broker_bps, excluded.minimum_minor,
      excluded.minimum_quantity_micros, excluded.quantity_step_micros, excluded.tick_micros,
        excluded.part, excluded.terms, excluded.wording);

  return v_resolved;
end
$$;
