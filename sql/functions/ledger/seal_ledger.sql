-- Seals one more batch of each operator that has unsealed entries: the hash of the batch, chained to the seal before.
-- Positions are dense and become visible in order, so what is read up to an entry is all there will ever be. One worker at
-- a time; another one finds the lock taken and seals nothing.
create or replace function seal_ledger(p_limit integer) returns table (operator_id text, entries integer) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  if not pg_try_advisory_xact_lock(7316001000000009) then
    return;
  end if;
  return query
  with link as (
    select o.operator_id, coalesce(s.number, 0) + 1 as number, coalesce(s.through_position, 0) as after_position,
      coalesce(s.seal, '\x') as previous
    from operators o left join lateral (
      select k.number, k.through_position, k.seal from ledger_seals k where k.operator_id = o.operator_id order by k.number desc limit 1) s on true
  ), batch as (
    select k.*, b.through_position
    from link k cross join lateral (
      select max(x.position) as through_position from (
        select e.position from ledger_entries e where e.operator_id = k.operator_id and e.position > k.after_position
        order by e.position limit p_limit) x) b
    where b.through_position is not null
  ), marked as (
    select b.*, m.positions, m.marks, ledger_digest(b.operator_id, b.after_position, b.through_position) as digest
    from batch b cross join lateral (
      select array_agg(place order by place) as positions, string_agg(mark, '' order by place) as marks
      from ledger_marks(b.operator_id, b.after_position, b.through_position)) m
  ), sealed as (
    insert into ledger_seals as k (operator_id, number, after_position, through_position, positions, marks, digest, seal)
    select m.operator_id, m.number, m.after_position, m.through_position, m.positions, m.marks, m.digest,
      ledger_seal(m.previous, m.operator_id, m.number, m.after_position, m.through_position, m.positions, m.marks, m.digest)
    from marked m
    returning k.operator_id::text, cardinality(k.positions)
  )
  select * from sealed;
end $$;
