-- Seals one more batch of each operator that has unsealed entries: the hash of the batch, chained
-- to the seal before. Positions are dense and become visible in order, so what is read up to an
-- entry is all there will ever be. One worker at a time; another one finds the lock taken and seals
-- nothing.
create or replace function seal_ledger(p_limit integer)
returns table (operator_id text, entries integer) language plpgsql
-- By index only: a plan that was made on small tables must not scan them when they have grown.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  if not pg_try_advisory_xact_lock(7316001000000009) then
    return;
  end if;
  return query
  with link as (
    select operator.operator_id, coalesce(last_seal.number, 0) + 1 as number,
      coalesce(last_seal.through_position, 0) as after_position,
      coalesce(last_seal.seal, '\x') as previous
    from operators operator left join lateral (
      select seal_row.number, seal_row.through_position, seal_row.seal from ledger_seals seal_row
        where seal_row.operator_id = operator.operator_id
        order by seal_row.number desc limit 1) last_seal on true
  ), batch as (
    select link.*, reached.through_position
    from link cross join lateral (
      select max(next_entries.position) as through_position from (
        select entry.position from ledger_entries entry
          where entry.operator_id = link.operator_id and entry.position > link.after_position
        order by entry.position limit p_limit) next_entries) reached
    where reached.through_position is not null
  ), marked as (
    select batch.*, entry_marks.positions, entry_marks.marks,
      ledger_digest(batch.operator_id, batch.after_position, batch.through_position) as digest
    from batch cross join lateral (
      select array_agg(place order by place) as positions,
        string_agg(mark, '' order by place) as marks
      from ledger_marks(batch.operator_id, batch.after_position,
        batch.through_position)) entry_marks
  ), sealed as (
    insert into ledger_seals as seal_row (operator_id, number, after_position, through_position,
      positions, marks, digest, seal)
    select marked.operator_id, marked.number, marked.after_position, marked.through_position,
      marked.positions, marked.marks, marked.digest,
      ledger_seal(marked.previous, marked.operator_id, marked.number, marked.after_position,
        marked.through_position, marked.positions, marked.marks, marked.digest)
    from marked
    returning seal_row.operator_id::text, cardinality(seal_row.positions)
  )
  select * from sealed;
end $$;
