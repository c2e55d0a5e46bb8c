-- Seals of an operator that do not fit: the chain, or the entries and lines that they were taken
-- over. Ranges that end before p_after are not checked; the chain begins with the last of them.
create or replace function broken_seals(p_operator_id text, p_after bigint)
returns table (number bigint, after_position bigint, through_position bigint, positions bigint[],
  marks bytea, reason text) language sql stable parallel safe as $$
  with base as (
    select earlier.number, earlier.through_position, earlier.seal from ledger_seals earlier
    where earlier.operator_id = p_operator_id and earlier.through_position <= p_after
    order by earlier.number desc limit 1
  )
  select seal_row.number, seal_row.after_position, seal_row.through_position, seal_row.positions,
    seal_row.marks,
    case when not seal_row.linked then 'the chain is broken'
      else 'entries changed after they were sealed' end
  from (
    select link.*, link.number = coalesce(lag(link.number) over chain, base.number, 0) + 1
      and link.after_position = coalesce(lag(link.through_position) over chain,
        base.through_position, 0)
      and link.seal = ledger_seal(coalesce(lag(link.seal) over chain, base.seal, '\x'),
        link.operator_id, link.number, link.after_position, link.through_position,
        link.positions, link.marks, link.digest) as linked
    from ledger_seals link left join base on true
    where link.operator_id = p_operator_id and link.number > coalesce(base.number, 0)
    window chain as (order by link.number)
  ) seal_row
  where not seal_row.linked
     or (seal_row.through_position > p_after
       and seal_row.digest <> ledger_digest(p_operator_id, seal_row.after_position,
       seal_row.through_position))
  order by seal_row.number
$$;
