-- Credits test money to simulated wallets, which their operators' customers have: debit
-- sandbox:float, credit the wallet. A deposit is named by its id, the opening credit by none.
create or replace function credit_wallets(p_operator_id text, p_operator_ids text[],
  p_external_user_ids text[], p_amounts bigint[], p_memo text, p_reference text default null)
returns void language plpgsql as $$
declare
  v_entry journal_row;
  v_entries journal_row[] := '{}';
begin
  for v_place in 1..coalesce(cardinality(p_operator_ids), 0) loop
    v_entry.operator_id := p_operator_ids[v_place];
    v_entry.kind := 'wallet_funded';
    v_entry.items := 1;
    v_entry.digits := replace(uuidv7_text(), '-', '');
    v_entry.external_user_id := p_external_user_ids[v_place];
    v_entry.funds := 'wallet';
    v_entry.available := -p_amounts[v_place];
    v_entry.other_account := 'sandbox:float';
    v_entry.other := p_amounts[v_place];
    v_entry.memo := p_memo;
    v_entry.reference := p_reference;
    v_entries := v_entries || v_entry;
  end loop;
  perform append_to_journal(p_operator_id, v_entries);
end $$;
