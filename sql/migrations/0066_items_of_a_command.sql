-- The items that follow the first item of a command move into its row: one row of a purchase instead of four, with one entry in each
-- index. A row of an earlier release has no such items. `feed_items` shows every item by itself, as before; `following_items` are
-- those inside rows, and `posted_items` those that are ledger entries.
alter table feed_item_rows
  -- A line for each position after the first item's, and each begins with a line break: the letter of the item's type, its id, its
  -- money and its detail, with tabs between them, or a hyphen if the position is that of an entry or of another row. JSON has neither
  -- line breaks nor tabs.
  add column following text;

-- The type of a letter.
create function following_type(p_letter text) returns text language sql immutable parallel safe as $$
  select case p_letter when 'a' then 'fee.assessed' when 'f' then 'order.filled' when 'w' then 'webhook.emitted'
    when 'x' then 'position.exited' end
$$;

-- What record_facts takes, instead of `fact`.
create type feed_fact as (
  ord integer,
  operator_id text,
  type text,
  item_id text,
  external_user_id text,
  position_id text,
  order_id text,
  money json,
  detail json,
  lines json,
  event json,
  place integer,
  places integer,
  items integer,
  following text
);

create view posted_items with (security_invoker = true) as
  select operator_id, position, 'ledger.posted'::text as type, entry_id::text as item_id, recorded_at as occurred_at, external_user_id,
    null::id as position_id,
    coalesce(order_id, case when reference_type = 'order' then reference_id::id else null::id end) as order_id,
    case when cardinality(amounts) <= 4 then concat('{"currency":"USD","amount":"',
        (greatest(amounts[1], 0) + greatest(amounts[2], 0) + greatest(amounts[3], 0) + greatest(amounts[4], 0)) * 0.01,
        '","lines":[', posted_line(account_ids[1], amounts[1]), ',', posted_line(account_ids[2], amounts[2]),
        case when amounts[3] <> 0 then concat(',', posted_line(account_ids[3], amounts[3])) end,
        case when amounts[4] <> 0 then concat(',', posted_line(account_ids[4], amounts[4])) end, ']}')
      else (select concat('{"currency":"USD","amount":"', sum(greatest(line.amount, 0)) * 0.01, '","lines":[',
          string_agg(posted_line(line.account_id, line.amount), ',' order by line.n), ']}')
        from unnest(account_ids, amounts) with ordinality line(account_id, amount, n)) end::json as money,
    concat('{"movementType":"', movement_type, '","memo":', to_json(memo), ',"referenceType":"', reference_type,
      '","referenceId":', to_json(reference_id), ',"correctsEntryId":', coalesce('"' || corrects_entry_id || '"', 'null'),
      ',"effectiveAt":"' || to_char(effective_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', '}')::json as detail,
    fact_month
  from ledger_entries
  where is_item;

-- `head` is the position of the item whose row has this one.
create view following_items with (security_invoker = true) as
  select head.operator_id, head.position + one.step as position,
    following_type(left(one.line, 1)) as type, split_part(one.line, E'\t', 2) as item_id, head.occurred_at, head.external_user_id,
    head.position_id, head.order_id, nullif(split_part(one.line, E'\t', 3), '')::json as money,
    split_part(one.line, E'\t', 4)::json as detail, head.fact_month, head.position as head
  from feed_item_rows head cross join lateral string_to_table(substr(head.following, 2), E'\n') with ordinality one(line, step)
  where one.line <> '-';

create or replace view feed_items with (security_invoker = true) as
  select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail, fact_month
  from feed_item_rows
  union all
  select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail, fact_month
  from following_items
  union all
  select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail, fact_month
  from posted_items;

-- The release before inserts into the table.
drop trigger feed_items_insert on feed_items;
drop function insert_item_row();

-- Who could read items still can; grants are applied only after all migrations.
do $$
declare
  held record;
begin
  for held in select given.grantee::regrole::text as role
              from pg_class made cross join aclexplode(made.relacl) given
              where made.oid = 'feed_items'::regclass and given.grantee <> 0 and given.privilege_type = 'SELECT' loop
    execute format('grant select on posted_items, following_items to %s', held.role);
  end loop;
end $$;
