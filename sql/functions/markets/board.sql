-- The board's reads and writes beside ingestion: its contents, the listings that are followed to
-- their end, and prices of a day ago.

-- Everything on the board that is newer than p_since, in one snapshot; if p_since is null, the
-- whole board without the contracts that resolved before the horizons. `at` is the time of the read
-- on the database's clock, by which ages are measured. 64-bit integers are sent as text, because
-- the JSON numbers of JavaScript are exact only up to 2^53.
create or replace function read_board(p_since bigint, p_horizon timestamptz,
  p_short_horizon timestamptz)
returns json language sql stable
-- One plan for all calls: planning costs more than reading what has changed.
set plan_cache_mode = force_generic_plan as $$
  with shown_events as (
    select * from events event
    where case when p_since is not null then event.revision > p_since
      else exists (
        select from contracts contract
          where contract.event_id = event.event_id and (contract.resolution is null
          or contract.resolved_at > case when contract.five_minute then p_short_horizon
            else p_horizon end)) end
  ), shown_contracts as (
    select contract.*, routing.verified_at is not null as verified
    from contracts contract left join routing_groups routing
      on routing.group_key = contract.group_key
    where case when p_since is not null then contract.revision > p_since
      else contract.event_id in (select shown_events.event_id from shown_events) end
  ), shown_listings as (
    select listing.* from listings listing
    where case when p_since is not null then listing.revision > p_since
      else listing.contract_id in (select shown_contracts.contract_id from shown_contracts) end
  )
  select json_build_object(
    'revision', (select board.revision::text from board_revision board),
    'at', clock_timestamp(),
    'events', (select coalesce(json_agg(
      json_build_object('eventId', shown_events.event_id, 'slug', shown_events.slug, 'title',
      shown_events.title,
      'subtitle', shown_events.subtitle, 'translations', shown_events.translations, 'category',
        shown_events.category, 'categories', shown_events.categories,
      'sport', shown_events.sport, 'league', shown_events.league, 'eventType',
        shown_events.event_type, 'liveMatch', shown_events.live_match,
      'imageSourceUrl', shown_events.image_source_url, 'kind', shown_events.kind, 'levelFormat',
        shown_events.level_format,
      'opensAt', shown_events.opens_at, 'closesAt', shown_events.closes_at, 'updatedAt',
        shown_events.updated_at,
      'volumeMicros', shown_events.volume_micros::text, 'volume24hMicros',
        shown_events.volume_24h_micros::text,
      'revision', shown_events.revision::text)), '[]') from shown_events),
    'contracts', (select coalesce(json_agg(
      json_build_object('contractId', shown_contracts.contract_id, 'eventId',
      shown_contracts.event_id,
      'category', shown_contracts.category, 'status', shown_contracts.status, 'tradingClosed',
        shown_contracts.trading_closed, 'fiveMinute', shown_contracts.five_minute,
      'closesAt', shown_contracts.closes_at, 'resolution', shown_contracts.resolution,
        'splitYesMicros', shown_contracts.split_yes_micros::text,
      'resolvedAt', shown_contracts.resolved_at, 'groupKey', shown_contracts.group_key, 'inverse',
        shown_contracts.inverse, 'verified', shown_contracts.verified,
        'position', shown_contracts.position,
      'label', shown_contracts.label, 'yesLabel', shown_contracts.yes_label, 'noLabel',
        shown_contracts.no_label, 'translations', shown_contracts.translations,
      'teamLogoUrl', shown_contracts.team_logo_url, 'teamColor', shown_contracts.team_color,
        'teamMarks', shown_contracts.team_marks, 'teamAbbr', shown_contracts.team_abbr,
      'sportsMarketType', shown_contracts.sports_market_type, 'threshold',
        shown_contracts.threshold::text, 'direction', shown_contracts.direction,
      'volumeMicros', shown_contracts.volume_micros::text, 'volume24hMicros',
        shown_contracts.volume_24h_micros::text,
      'lastPriceMicros', shown_contracts.last_price_micros::text, 'sourcePriceMicros',
        shown_contracts.source_price_micros::text,
      'price24hAgoMicros', shown_contracts.price_24h_ago_micros::text, 'updatedAt',
        shown_contracts.updated_at,
      'revision', shown_contracts.revision::text)), '[]') from shown_contracts),
    'listings', (select coalesce(json_agg(
      json_build_object('venue', shown_listings.venue, 'listingId', shown_listings.listing_id,
      'contractId', shown_listings.contract_id, 'rank', shown_listings.rank, 'bidPrices',
        shown_listings.bid_prices::text, 'bidSizes', shown_listings.bid_sizes::text,
      'askPrices', shown_listings.ask_prices::text, 'askSizes', shown_listings.ask_sizes::text,
        'feed', shown_listings.feed, 'session', shown_listings.session::text,
      'updatedAt', shown_listings.book_updated_at, 'confirmedAt', shown_listings.book_confirmed_at,
        'bookRevision', shown_listings.book_revision::text,
      'feeModel', shown_listings.fee_model, 'feeBps', shown_listings.fee_bps, 'feeKnown',
        shown_listings.fee_known, 'feeBrokerBps', shown_listings.fee_broker_bps,
      'minimumMinor', shown_listings.minimum_minor::text,
      'minimumQuantityMicros', shown_listings.minimum_quantity_micros::text,
      'quantityStepMicros', shown_listings.quantity_step_micros::text, 'tickMicros',
        shown_listings.tick_micros::text, 'part', shown_listings.part,
      'tradedMicros', shown_listings.traded_micros::text, 'tradedPriceMicros',
        shown_listings.traded_price_micros::text,
      'revision', shown_listings.revision::text)), '[]') from shown_listings),
    'feeds', (select coalesce(json_agg(
      json_build_object('venue', feed.venue, 'connected', feed.connected,
      'session', feed.session::text, 'retired', feed.retired, 'confirmedAt', feed.confirmed_at,
        'lastSyncAt', feed.last_sync_at,
      'stopped', exists (select from venue_stops stop
        where stop.venue = feed.venue and stop.resumed_at is null)
        or exists (select from venue_pauses pause
          where pause.venue = feed.venue and pause.seen_at > now() - interval '1 minute')
        or exists (select from venue_held_back(feed.venue) held where held.because is not null),
      'cashMicros', account.balance_micros::text,
      'parts', (select coalesce(json_agg(json_build_object('part', on_part.part, 'cashMicros',
        on_part.balance_micros::text, 'paused', on_part.paused) order by on_part.part), '[]')
        from venue_parts on_part where on_part.venue = feed.venue
          and on_part.read_at > now() - interval '2 minutes'))), '[]')
      from venue_feeds feed left join venue_accounts account on account.venue = feed.venue
        and account.compared_at > now() - interval '2 minutes'
      where p_since is null or feed.revision > p_since)
  )
$$;

-- The listings of a venue that are followed to their end, even if the venue's catalogue no longer
-- contains them: those without a result yet on which a position or an order is open, of their own
-- contract or of one that was matched with it; and those that were paid in the last three days,
-- because a venue may still change a result.
create or replace function held_listings(p_venue text) returns setof text
language plpgsql stable as $$
declare
  -- of contracts: markets are not on the servers of the operators' rows
  v_followed text[];
  v_resolved text[];
  v_paid text[];
begin
  v_followed := array(
    select position.contract_id from positions position where position.status = 'open'
    union
    select order_row.contract_id from orders order_row
      where order_row.status in ('reserve_pending', 'pending_venue_execution', 'submitted',
        'partially_filled', 'pending')
        and is_open_order(order_row.status, order_row.transmission_state));
  v_resolved := array(select contract.contract_id from contracts contract
    where contract.resolved_at > now() - interval '3 days');
  v_paid := array(select distinct paid.contract_id from journal paid
    where paid.contract_id = any (v_resolved) and paid.kind = 'position_settled');
  return query
  select listing.listing_id from listings listing
    join contracts contract on contract.contract_id = listing.contract_id
  where listing.venue = p_venue and case
    when contract.resolution is null then contract.contract_id = any (v_followed)
      or contract.group_key in (select other.group_key from contracts other
        where other.contract_id = any (v_followed))
    else contract.contract_id = any (v_paid) end;
end $$;

-- Stores with each open contract its price of a day before p_now, or the oldest recorded since
-- then. Only changes are written, under a new revision of the board.
create or replace function note_day_old_prices(p_now timestamptz)
returns bigint language plpgsql as $$
declare
  v_revision bigint;
begin
  update board_revision board set revision = board.revision + 1
    returning board.revision into v_revision;
  update contracts contract set price_24h_ago_micros = day_old.price_micros, revision = v_revision
  from contracts trading cross join lateral (
    select price.price_micros from price_history price
    where price.contract_id = trading.contract_id and price.step_minutes = 5
      and price.at >= p_now - interval '24 hours'
    order by price.at limit 1
  ) day_old
  where contract.contract_id = trading.contract_id and trading.resolution is null
    and trading.status = 'open'
    and contract.price_24h_ago_micros is distinct from day_old.price_micros;
  return v_revision;
end
$$;
