-- Moves orders along their states: confirm, withdraw, begin a transmission, record what a venue said. A batch holds at most
-- one move per customer; customers are locked first, then the totals of exposure, the counters last. A move is written with
-- its attempt, fills, position, exposure and facts, or answered with a code and nothing is written for it: `order_moved` and
-- `position_changed` ask the caller to decide again, `waits` is a shut gate, the rest are reasons to withdraw or refuse.
create or replace function move_orders(batch json, p_facts json)
returns table (number integer, code text, version bigint, moved_at timestamptz) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  moves order_move[];
  codes text[];
  exposures_ bigint[];
  position_ids text[];
  facts fact[];
  moved timestamptz;
  -- what a batch has none of costs it nothing
  begins_ boolean;
  exposes boolean;
  commits boolean;
  answers boolean;
  fills_ boolean;
  trades boolean;
begin
  select array_agg(m order by m.number), bool_or(m.begins), bool_or(m.exposure_minor <> 0), bool_or(m.collateral_minor > 0),
    bool_or(m.attempt is null and m.attempt_state is not null), bool_or(m.fills is not null),
    bool_or(m.add_quantity > 0 or m.add_cost_minor <> 0 or m.take_quantity > 0 or m.unhold_quantity > 0)
  into moves, begins_, exposes, commits, answers, fills_, trades
  from json_populate_recordset(null::order_move, batch) m;

  perform 1 from customers k
  where (k.operator_id, k.external_user_id) in (select q.operator_id, q.external_user_id from unnest(moves) q)
  order by k.operator_id, k.external_user_id for no key update;
  if begins_ then
    -- the total must be there to be locked, or the first orders of an operator would not see each other
    insert into exposures as e (operator_id, external_user_id)
    select distinct q.operator_id, '' from unnest(moves) q where q.begins order by 1 on conflict do nothing;
  end if;
  if begins_ or exposes then
    perform 1 from exposures e
    where (e.operator_id, e.external_user_id) in (select q.operator_id, '' from unnest(moves) q where q.exposure_minor <> 0 or q.begins)
    order by e.operator_id for update;
  end if;
  moved := clock_timestamp();

  select array_agg(v.code order by v.number) into codes
  from (
    select q.number, case
      when r.order_id is null then 'unknown_order'
      when r.version <> q.expected_version then 'order_moved'
      when q.position_version is not null and (p.position_id is null or p.version <> q.position_version) then 'position_changed'
      when q.begins and q.adopts is not true then transmission_refusal(o, k, m, r)
      end as code
    from unnest(moves) q
      join operators o on o.operator_id = q.operator_id
      left join orders r on r.operator_id = q.operator_id and r.order_id = q.order_id
      left join customers k on k.operator_id = q.operator_id and k.external_user_id = q.external_user_id
      left join contracts m on m.contract_id = r.contract_id
      left join lateral (
        select p.position_id, p.version from positions p
        where q.position_version is not null and p.operator_id = q.operator_id and p.position_id = q.position_id and p.status = 'open' limit 1) p on true
  ) v;

  if commits then
    select array_agg(case when codes[q.number] is null and q.number = any (x.short) then 'insufficient_collateral' else codes[q.number] end order by q.number)
    into codes
    from unnest(moves) q cross join (
      select short_of_collateral(array_agg(c.number), array_agg(c.operator_id), array_agg(c.collateral_minor)) as short
      from unnest(moves) c where codes[c.number] is null and c.collateral_minor > 0) x;
  end if;

  if begins_ then
    select array_agg(case when codes[q.number] is null and q.number = any (x.over) then 'over_tenant_exposure' else codes[q.number] end order by q.number)
    into codes
    from unnest(moves) q cross join (
      select over_total_caps(array_agg(c.number), array_agg(c.operator_id), array_agg(c.exposure_minor)) as over
      from unnest(moves) c where codes[c.number] is null and c.begins and c.adopts is not true and c.exposure_minor > 0) x;
  end if;

  if exposes then
    -- asked before the positions move: fees that come off, or come after, what was sold meanwhile are no exposure of what is held
    select array_agg(q.exposure_minor + case
        when q.add_quantity > 0 and q.add_fees_minor < 0 then greatest(0, -q.add_fees_minor - coalesce(
          (select p.entry_fees_minor from positions p where p.operator_id = r.operator_id and p.external_user_id = r.external_user_id
             and p.contract_id = r.contract_id and p.side = r.side and p.simulated = r.simulated and p.status = 'open'), 0))
        when coalesce(q.add_quantity, 0) = 0 and q.add_cost_minor <> 0 and exists (select 1 from positions p
          where p.operator_id = r.operator_id and p.position_id = r.position_id and p.status <> 'open') then -q.add_cost_minor
        else 0 end order by q.number)
    into exposures_
    from unnest(moves) q left join orders r on r.operator_id = q.operator_id and r.order_id = q.order_id;
  end if;

  if trades then
    position_ids := move_positions((select array_agg(q) from unnest(moves) q where codes[q.number] is null), moved, cardinality(moves));
  end if;

  update orders r set
    status = coalesce(q.status, r.status),
    transmission_state = coalesce(q.transmission_state, r.transmission_state),
    filled_quantity = coalesce(q.filled_quantity, r.filled_quantity),
    price_weight = coalesce(q.price_weight, r.price_weight),
    trade_minor = coalesce(q.trade_minor, r.trade_minor),
    platform_fee_minor = coalesce(q.platform_fee_minor, r.platform_fee_minor),
    venue_fee_minor = coalesce(q.venue_fee_minor, r.venue_fee_minor),
    venue_fee_known = coalesce(q.venue_fee_known, r.venue_fee_known),
    debit_minor = coalesce(q.debit_minor, r.debit_minor),
    release_minor = coalesce(q.release_minor, r.release_minor),
    proceeds_minor = coalesce(q.proceeds_minor, r.proceeds_minor),
    counted_stake_minor = coalesce(q.counted_stake_minor, r.counted_stake_minor),
    exited_fills = coalesce(q.exited_fills, r.exited_fills),
    reject_reason = coalesce(q.reject_reason, r.reject_reason),
    reserve_reference = coalesce(q.reserve_reference, r.reserve_reference),
    reserve_confirmed_at = case when q.confirms then coalesce(r.reserve_confirmed_at, moved) else r.reserve_confirmed_at end,
    cancellation_id = coalesce(q.cancellation_id, r.cancellation_id),
    cancelled_at = case when q.cancellation_id is not null then moved else r.cancelled_at end,
    cancel_reason = coalesce(q.cancel_reason, r.cancel_reason),
    position_id = coalesce(position_ids[q.number], r.position_id),
    transmitted_at = case when q.begins then moved else r.transmitted_at end,
    updated_at = moved, version = r.version + 1
  from unnest(moves) q
  where codes[q.number] is null and r.operator_id = q.operator_id and r.order_id = q.order_id;

  if begins_ then
    insert into transmissions (operator_id, order_id, our_id, venue, listing_id, side, action, quantity, limit_price_micros, max_cost_micros,
      sent_at, expires_at, state, next_lookup_at)
    select q.operator_id, q.order_id, a.our_id, a.venue, a.listing_id, a.side, a.action, a.quantity, a.limit_price_micros, a.max_cost_micros,
      moved, coalesce(moved + make_interval(secs => a.valid_seconds), a.expires_at), q.attempt_state, moved + make_interval(secs => q.lookup_in_seconds)
    from unnest(moves) q cross join lateral json_to_record(q.attempt) as a(our_id text, venue text, listing_id text, side text, action text,
      quantity bigint, limit_price_micros bigint, max_cost_micros bigint, valid_seconds double precision, expires_at timestamptz)
    where codes[q.number] is null and q.attempt is not null;
  end if;

  if answers then
    update transmissions t set state = q.attempt_state, lookups = t.lookups + 1, not_found = coalesce(q.attempt_not_found, 0),
      answered_at = case when q.attempt_state in ('working', 'reading_fee', 'done') then coalesce(t.answered_at, moved) else t.answered_at end,
      next_lookup_at = next_lookup_at(moved, t.expires_at, t.lookups, false)
    from unnest(moves) q
    where codes[q.number] is null and q.attempt is null and q.attempt_state is not null and t.operator_id = q.operator_id and t.order_id = q.order_id;
  end if;

  if fills_ then
    insert into fills as f (operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, venue_fill_id, filled_at)
    select q.operator_id, q.order_id, x.fill_no, x.fill_id, x.quantity, x.price_micros, x.fee_micros, x.venue_fill_id, moved
    from unnest(moves) q cross join lateral json_to_recordset(q.fills) as x(fill_no integer, fill_id text, quantity bigint, price_micros bigint,
      fee_micros bigint, venue_fill_id text)
    where codes[q.number] is null and q.fills is not null
    on conflict (operator_id, order_id, fill_no) do update set fee_micros = coalesce(f.fee_micros, excluded.fee_micros);
  end if;

  if exposes then
    perform add_exposures(array_agg(q.operator_id), array_agg(q.external_user_id), array_agg(exposures_[q.number]))
    from unnest(moves) q where codes[q.number] is null and q.exposure_minor <> 0;
  end if;

  select array_agg(r.position_id order by q.number) into position_ids
  from unnest(moves) q left join orders r on r.operator_id = q.operator_id and r.order_id = q.order_id;

  select array_agg(row(f.ord, f.operator_id, f.type, f.item_id, f.external_user_id,
    case when f.type <> 'ledger.posted' then position_ids[f.command] end,
    f.order_id, f.money, f.detail, f.lines, f.event)::fact)
  into facts
  from json_to_recordset(p_facts) as f(command integer, ord integer, operator_id text, type text, item_id text, external_user_id text,
    order_id text, money json, detail json, lines json, event json)
  where f.command between 1 and cardinality(moves) and codes[f.command] is null;
  if coalesce(cardinality(facts), 0) is distinct from (
      select coalesce(sum(q.fact_count), 0) from unnest(moves) q where codes[q.number] is null) then
    raise exception 'the batch does not carry the facts that its commands count' using errcode = 'IN004';
  end if;
  perform record_facts(facts);

  return query
    select q.number, codes[q.number], q.expected_version + 1, moved from unnest(moves) q order by q.number;
end $$;
