-- Lines of corrections: the movements that no order, settlement or deposit explains, and that name what they correct.
create or replace function correction_lines(p_operator_id text) returns table (account_id text, amount numeric) language sql stable parallel safe as $$
  select l.account_id, sum(l.amount)
  from ledger_entries e join ledger_lines l on l.operator_id = e.operator_id and l.position = e.position
  where e.operator_id = p_operator_id and e.corrects_entry_id is not null
  group by l.account_id
$$;
