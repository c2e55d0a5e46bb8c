-- What settlements record: the ledger entry, the collateral that came back where there is one, the item and the event.
-- The item of a settlement is the third of its four places, by which settle_positions finds its position again.
-- One pass over all payouts, JSON joined from text: a function called for each payout cost as much as posting it.
create or replace function payout_facts(p_operator_id text, p_payouts payout[], p_resolution text) returns fact[] language sql volatile as $$
  with money as materialized (
    select x.*,
      json_build_object('currency', 'USD',
        'settlementCredit', minor_text(case when x.outcome = 'won' then x.credit_minor else 0 end),
        'voidCredit', minor_text(case when x.outcome = 'void' then x.credit_minor else 0 end)) as block,
      'ent_' || replace(uuidv7_text(), '-', '') as entry_id,
      l.ids, l.amounts
    from unnest(p_payouts) x cross join lateral (
      select array_agg(to_json(v.account_id)::text order by v.n) as ids, array_agg(v.amount order by v.n) as amounts
      from (values
        (1, 'stakes', x.cost_minor - x.fees_minor),
        (2, 'fees:returned', case when p_resolution = 'VOID' then x.fees_minor else 0 end),
        (3, 'result', x.credit_minor - (x.cost_minor - x.fees_minor) - case when p_resolution = 'VOID' then x.fees_minor else 0 end),
        (4, x.funds_account, -x.credit_minor)) as v(n, account_id, amount)
      where v.amount <> 0) l
  ), posted as (
    select m.*, t.lines, t.shown, t.debits
    from money m cross join lateral (
      select '[' || string_agg('[' || u.id || ',' || u.amount || ']', ',' order by u.n) || ']' as lines,
        string_agg('{"accountId":' || u.id || ',"debit":"' || minor_text(greatest(u.amount, 0)) || '","credit":"'
          || minor_text(greatest(-u.amount, 0)) || '"}', ',' order by u.n) as shown,
        sum(greatest(u.amount, 0))::bigint as debits
      from unnest(m.ids, m.amounts) with ordinality u(id, amount, n)) t
    where m.ids is not null
  ), facts as (
    select row((x.n * 4 - 3)::integer, p_operator_id, 'ledger.posted', x.entry_id, x.external_user_id, null, null,
      ('{"currency":"USD","amount":"' || minor_text(x.debits) || '","lines":[' || x.shown || ']}')::json,
      json_build_object('movementType', 'POSITION_SETTLEMENT', 'memo', 'Position settled: ' || x.outcome, 'referenceType', 'position',
        'referenceId', x.position_id, 'correctsEntryId', null),
      x.lines::json, null)::fact as f
    from posted x
    union all
    select row((x.n * 4 - 2)::integer, p_operator_id, 'collateral.moved', 'mov_' || replace(uuidv7_text(), '-', ''), x.external_user_id, x.position_id, null,
      json_build_object('currency', 'USD', 'amount', minor_text(x.credit_minor)),
      json_build_object('kind', 'return', 'memo', 'Collateral returned by contracts', 'ledgerEntryId', x.entry_id), null, null)::fact
    from money x where x.funds_account = 'collateral:available' and x.credit_minor > 0
    union all
    select row((x.n * 4)::integer, p_operator_id, 'webhook.emitted', 'evn_' || replace(uuidv7_text(), '-', ''), x.external_user_id, x.position_id, null,
      null, json_build_object('eventType', 'position.settled', 'dedupeKey', 'position.settled:' || x.position_id), null,
      json_build_object('positionId', x.position_id, 'settlementId', x.settlement_id, 'externalUserId', x.external_user_id,
        'contractId', x.contract_id, 'side', x.side, 'resolution', p_resolution, 'outcome', x.outcome, 'contracts', micro_number(x.quantity),
        'costBasis', minor_text(x.cost_minor), 'entryFees', minor_text(x.fees_minor), 'payout', minor_text(x.credit_minor),
        'realisedPnl', minor_text(x.credit_minor - x.cost_minor), 'lifetimeRealisedPnl', minor_text(x.lifetime_minor),
        'operatorMoney', x.block, 'simulated', x.simulated))::fact
    from money x
    union all
    select row((x.n * 4 - 1)::integer, p_operator_id, 'position.settled', x.settlement_id, x.external_user_id, x.position_id, null, x.block,
      json_build_object('resolution', p_resolution, 'side', x.side, 'contracts', micro_number(x.quantity),
        'realisedPnl', minor_text(x.credit_minor - x.cost_minor), 'lifetimeRealisedPnl', minor_text(x.lifetime_minor), 'outcome', x.outcome), null, null)::fact
    from money x
  )
  select array_agg(f) from facts
$$;
