-- What settlements record: the ledger entry, the collateral that returns, the feed item and the
-- event. The feed item of a settlement is the third of its four places, by which pay_positions
-- finds its position again. One scan of all payouts, with JSON joined from text: a function that
-- was called for each payout cost as much as posting it.
create or replace function payout_facts(p_operator_id text, p_payouts payout[], p_resolution text)
returns fact[] language sql volatile as $$
  with money as materialized (
    select paid.*,
      json_build_object('currency', 'USD',
        'settlementCredit', minor_text(
          case when paid.outcome = 'won' then paid.credit_minor else 0 end),
        'voidCredit', minor_text(case when paid.outcome = 'void' then paid.credit_minor else 0 end))
          as block,
      'ent_' || replace(uuidv7_text(), '-', '') as entry_id,
      split.ids, split.amounts
    from unnest(p_payouts) paid cross join lateral (
      select array_agg(to_json(split_line.account_id)::text order by split_line.n) as ids,
        array_agg(split_line.amount order by split_line.n) as amounts
      from (values
        (1, 'stakes', paid.cost_minor - paid.fees_minor),
        (2, 'fees:returned', case when p_resolution = 'VOID' then paid.fees_minor else 0 end),
        (3, 'result', paid.credit_minor - (paid.cost_minor - paid.fees_minor)
          - case when p_resolution = 'VOID' then paid.fees_minor else 0 end),
        (4, paid.funds_account, -paid.credit_minor)) as split_line(n, account_id, amount)
      where split_line.amount <> 0) split
  ), posted as (
    select money.*, shown_lines.lines, shown_lines.shown, shown_lines.debits
    from money cross join lateral (
      select '[' || string_agg('[' || split_line.id || ',' || split_line.amount || ']', ','
        order by split_line.n) || ']' as lines,
        string_agg('{"accountId":' || split_line.id || ',"debit":"'
          || minor_text(greatest(split_line.amount, 0)) || '","credit":"'
          || minor_text(greatest(-split_line.amount, 0)) || '"}', ',' order by split_line.n)
            as shown,
        sum(greatest(split_line.amount, 0))::bigint as debits
      from unnest(money.ids, money.amounts) with ordinality split_line(id, amount, n)) shown_lines
    where money.ids is not null
  ), facts as (
    select row((posted.n * 4 - 3)::integer, p_operator_id, 'ledger.posted', posted.entry_id,
      posted.external_user_id, null, null,
      ('{"currency":"USD","amount":"' || minor_text(posted.debits) || '","lines":[' || posted.shown
        || ']}')::json,
      json_build_object('movementType', 'POSITION_SETTLEMENT', 'memo', 'Position settled: '
        || posted.outcome, 'referenceType', 'position',
        'referenceId', posted.position_id, 'correctsEntryId', null),
      posted.lines::json, null)::fact as fact_row
    from posted
    union all
    select row((money.n * 4 - 2)::integer, p_operator_id, 'collateral.moved', 'mov_'
      || replace(uuidv7_text(), '-', ''), money.external_user_id, money.position_id, null,
      json_build_object('currency', 'USD', 'amount', minor_text(money.credit_minor)),
      json_build_object('kind', 'return', 'memo', 'Collateral returned by contracts',
        'ledgerEntryId', money.entry_id), null, null)::fact
    from money where money.funds_account = 'collateral:available' and money.credit_minor > 0
    union all
    select row((money.n * 4)::integer, p_operator_id, 'webhook.emitted', 'evn_'
      || replace(uuidv7_text(), '-', ''), money.external_user_id, money.position_id, null,
      null, json_build_object('eventType', 'position.settled', 'dedupeKey', 'position.settled:'
        || money.position_id), null,
      json_build_object('positionId', money.position_id, 'settlementId', money.settlement_id,
        'externalUserId', money.external_user_id,
        'contractId', money.contract_id, 'side', money.side, 'resolution', p_resolution, 'outcome',
          money.outcome, 'contracts', micro_number(money.quantity),
        'costBasis', minor_text(money.cost_minor), 'entryFees', minor_text(money.fees_minor),
          'payout', minor_text(money.credit_minor),
        'realisedPnl', minor_text(money.credit_minor - money.cost_minor), 'lifetimeRealisedPnl',
          minor_text(money.lifetime_minor),
        'operatorMoney', money.block, 'simulated', money.simulated))::fact
    from money
    union all
    select row((money.n * 4 - 1)::integer, p_operator_id, 'position.settled', money.settlement_id,
      money.external_user_id, money.position_id, null, money.block,
      json_build_object('resolution', p_resolution, 'side', money.side, 'contracts',
        micro_number(money.quantity),
        'realisedPnl', minor_text(money.credit_minor - money.cost_minor), 'lifetimeRealisedPnl',
          minor_text(money.lifetime_minor), 'outcome', money.outcome), null, null)::fact
    from money
  )
  select array_agg(fact_row) from facts
$$;
