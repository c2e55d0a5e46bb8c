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

  -- Trading ends with the clock, whether the venue says so or not.
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
