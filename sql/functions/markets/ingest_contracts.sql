-- Ends routing between listings that a person matched, before p is written: where p brings another listing to their contract, or
-- other terms of one of them. It lasts until somebody matches them again. Open quotes on the contract are priced again.
create or replace function end_routing(p jsonb, v bigint) returns void language sql as $$
  with changed as (
    select c.group_key, case when bool_or(l.listing_id is null) then 'listing_joined' else 'terms_changed' end as because
    from jsonb_to_recordset(p) as x(venue text, listing_id text, contract_id text, terms text)
    join contracts c on c.contract_id = x.contract_id
    left join listings l on l.venue = x.venue and l.listing_id = x.listing_id
    where c.group_key is not null and (l.listing_id is null or l.terms <> x.terms)
    group by c.group_key
  ), ended as (
    update routing_groups g set verified_by = null, verified_at = null, ended_at = clock_timestamp(), ended_because = n.because
    from changed n where g.group_key = n.group_key and g.verified_at is not null
    returning g.group_key
  ), unrouted as (
    update contracts c set revision = v, book_revision = v where c.group_key in (select e.group_key from ended e)
    returning c.contract_id
  )
  update listings l set revision = v, book_revision = v where l.contract_id in (select u.contract_id from unrouted u)
$$;

-- The contracts part of ingest_board: facts of each contract from the venue that describes it, its listings, and
-- what the venue says of its result. Returns the contracts whose standing resolution changed.
create or replace function ingest_contracts(p jsonb, v bigint, v_now timestamptz) returns text[]
language plpgsql as $$
declare
  v_resolved text[];
begin
  insert into routing_groups (group_key)
  select distinct x->>'group_key' from jsonb_array_elements(p) x where x->>'group_key' is not null
  on conflict do nothing;

  insert into contracts as c (contract_id, event_id, status, trading_closed, five_minute, category, closes_at, rank,
    digest, venue_status, group_key, position, label, yes_label, no_label, translations, team_logo_url, team_color,
    team_marks, team_abbr, sports_market_type, threshold, direction, volume_micros, volume_24h_micros,
    last_price_micros, source_price_micros, revision)
  select x.contract_id, x.event_id, contract_status(null, false, x.venue_status, x.closes_at, v_now),
    contract_status(null, false, x.venue_status, x.closes_at, v_now) = 'closed', x.five_minute, x.category,
    x.closes_at, x.rank, x.digest, x.venue_status, x.group_key, x.position, x.label, x.yes_label, x.no_label,
    x.translations, x.team_logo_url, x.team_color, x.team_marks, x.team_abbr, x.sports_market_type, x.threshold,
    x.direction, x.volume_micros, x.volume_24h_micros, x.last_price_micros, x.source_price_micros, v
  from (
    -- of several venues in one batch the first describes the contract
    select distinct on (r.contract_id) r.* from jsonb_to_recordset(p) as r(contract_id text, event_id text,
      five_minute boolean, category text, closes_at timestamptz, rank smallint, digest text, venue_status text,
      group_key text, position integer, label text, yes_label text, no_label text, translations jsonb,
      team_logo_url text, team_color text, team_marks text[], team_abbr text, sports_market_type text,
      threshold numeric, direction text, volume_micros bigint, volume_24h_micros bigint, last_price_micros bigint,
      source_price_micros bigint)
    order by r.contract_id, r.rank
  ) x
  on conflict (contract_id) do update set event_id = excluded.event_id, five_minute = excluded.five_minute,
    category = excluded.category, closes_at = excluded.closes_at, rank = excluded.rank, digest = excluded.digest,
    venue_status = excluded.venue_status, group_key = excluded.group_key, position = excluded.position,
    label = excluded.label, yes_label = excluded.yes_label, no_label = excluded.no_label,
    translations = excluded.translations, team_logo_url = excluded.team_logo_url, team_color = excluded.team_color,
    team_marks = excluded.team_marks, team_abbr = excluded.team_abbr,
    sports_market_type = excluded.sports_market_type, threshold = excluded.threshold, direction = excluded.direction,
    volume_micros = excluded.volume_micros, volume_24h_micros = excluded.volume_24h_micros,
    last_price_micros = excluded.last_price_micros, source_price_micros = excluded.source_price_micros,
    updated_at = v_now, revision = v
  where c.rank > excluded.rank or (c.rank = excluded.rank and c.digest <> excluded.digest);

  -- A venue's new word on the result takes effect unless the service operator's own resolution stands.
  with said as (
    select distinct on (x.contract_id) x.* from jsonb_to_recordset(p) as x(contract_id text, rank smallint,
      resolution text, split_yes_micros bigint, resolved_at timestamptz)
    order by x.contract_id, x.rank
  ), news as (
    select c.contract_id, s.resolution, s.split_yes_micros, coalesce(s.resolved_at, v_now) as occurred_at,
      (c.resolved_by is distinct from 'operator') as applied,
      1 + coalesce((select max(r.version) from contract_resolutions r where r.contract_id = c.contract_id), 0) as version
    from said s join contracts c on c.contract_id = s.contract_id and c.rank = s.rank
    where (c.venue_resolution, c.venue_split_yes_micros) is distinct from (s.resolution, s.split_yes_micros)
  ), written as (
    update contracts c set venue_resolution = n.resolution, venue_split_yes_micros = n.split_yes_micros,
      resolution = case when n.applied then n.resolution else c.resolution end,
      resolution_version = case when n.applied then n.version else c.resolution_version end,
      split_yes_micros = case when n.applied then n.split_yes_micros else c.split_yes_micros end,
      resolved_at = case when not n.applied then c.resolved_at when n.resolution is not null then n.occurred_at end,
      resolved_by = case when not n.applied then c.resolved_by when n.resolution is not null then 'venue' end,
      status = case when not n.applied then c.status
        else contract_status(n.resolution, c.operator_paused, c.venue_status, c.closes_at, v_now) end,
      updated_at = v_now, revision = v
    from news n where c.contract_id = n.contract_id
    returning c.contract_id, n.applied
  ), noted as (
    insert into contract_resolutions (contract_id, version, resolution, split_yes_micros, source, applied, occurred_at)
    select n.contract_id, n.version, n.resolution, n.split_yes_micros, 'venue', n.applied, n.occurred_at
    from news n
  )
  select coalesce(array_agg(w.contract_id) filter (where w.applied), '{}') into v_resolved from written w;

  update contracts c set status = s.status, trading_closed = s.status in ('closed', 'resolved', 'voided'),
    updated_at = v_now, revision = v
  from (
    select k.contract_id,
      contract_status(k.resolution, k.operator_paused, k.venue_status, k.closes_at, v_now) as status
    from contracts k
    where k.contract_id in (select x->>'contract_id' from jsonb_array_elements(p) x)
  ) s
  where c.contract_id = s.contract_id
    and (c.status, c.trading_closed) is distinct from (s.status, s.status in ('closed', 'resolved', 'voided'));

  perform end_routing(p, v);

  insert into listings as l (venue, listing_id, contract_id, rank, fee_model, fee_bps, fee_known, minimum_minor,
    minimum_quantity_micros, quantity_step_micros, tick_micros, terms, revision)
  select x.venue, x.listing_id, x.contract_id, x.rank, x.fee_model, x.fee_bps, x.fee_known, x.minimum_minor,
    x.minimum_quantity_micros, x.quantity_step_micros, x.tick_micros, x.terms, v
  from jsonb_to_recordset(p) as x(venue text, listing_id text, contract_id text, rank smallint, fee_model text,
    fee_bps integer, fee_known boolean, minimum_minor bigint, minimum_quantity_micros bigint,
    quantity_step_micros bigint, tick_micros bigint, terms text)
  on conflict (venue, listing_id) do update set rank = excluded.rank, fee_model = excluded.fee_model,
    fee_bps = excluded.fee_bps, fee_known = excluded.fee_known, minimum_minor = excluded.minimum_minor,
    minimum_quantity_micros = excluded.minimum_quantity_micros,
    quantity_step_micros = excluded.quantity_step_micros, tick_micros = excluded.tick_micros,
    terms = excluded.terms, revision = v
  where (l.rank, l.fee_model, l.fee_bps, l.fee_known, l.minimum_minor, l.minimum_quantity_micros,
      l.quantity_step_micros, l.tick_micros, l.terms)
    is distinct from (excluded.rank, excluded.fee_model, excluded.fee_bps, excluded.fee_known, excluded.minimum_minor,
      excluded.minimum_quantity_micros, excluded.quantity_step_micros, excluded.tick_micros, excluded.terms);

  return v_resolved;
end
$$;
