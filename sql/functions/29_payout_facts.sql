-- What a settlement records: the ledger entry, the collateral that came back where there is one, the item and the event.
-- The item of a settlement is the third of its four places, by which settle_positions finds its position again.
create or replace function payout_facts(p_operator_id text, x payout, p_resolution text) returns setof fact language sql volatile as $$
  with money as (
    select json_build_object('currency', 'USD',
        'settlementCredit', minor_text(case when x.outcome = 'won' then x.credit_minor else 0 end),
        'voidCredit', minor_text(case when x.outcome = 'void' then x.credit_minor else 0 end)) as block,
      'ent_' || replace(uuidv7_text(), '-', '') as entry_id,
      (select json_agg(json_build_array(l.account_id, l.amount) order by l.n) from (values
          (1, 'stakes', x.cost_minor - x.fees_minor),
          (2, 'fees:returned', case when p_resolution = 'VOID' then x.fees_minor else 0 end),
          (3, 'result', x.credit_minor - (x.cost_minor - x.fees_minor) - case when p_resolution = 'VOID' then x.fees_minor else 0 end),
          (4, x.funds_account, -x.credit_minor)) as l(n, account_id, amount)
        where l.amount <> 0) as lines
  )
  select row((x.n * 4 - 3)::integer, p_operator_id, 'ledger.posted', m.entry_id, x.external_user_id, null, null,
    json_build_object('currency', 'USD',
      'amount', minor_text((select sum(greatest((l.value ->> 1)::bigint, 0)) from json_array_elements(m.lines) l)),
      'lines', (select json_agg(json_build_object('accountId', l.value ->> 0, 'debit', minor_text(greatest((l.value ->> 1)::bigint, 0)),
        'credit', minor_text(greatest(-(l.value ->> 1)::bigint, 0))) order by l.ordinality) from json_array_elements(m.lines) with ordinality l)),
    json_build_object('movementType', 'POSITION_SETTLEMENT', 'memo', 'Position settled: ' || x.outcome, 'referenceType', 'position',
      'referenceId', x.position_id, 'correctsEntryId', null),
    m.lines, null)::fact
  from money m where m.lines is not null
  union all
  select row((x.n * 4 - 2)::integer, p_operator_id, 'collateral.moved', 'mov_' || replace(uuidv7_text(), '-', ''), null, null, null,
    json_build_object('currency', 'USD', 'amount', minor_text(x.credit_minor)),
    json_build_object('kind', 'return', 'memo', 'Collateral returned by contracts', 'ledgerEntryId', m.entry_id), null, null)::fact
  from money m where x.funds_account = 'collateral:available' and x.credit_minor > 0
  union all
  select row((x.n * 4)::integer, p_operator_id, 'webhook.emitted', 'evn_' || replace(uuidv7_text(), '-', ''), x.external_user_id, x.position_id, null,
    null, json_build_object('eventType', 'position.settled', 'dedupeKey', 'position.settled:' || x.position_id), null,
    json_build_object('positionId', x.position_id, 'settlementId', x.settlement_id, 'externalUserId', x.external_user_id,
      'contractId', x.contract_id, 'side', x.side, 'resolution', p_resolution, 'outcome', x.outcome, 'contracts', micro_number(x.quantity),
      'costBasis', minor_text(x.cost_minor), 'entryFees', minor_text(x.fees_minor), 'payout', minor_text(x.credit_minor),
      'realisedPnl', minor_text(x.credit_minor - x.cost_minor), 'lifetimeRealisedPnl', minor_text(x.lifetime_minor),
      'operatorMoney', m.block, 'simulated', x.simulated))::fact
  from money m
  union all
  select row((x.n * 4 - 1)::integer, p_operator_id, 'position.settled', x.settlement_id, x.external_user_id, x.position_id, null, m.block,
    json_build_object('resolution', p_resolution, 'side', x.side, 'contracts', micro_number(x.quantity),
      'realisedPnl', minor_text(x.credit_minor - x.cost_minor), 'lifetimeRealisedPnl', minor_text(x.lifetime_minor), 'outcome', x.outcome), null, null)::fact
  from money m
$$;
