-- What a board shows that is newer than p_since (null: everything it keeps), in one snapshot. Contracts that resolved
-- before the horizons are left out of a whole load.
-- `at` is the moment of reading on the database's clock, by which ages are measured.
-- 64-bit integers go as text, because JSON numbers of JavaScript are not exact beyond 2^53.
create or replace function read_board(p_since bigint, p_horizon timestamptz, p_short_horizon timestamptz)
returns json language sql stable as $$
  with e as (
    select * from events e
    where case when p_since is not null then e.revision > p_since
      else exists (
        select from contracts c where c.event_id = e.event_id and (c.resolution is null
          or c.resolved_at > case when c.five_minute then p_short_horizon else p_horizon end)) end
  ), c as (
    select c.*, g.verified_at is not null as verified
    from contracts c left join routing_groups g on g.group_key = c.group_key
    where case when p_since is not null then c.revision > p_since
      else c.event_id in (select e.event_id from e) end
  ), l as (
    select l.* from listings l
    where case when p_since is not null then l.revision > p_since
      else l.contract_id in (select c.contract_id from c) end
  )
  select json_build_object(
    'revision', (select b.revision::text from board_revision b),
    'at', clock_timestamp(),
    'events', (select coalesce(json_agg(json_build_object('eventId', e.event_id, 'slug', e.slug, 'title', e.title,
      'subtitle', e.subtitle, 'translations', e.translations, 'category', e.category, 'categories', e.categories,
      'sport', e.sport, 'league', e.league, 'eventType', e.event_type, 'liveMatch', e.live_match,
      'imageSourceUrl', e.image_source_url, 'kind', e.kind, 'levelFormat', e.level_format,
      'opensAt', e.opens_at, 'closesAt', e.closes_at, 'updatedAt', e.updated_at,
      'volumeMicros', e.volume_micros::text, 'volume24hMicros', e.volume_24h_micros::text,
      'revision', e.revision::text)), '[]') from e),
    'contracts', (select coalesce(json_agg(json_build_object('contractId', c.contract_id, 'eventId', c.event_id,
      'category', c.category, 'status', c.status, 'tradingClosed', c.trading_closed, 'fiveMinute', c.five_minute,
      'closesAt', c.closes_at, 'resolution', c.resolution, 'splitYesMicros', c.split_yes_micros::text,
      'resolvedAt', c.resolved_at, 'groupKey', c.group_key, 'verified', c.verified, 'position', c.position,
      'label', c.label, 'yesLabel', c.yes_label, 'noLabel', c.no_label, 'translations', c.translations,
      'teamLogoUrl', c.team_logo_url, 'teamColor', c.team_color, 'teamMarks', c.team_marks, 'teamAbbr', c.team_abbr,
      'sportsMarketType', c.sports_market_type, 'threshold', c.threshold::text, 'direction', c.direction,
      'volumeMicros', c.volume_micros::text, 'volume24hMicros', c.volume_24h_micros::text,
      'lastPriceMicros', c.last_price_micros::text, 'sourcePriceMicros', c.source_price_micros::text,
      'price24hAgoMicros', c.price_24h_ago_micros::text, 'updatedAt', c.updated_at,
      'revision', c.revision::text)), '[]') from c),
    'listings', (select coalesce(json_agg(json_build_object('venue', l.venue, 'listingId', l.listing_id,
      'contractId', l.contract_id, 'rank', l.rank, 'bidPrices', l.bid_prices::text, 'bidSizes', l.bid_sizes::text,
      'askPrices', l.ask_prices::text, 'askSizes', l.ask_sizes::text, 'feed', l.feed, 'session', l.session::text,
      'updatedAt', l.book_updated_at, 'confirmedAt', l.book_confirmed_at, 'bookRevision', l.book_revision::text,
      'feeModel', l.fee_model, 'feeBps', l.fee_bps, 'feeKnown', l.fee_known, 'minimumMinor', l.minimum_minor::text,
      'minimumQuantityMicros', l.minimum_quantity_micros::text,
      'quantityStepMicros', l.quantity_step_micros::text, 'tickMicros', l.tick_micros::text,
      'revision', l.revision::text)), '[]') from l),
    'feeds', (select coalesce(json_agg(json_build_object('venue', f.venue, 'connected', f.connected,
      'session', f.session::text, 'retired', f.retired, 'confirmedAt', f.confirmed_at, 'lastSyncAt', f.last_sync_at)), '[]')
      from venue_feeds f where p_since is null or f.revision > p_since)
  )
$$;
