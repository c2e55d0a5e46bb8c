-- What settlements record: the ledger entry, the collateral that returns, and the feed item, whose
-- row has the item of the event, too. The event itself is made of the settlement's row. The feed
-- item of a settlement is the third of its numbers, by which pay_positions finds its position
-- again. One scan of all payouts: a function that was called for each payout cost as much as
-- posting it.
create or replace function payout_facts(p_operator_id text, p_payouts payout[], p_resolution text)
returns feed_fact[] language sql volatile as $$
  with money as materialized (
    select paid.*, 'ent' || substr(paid.settlement_id, 4) as entry_id, split.lines,
      paid.funds = 'collateral' and paid.credit_minor > 0 as returns
    from unnest(p_payouts) paid cross join lateral (
      select json_agg(json_build_array(split_line.account_id, split_line.amount)
        order by split_line.n) as lines
      from (values
        (1, 'stakes', paid.cost_minor - paid.fees_minor),
        (2, 'fees:returned', case when p_resolution = 'VOID' then paid.fees_minor else 0 end),
        (3, 'result', paid.credit_minor - (paid.cost_minor - paid.fees_minor)
          - case when p_resolution = 'VOID' then paid.fees_minor else 0 end),
        (4, case paid.funds when 'wallet' then 'wallet:' || paid.external_user_id
          when 'cash' then 'operator:cash' else 'collateral:available' end,
          -paid.credit_minor)) as split_line(n, account_id, amount)
      where split_line.amount <> 0) split
  ), placed as materialized (
    -- how many places the entry and the collateral take before the settlement's item
    select money.*, (money.lines is not null)::integer as entries,
      (money.lines is not null)::integer + money.returns::integer as before from money
  ), facts as (
    select row((placed.n * 4 - 3)::integer, p_operator_id, 'ledger.posted', placed.entry_id,
      placed.external_user_id, null, null, null,
      json_build_object('movementType', 'POSITION_SETTLEMENT', 'memo', 'Position settled: '
        || placed.outcome, 'referenceType', 'position',
        'referenceId', placed.position_id, 'correctsEntryId', null),
      placed.lines, null, 0, placed.before + 2, 1, null)::feed_fact as fact_row
    from placed where placed.lines is not null
    union all
    select row((placed.n * 4 - 2)::integer, p_operator_id, 'collateral.moved', 'mov'
      || substr(placed.settlement_id, 4), placed.external_user_id, placed.position_id, null,
      json_build_object('currency', 'USD', 'amount', minor_text(placed.credit_minor)),
      json_build_object('kind', 'return', 'memo', 'Collateral returned by contracts',
        'ledgerEntryId', placed.entry_id), null, null, placed.entries, placed.before + 2, 1,
      null)::feed_fact
    from placed where placed.returns
    union all
    select row((placed.n * 4 - 1)::integer, p_operator_id, 'position.settled',
      placed.settlement_id, placed.external_user_id, placed.position_id, null, null,
      to_json(concat_ws(' ', '', p_resolution, placed.side, micro_number(placed.quantity),
        minor_text(placed.credit_minor - placed.cost_minor), minor_text(placed.lifetime_minor),
        placed.outcome,
        minor_text(case when placed.outcome = 'won' then placed.credit_minor else 0 end),
        minor_text(case when placed.outcome = 'void' then placed.credit_minor else 0 end),
        placed.contract_id, '')),
      null, null, placed.before, placed.before + 2, 2, E'\nw')::feed_fact
    from placed
  )
  select array_agg(fact_row) from facts
$$;
