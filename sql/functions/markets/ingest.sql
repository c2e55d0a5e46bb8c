-- Records a batch of reports of venues. ingest_board, the last function, is what ingestion calls;
-- the others are its steps.

-- The books of a batch of ingest_board. Within one connection to the venue, an older book never
-- replaces a newer one; a new connection may begin with any number. A book that is repeated is
-- confirmed, and quotes on it stay valid. No book is confirmed in the future, even if a clock is
-- wrong.
create or replace function ingest_books(p_books jsonb, p_revision bigint) returns void
language sql as $$
  with said as (
    select * from jsonb_to_recordset(p_books)
      as given(venue text, listing_id text, bid_prices bigint[], bid_sizes bigint[],
      ask_prices bigint[], ask_sizes bigint[], feed text, sequence bigint, session bigint,
        updated_at timestamptz,
      confirmed_at timestamptz, traded_micros bigint, traded_price_micros bigint)
  ), judged as (
    select said.*, (listing.bid_prices, listing.bid_sizes, listing.ask_prices, listing.ask_sizes)
      is distinct from (said.bid_prices, said.bid_sizes, said.ask_prices, said.ask_sizes) as moved
    from said join listings listing on listing.venue = said.venue
      and listing.listing_id = said.listing_id
    where listing.session <> said.session or listing.venue_sequence is null
      or said.sequence >= listing.venue_sequence
  ), written as (
    update listings listing set bid_prices = judged.bid_prices, bid_sizes = judged.bid_sizes,
      ask_prices = judged.ask_prices,
      ask_sizes = judged.ask_sizes, feed = judged.feed, venue_sequence = judged.sequence,
        session = judged.session,
      book_updated_at = judged.updated_at,
        book_confirmed_at = least(judged.confirmed_at, clock_timestamp()),
      traded_micros = coalesce(judged.traded_micros, listing.traded_micros),
      traded_price_micros = coalesce(judged.traded_price_micros, listing.traded_price_micros),
      book_revision = case when judged.moved then p_revision else listing.book_revision end,
        revision = p_revision
    from judged where listing.venue = judged.venue and listing.listing_id = judged.listing_id
    returning listing.contract_id, judged.moved
  )
  update contracts contract set book_revision = p_revision
  where contract.contract_id in (select written.contract_id from written where written.moved)
    -- contracts that a support person matched show each other's books
    or contract.group_key in (select moved.group_key from written
      join contracts moved on moved.contract_id = written.contract_id where written.moved)
$$;

-- Ends routing between listings that a support person has matched, before the batch is written: if
-- the batch adds another listing to their contract, or changes the terms of one of them. Routing
-- stays ended until a support person matches them again. Open quotes on the contract are priced
-- again.
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
-- rank describes it, its listings, and the venue's report about its result. Returns the contracts
-- whose effective resolution changed.
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
      -- a group that a support person made is kept, because the venue does not have it
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

-- Records one batch of reports of venues: events, contracts with their listings, books, prices of
-- coins and heartbeats, all under one revision of the board. Only what changed is written. The
-- resolution of a venue takes effect at once, unless the service operator has resolved the
-- contract. Raises IN050 if the writer has lost the lease of ingestion (assert_lease). Locks: the
-- board's revision first. Returns the revision and the contracts whose resolution changed, which
-- the caller announces after the commit.
create or replace function ingest_board(
  p_batch jsonb, p_epoch bigint default null, p_holder text default null, out board_revision bigint,
  out resolved text[]
)
language plpgsql as $$
#variable_conflict use_column
declare
  v_revision bigint;
  v_now timestamptz := clock_timestamp();
  v_resolved text[] := '{}';
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  perform assert_lease('ingestion', p_epoch, p_holder);

  if jsonb_array_length(coalesce(p_batch->'events', '[]')) > 0 then
    insert into events as event (event_id, slug, rank, digest, title, subtitle, translations,
      category, categories, sport,
      league, event_type, live_match, image_source_url, kind, level_format, opens_at, closes_at,
        volume_micros,
      volume_24h_micros, revision)
    select given.event_id,
      -- a slug that another event has taken is made unique by a part of the id
      case when row_number() over (partition by given.slug order by given.event_id) > 1
          or exists (select from events other
            where other.slug = given.slug and other.event_id <> given.event_id)
        then given.slug || '-' || substr(given.event_id, 5, 8) else given.slug end,
      given.rank, given.digest, given.title, given.subtitle, given.translations, given.category,
        given.categories, given.sport,
      given.league, given.event_type, given.live_match, given.image_source_url, given.kind,
        given.level_format, given.opens_at, given.closes_at,
      given.volume_micros, given.volume_24h_micros, v_revision
    from (
      select distinct on (given.event_id) given.*
        from jsonb_to_recordset(p_batch->'events') as given(event_id text, slug text,
        rank smallint, digest text, title text, subtitle text, translations jsonb, category text,
          categories text[],
        sport text, league text, event_type text, live_match jsonb, image_source_url text,
          kind text,
        level_format text, opens_at timestamptz, closes_at timestamptz, volume_micros bigint,
        volume_24h_micros bigint)
      order by given.event_id, given.rank
    ) given
    on conflict (event_id) do update set rank = excluded.rank, digest = excluded.digest,
      title = excluded.title,
      subtitle = excluded.subtitle, translations = excluded.translations,
        category = excluded.category,
      categories = excluded.categories, sport = excluded.sport, league = excluded.league,
      event_type = excluded.event_type, live_match = excluded.live_match,
      image_source_url = excluded.image_source_url, kind = excluded.kind,
      level_format = excluded.level_format, opens_at = excluded.opens_at,
        closes_at = excluded.closes_at,
      volume_micros = excluded.volume_micros, volume_24h_micros = excluded.volume_24h_micros,
      updated_at = v_now, revision = v_revision
    where event.rank > excluded.rank
      or (event.rank = excluded.rank and event.digest <> excluded.digest);

    insert into event_course (event_id, at, home_score, away_score)
    select event.event_id, score."observedAt", score."homeScore", score."awayScore"
    from events event
    cross join jsonb_to_record(event.live_match)
      as score("observedAt" timestamptz, "homeScore" smallint, "awayScore" smallint)
    left join lateral (select last.home_score, last.away_score from event_course last
      where last.event_id = event.event_id order by last.at desc limit 1) last on true
    where event.revision = v_revision and score."homeScore" is not null
      and (score."homeScore", score."awayScore")
        is distinct from (last.home_score, last.away_score)
    on conflict do nothing;
  end if;

  insert into event_course (event_id, at, coin_price)
  select event.event_id, given.at, given.coin_price
  from jsonb_to_recordset(coalesce(p_batch->'coins', '[]'))
    as given(event_id text, at timestamptz, coin_price numeric)
  join events event using (event_id)
  on conflict do nothing;

  if jsonb_array_length(coalesce(p_batch->'contracts', '[]')) > 0 then
    v_resolved := ingest_contracts(p_batch->'contracts', v_revision, v_now);
  end if;

  -- Trading ends with the clock, whether the venue reports it or not.
  update contracts contract set trading_closed = true, status = 'closed', updated_at = v_now,
    revision = v_revision
  where contract.resolution is null and contract.closes_at <= v_now
    and contract.status in ('open', 'paused');

  if jsonb_array_length(coalesce(p_batch->'books', '[]')) > 0 then
    perform ingest_books(p_batch->'books', v_revision);
  end if;

  insert into venue_feeds as feed (venue, connected, session, confirmed_at, last_sync_at,
    revision)
  select given.venue, given.connected, coalesce(given.session, 0), least(given.confirmed_at, v_now),
    given.last_sync_at, v_revision
  from jsonb_to_recordset(coalesce(p_batch->'feeds', '[]'))
    as given(venue text, connected boolean, session bigint,
    confirmed_at timestamptz, last_sync_at timestamptz)
  on conflict (venue) do update set connected = excluded.connected,
    session = case when excluded.session = 0 then feed.session else excluded.session end,
    confirmed_at = coalesce(excluded.confirmed_at, feed.confirmed_at),
    last_sync_at = coalesce(excluded.last_sync_at, feed.last_sync_at), retired = false,
      revision = v_revision;

  board_revision := v_revision;
  resolved := v_resolved;
end
$$;
