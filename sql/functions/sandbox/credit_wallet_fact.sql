-- The ledger entry that puts test money into a simulated wallet: debit sandbox:float, credit the
-- wallet.
create or replace function credit_wallet_fact(p_ord integer, p_operator_id text,
  p_external_user_id text, p_amount bigint, p_memo text,
  p_reference_type text, p_reference_id text) returns feed_fact language sql volatile as $$
  select one_fact(
    p_ord, p_operator_id, 'ledger.posted', 'ent_' || replace(uuidv7_text(), '-', ''),
      p_external_user_id, null, null, null,
    json_build_object('movementType', 'SANDBOX_CREDIT', 'memo', p_memo, 'referenceType',
      p_reference_type,
      'referenceId', p_reference_id, 'correctsEntryId', null),
    json_build_array(json_build_array('sandbox:float', p_amount),
      json_build_array('wallet:' || p_external_user_id, -p_amount)),
    null)
$$;
