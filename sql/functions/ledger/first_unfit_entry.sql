-- The first entry that does not fit its seal: changed, missing or added. No row where all that is sealed fits.
create or replace function first_unfit_entry(p_operator_id text, p_after bigint)
returns table (place bigint, entry_id text, reason text) language sql stable parallel safe as $$
  with broken as materialized (
    select * from broken_seals(p_operator_id, p_after) order by number limit 1
  ), said as (
    select t.place, substring(b.marks from (t.n * 8 - 7)::integer for 8) as mark
    from broken b cross join lateral unnest(b.positions) with ordinality t(place, n)
  ), found as (
    select m.* from broken b cross join lateral ledger_marks(p_operator_id, b.after_position, b.through_position) m
  ), unfit as (
    select coalesce(s.place, f.place) as place, f.entry_id,
      case when f.place is null then 'the entry is missing'
           when s.place is null then 'the entry was added after its range was sealed'
           else 'the entry or its lines were changed after it was sealed' end as reason
    from said s full join found f on f.place = s.place
    where s.mark is distinct from f.mark
    order by 1 limit 1
  )
  select * from unfit
  union all
  -- entries and marks agree and the seal does not: the seal itself, or a line without an entry
  select b.after_position + 1, null, 'the seal ' || b.number || ' over positions ' || b.after_position + 1 || ' to ' || b.through_position
    || ': ' || b.reason
  from broken b where not exists (select 1 from unfit)
$$;
