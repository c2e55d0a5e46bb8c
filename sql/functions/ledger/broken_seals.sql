-- Seals of an operator that do not fit: the chain, or the entries and lines that they were taken over. Ranges that end
-- before p_after are only checked as links.
create or replace function broken_seals(p_operator_id text, p_after bigint)
returns table (number bigint, after_position bigint, through_position bigint, positions bigint[], marks bytea, reason text) language sql stable parallel safe as $$
  select s.number, s.after_position, s.through_position, s.positions, s.marks,
    case when not s.linked then 'the chain is broken' else 'entries changed after they were sealed' end
  from (
    select k.*, k.number = coalesce(lag(k.number) over w, 0) + 1 and k.after_position = coalesce(lag(k.through_position) over w, 0)
      and k.seal = ledger_seal(coalesce(lag(k.seal) over w, '\x'), k.operator_id, k.number, k.after_position, k.through_position,
        k.positions, k.marks, k.digest) as linked
    from ledger_seals k where k.operator_id = p_operator_id window w as (order by k.number)
  ) s
  where not s.linked
     or (s.through_position > p_after and s.digest <> ledger_digest(p_operator_id, s.after_position, s.through_position))
  order by s.number
$$;
