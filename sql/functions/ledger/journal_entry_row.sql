-- The row of the journal that has a ledger entry of this id; no row if there is none.
create or replace function journal_entry_row(p_operator_id text, p_entry_id text)
returns setof journal language plpgsql stable as $$
declare
  v_digits text := substr(p_entry_id, 5);
begin
  if p_entry_id !~ '^ent_[0-9a-f]{32}$' then
    return;
  end if;
  return query select * from journal row
    where row.digits = v_digits::uuid and row.operator_id = p_operator_id
    union all
    select * from journal row where row.order_id = 'ord_' || v_digits
      and row.kind = 'order_executed' and row.operator_id = p_operator_id;
end $$;
