-- The ledger entry that puts test money into a simulated wallet: debit sandbox:float, credit the
-- wallet.
create or replace function credit_wallet_fact(p_ord integer, p_operator_id text,
  p_external_user_id text, p_amount bigint, p_memo text,
  p_reference_type text, p_reference_id text) returns fact language sql volatile as $$
  select row(
    p_ord, p_operator_id, 'ledger.posted', 'ent_' || replace(uuidv7_text(), '-', ''),
      p_external_user_id, null, null,
    json_build_object('currency', 'USD', 'amount', minor_text(p_amount), 'lines', json_build_array(
      json_build_object('accountId', 'sandbox:float', 'debit', minor_text(p_amount), 'credit',
        '0.00'),
      json_build_object('accountId', 'wallet:' || p_external_user_id, 'debit', '0.00', 'credit',
        minor_text(p_amount)))),
    json_build_object('movementType', 'SANDBOX_CREDIT', 'memo', p_memo, 'referenceType',
      p_reference_type,
      'referenceId', p_reference_id, 'correctsEntryId', null),
    json_build_array(json_build_array('sandbox:float', p_amount),
      json_build_array('wallet:' || p_external_user_id, -p_amount)),
    null)::fact
$$;
