-- Credits test money to simulated wallets, which their operators' customers have: debit
-- sandbox:float, credit the wallet. A deposit is named by its id, the opening credit by none.
create or replace function credit_wallets(p_operator_ids text[], p_external_user_ids text[],
  p_amounts bigint[], p_memo text, p_reference text default null)
returns void language plpgsql as $$
declare
  v_entry journal_entry;
  v_entries journal_entry[] := '{}';
  v_facts feed_fact[] := '{}';
begin
  for v_place in 1..coalesce(cardinality(p_operator_ids), 0) loop
    v_entry.ord := v_place;
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
    v_facts := v_facts || one_fact(v_place, v_entry.operator_id, 'ledger.posted',
      'ent_' || v_entry.digits, v_entry.external_user_id, null, null, null,
      json_build_object('movementType', 'SANDBOX_CREDIT', 'memo', p_memo, 'referenceType',
        case when p_reference is null then 'customer' else 'deposit' end, 'referenceId',
        coalesce(p_reference, v_entry.external_user_id), 'correctsEntryId', null),
      json_build_array(json_build_array('sandbox:float', v_entry.other),
        json_build_array('wallet:' || v_entry.external_user_id, v_entry.available)), null);
  end loop;
  perform record_facts(v_facts);
  perform append_to_journal(v_entries);
end $$;
