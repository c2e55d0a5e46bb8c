-- The first entry that does not fit its seal: changed, missing or added. No row where all that is
-- sealed fits.
create or replace function first_unfit_entry(p_operator_id text, p_after bigint)
returns table (place bigint, entry_id text, reason text) language sql stable parallel safe as $$
  with broken as materialized (
    select * from broken_seals(p_operator_id, p_after) order by number limit 1
  ), said as (
    select sealed.place, substring(broken.marks from (sealed.n * 8 - 7)::integer for 8) as mark
    from broken cross join lateral unnest(broken.positions) with ordinality sealed(place, n)
  ), found as (
    select entry_mark.* from broken cross
      join lateral ledger_marks(p_operator_id, broken.after_position,
      broken.through_position) entry_mark
  ), unfit as (
    select coalesce(said.place, found.place) as place, found.entry_id,
      case when found.place is null then 'the entry is missing'
           when said.place is null then 'the entry was added after its range was sealed'
           else 'the entry or its lines were changed after it was sealed' end as reason
    from said full join found on found.place = said.place
    where said.mark is distinct from found.mark
    order by 1 limit 1
  )
  select * from unfit
  union all
  -- entries and marks agree and the seal does not: the seal itself, or a line without an entry
  select broken.after_position + 1, null, 'the seal ' || broken.number || ' over positions '
    || broken.after_position + 1 || ' to ' || broken.through_position
    || ': ' || broken.reason
  from broken where not exists (select 1 from unfit)
$$;
