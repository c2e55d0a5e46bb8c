-- Records one batch of what venues said: events, contracts with their listings, books and heartbeats, all under one
-- revision. Only what truly changed is written. Resolutions take effect at once unless the service operator's own
-- stands. Refused where the lease of ingestion is not the writer's any more; see assert_lease. Returns the revision and the
-- contracts whose resolution changed, for the notifications after the commit.
create or replace function ingest_board(
  p jsonb, p_epoch bigint default null, p_holder text default null, out board_revision bigint, out resolved text[]
)
language plpgsql as $$
#variable_conflict use_column
declare
  v bigint;
  v_now timestamptz := clock_timestamp();
  v_resolved text[] := '{}';
begin
  update board_revision b set revision = b.revision + 1 returning b.revision into v;
  perform assert_lease('ingestion', p_epoch, p_holder);

  if jsonb_array_length(coalesce(p->'events', '[]')) > 0 then
    insert into events as e (event_id, slug, rank, digest, title, subtitle, translations, category, categories, sport,
      league, event_type, live_match, image_source_url, kind, level_format, opens_at, closes_at, volume_micros,
      volume_24h_micros, revision)
    select x.event_id,
      -- a slug that another event has taken is told apart by a piece of the id
      case when row_number() over (partition by x.slug order by x.event_id) > 1
          or exists (select from events o where o.slug = x.slug and o.event_id <> x.event_id)
        then x.slug || '-' || substr(x.event_id, 5, 8) else x.slug end,
      x.rank, x.digest, x.title, x.subtitle, x.translations, x.category, x.categories, x.sport,
      x.league, x.event_type, x.live_match, x.image_source_url, x.kind, x.level_format, x.opens_at, x.closes_at,
      x.volume_micros, x.volume_24h_micros, v
    from (
      select distinct on (r.event_id) r.* from jsonb_to_recordset(p->'events') as r(event_id text, slug text,
        rank smallint, digest text, title text, subtitle text, translations jsonb, category text, categories text[],
        sport text, league text, event_type text, live_match jsonb, image_source_url text, kind text,
        level_format text, opens_at timestamptz, closes_at timestamptz, volume_micros bigint,
        volume_24h_micros bigint)
      order by r.event_id, r.rank
    ) x
    on conflict (event_id) do update set rank = excluded.rank, digest = excluded.digest, title = excluded.title,
      subtitle = excluded.subtitle, translations = excluded.translations, category = excluded.category,
      categories = excluded.categories, sport = excluded.sport, league = excluded.league,
      event_type = excluded.event_type, live_match = excluded.live_match,
      image_source_url = excluded.image_source_url, kind = excluded.kind,
      level_format = excluded.level_format, opens_at = excluded.opens_at, closes_at = excluded.closes_at,
      volume_micros = excluded.volume_micros, volume_24h_micros = excluded.volume_24h_micros,
      updated_at = v_now, revision = v
    where e.rank > excluded.rank or (e.rank = excluded.rank and e.digest <> excluded.digest);
  end if;

  if jsonb_array_length(coalesce(p->'contracts', '[]')) > 0 then
    v_resolved := ingest_contracts(p->'contracts', v, v_now);
  end if;

  -- Trading ends with the clock, whether the venue says so or not.
  update contracts c set trading_closed = true, status = 'closed', updated_at = v_now, revision = v
  where c.resolution is null and c.closes_at <= v_now and c.status in ('open', 'paused');

  if jsonb_array_length(coalesce(p->'books', '[]')) > 0 then
    perform ingest_books(p->'books', v);
  end if;

  insert into venue_feeds as f (venue, connected, session, confirmed_at, last_sync_at, revision)
  select x.venue, x.connected, coalesce(x.session, 0), least(x.confirmed_at, v_now), x.last_sync_at, v
  from jsonb_to_recordset(coalesce(p->'feeds', '[]')) as x(venue text, connected boolean, session bigint,
    confirmed_at timestamptz, last_sync_at timestamptz)
  on conflict (venue) do update set connected = excluded.connected,
    session = case when excluded.session = 0 then f.session else excluded.session end,
    confirmed_at = coalesce(excluded.confirmed_at, f.confirmed_at),
    last_sync_at = coalesce(excluded.last_sync_at, f.last_sync_at), retired = false, revision = v;

  board_revision := v;
  resolved := v_resolved;
end
$$;
