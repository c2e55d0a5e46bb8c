-- Positions of an operator's items after a position, in order, each with its month: those of one
-- type, of one customer, or of both. The indexes hold blocks of 256 positions, which are sorted as
-- they are read. It reads with the owner's rights: the policy of the tenants' role keeps a
-- condition on a block out of an index, so that a page would read everything before it. It returns
-- numbers only; the caller reads the items themselves under the policy.
create or replace function feed_positions(p_operator_id text, p_type text, p_external_user_id text,
  p_after bigint, p_limit integer)
returns table (place bigint, month smallint) language plpgsql stable parallel safe security definer
-- The search path is fixed, because the function runs with the owner's rights. In the order of an
-- index and block by block, so that a page costs the same at any depth: an incremental sort ends
-- with the page, a sort reads everything behind the cursor.
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  if p_external_user_id is null and p_type = 'ledger.posted' then
    return query select found.place, found.month from (
      (select item.position as place, item.fact_month as month from feed_item_rows item
        where item.operator_id = p_operator_id and item.type = p_type
          and item.position >> 8 >= p_after >> 8 and item.position > p_after
        order by item.position >> 8, item.position limit p_limit)
      union all
      (select entry.position, entry.fact_month from ledger_entries entry
        where entry.operator_id = p_operator_id and entry.is_item and entry.position > p_after
        order by entry.position limit p_limit)) found
      order by found.place limit p_limit;
  elsif p_external_user_id is null then
    return query select item.position, item.fact_month from feed_item_rows item
      where item.operator_id = p_operator_id and item.type = p_type
        and item.position >> 8 >= p_after >> 8 and item.position > p_after
      order by item.position >> 8, item.position limit p_limit;
  else
    return query select found.place, found.month from (
      (select item.position as place, item.fact_month as month from feed_item_rows item
        where item.operator_id = p_operator_id and item.external_user_id = p_external_user_id
          and item.position >> 8 >= p_after >> 8 and item.position > p_after
          and (p_type is null or item.type = p_type)
        order by item.position >> 8, item.position limit p_limit)
      union all
      (select entry.position, entry.fact_month from ledger_entries entry
        where entry.operator_id = p_operator_id and entry.external_user_id = p_external_user_id
          and entry.is_item and entry.position >> 8 >= p_after >> 8 and entry.position > p_after
          and (p_type is null or p_type = 'ledger.posted')
        order by entry.position >> 8, entry.position limit p_limit)) found
      order by found.place limit p_limit;
  end if;
end $$;
