-- Positions up to p_through of the entries with a line on an account, newest first. Entries of a
-- customer are found by the customer of their items; corrections name no customer there and have an
-- index of their own. Most accounts of the house are on nearly every entry, so entries are read
-- backwards until enough have it; the others have an index. It reads with the owner's rights: the
-- policy of the tenants' role keeps a condition on a block of positions out of an index
-- (feed_positions). It returns positions only; the caller reads the entries under the policy.
create or replace function account_positions(p_operator_id text, p_account_id text,
  p_through bigint, p_limit integer)
returns setof bigint language plpgsql stable parallel safe security definer
-- The search path is fixed, because the function runs with the owner's rights. In the order of an
-- index and block by block, so that a page costs the same at any depth.
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off as $$
begin
  if not sees_operator(p_operator_id) or not exists (select 1 from account_balances account
      where account.operator_id = p_operator_id and account.account_id = p_account_id) then
    return;
  end if;
  if p_account_id like 'wallet:%' or p_account_id like 'hold:%' then
    return query select found.place from (
      (select entry.position as place from ledger_entries entry
      where entry.operator_id = p_operator_id
        and entry.external_user_id = substring(p_account_id from strpos(p_account_id, ':') + 1)
        and entry.position >> 8 <= p_through >> 8 and entry.position <= p_through
        and p_account_id = any (entry.account_ids)
      order by entry.position >> 8 desc, entry.position desc limit p_limit)
      union all
      (select entry.position from ledger_entries entry
      where entry.operator_id = p_operator_id and entry.corrects_entry_id is not null
        and entry.position <= p_through and p_account_id = any (entry.account_ids)
      order by entry.position desc limit p_limit)) found
    order by found.place desc limit p_limit;
  elsif p_account_id in ('stakes', 'result', 'fees:platform', 'fees:venue',
      'collateral:available', 'collateral:committed') then
    return query select entry.position from ledger_entries entry
      where entry.operator_id = p_operator_id and entry.position <= p_through
        and p_account_id = any (entry.account_ids)
      order by entry.position desc limit p_limit;
  else
    return query select entry.position from ledger_entries entry
      where entry.operator_id = p_operator_id and entry.position <= p_through
        and p_account_id = any (entry.account_ids)
        -- the condition of the index ledger_entries_seldom
        and (entry.corrects_entry_id is not null or entry.account_ids
          && '{sandbox:float,deposits,operator:cash,overrun,fees:returned}'::text[])
      order by entry.position desc limit p_limit;
  end if;
end $$;

-- The balance of an account after a position: of its last line up to there, or null if it has none.
-- Signed cents, debit positive.
create or replace function last_balance(p_operator_id text, p_account_id text, p_through bigint)
returns bigint language sql stable parallel safe as $$
  select line.balance_after
  from account_positions(p_operator_id, p_account_id, p_through, 1) found(place)
    join ledger_entries entry on entry.operator_id = p_operator_id and entry.position = found.place
    cross join lateral entry_lines(entry.account_ids, entry.amounts, entry.balances_after) line
  where line.account_id = p_account_id
  order by line.line_no desc limit 1
$$;
