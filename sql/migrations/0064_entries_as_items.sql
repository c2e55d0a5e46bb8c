-- An entry becomes its own item of the feed: what the item `ledger.posted` says is in the entry's row, except its customer and its
-- order, which the row gets. Entries that are here keep the items that were written beside them, in a table that is renamed.
-- `feed_items` is a view of both from here on, under its old name and with its old columns, so that processes and functions of the
-- release before find every item; what their functions insert into it becomes a row of its own, as before.
lock table ledger_entries, feed_items in access exclusive mode;

alter table ledger_entries
  add column external_user_id text collate "C",
  -- null if it is what the entry refers to
  add column order_id id,
  -- null: its item is a row of its own
  add column is_item boolean;

do $$
declare
  one record;
begin
  for one in select made.relname, made.relkind from pg_class made
             where made.relnamespace = 'public'::regnamespace and made.relname ~ '^feed_items(_|$)'
               and made.relkind in ('r', 'p', 'i', 'I') loop
    execute format('alter %s %I rename to %I', case when one.relkind in ('i', 'I') then 'index' else 'table' end,
      one.relname, regexp_replace(one.relname, '^feed_items', 'feed_item_rows'));
  end loop;
  for one in select made.tgname, made.tgrelid::regclass as held from pg_trigger made
             where made.tgname ~ '^feed_items_' and made.tgparentid = 0 loop
    execute format('alter trigger %I on %s rename to %I', one.tgname, one.held,
      regexp_replace(one.tgname, '^feed_items', 'feed_item_rows'));
  end loop;
end $$;

-- A line of an entry as its item shows it. Signed cents, a debit is positive.
create function posted_line(p_account_id text, p_amount bigint) returns text language sql stable parallel safe as $$
  select concat('{"accountId":', to_json(p_account_id), case when p_amount > 0
    then concat(',"debit":"', p_amount * 0.01, '","credit":"0.00"}')
    else concat(',"debit":"0.00","credit":"', p_amount * -0.01, '"}') end)
$$;

-- Up to four lines are joined one by one, in a third of the time of an aggregate over them. The condition is outside of the union:
-- the planner reads a branch with a condition of its own to its end and sorts it.
create view feed_items with (security_invoker = true) as
  select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail, fact_month
  from (
    select operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail, fact_month,
      true as is_item
    from feed_item_rows
    union all
    select operator_id, position, 'ledger.posted'::text, entry_id::text, recorded_at, external_user_id, null::id,
      coalesce(order_id, case when reference_type = 'order' then reference_id::id else null::id end),
      case when cardinality(amounts) <= 4 then concat('{"currency":"USD","amount":"',
          (greatest(amounts[1], 0) + greatest(amounts[2], 0) + greatest(amounts[3], 0) + greatest(amounts[4], 0)) * 0.01,
          '","lines":[', posted_line(account_ids[1], amounts[1]), ',', posted_line(account_ids[2], amounts[2]),
          case when amounts[3] <> 0 then concat(',', posted_line(account_ids[3], amounts[3])) end,
          case when amounts[4] <> 0 then concat(',', posted_line(account_ids[4], amounts[4])) end, ']}')
        else (select concat('{"currency":"USD","amount":"', sum(greatest(line.amount, 0)) * 0.01, '","lines":[',
            string_agg(posted_line(line.account_id, line.amount), ',' order by line.n), ']}')
          from unnest(account_ids, amounts) with ordinality line(account_id, amount, n)) end::json,
      concat('{"movementType":"', movement_type, '","memo":', to_json(memo), ',"referenceType":"', reference_type,
        '","referenceId":', to_json(reference_id), ',"correctsEntryId":', coalesce('"' || corrects_entry_id || '"', 'null'),
        ',"effectiveAt":"' || to_char(effective_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', '}')::json,
      fact_month, is_item
    from ledger_entries) item
  where is_item;

create function insert_item_row() returns trigger language plpgsql as $$
begin
  insert into feed_item_rows (operator_id, position, type, item_id, occurred_at, external_user_id, position_id, order_id, money, detail)
  values (new.operator_id, new.position, new.type, new.item_id, new.occurred_at, new.external_user_id, new.position_id, new.order_id,
    new.money, new.detail);
  return new;
end $$;
create trigger feed_items_insert instead of insert on feed_items for each row execute function insert_item_row();

-- Functions of the release before call these with a row of `feed_items`, which is a row of the view now. They are replaced after all
-- migrations; the new ones take columns.
do $$
declare
  one record;
begin
  for one in select made.oid, made.oid::regprocedure::text as signature from pg_proc made
             where made.pronamespace = 'public'::regnamespace and made.proargtypes[0] = 'feed_item_rows'::regtype order by made.oid loop
    execute replace(pg_get_functiondef(one.oid), 'p_item feed_item_rows', 'p_item feed_items');
    execute format('drop function %s', one.signature);
  end loop;
end $$;

-- Who could read or add items still can; grants are applied only after all migrations.
do $$
declare
  held record;
begin
  for held in select given.grantee::regrole::text as role, given.privilege_type as kind
              from pg_class made cross join aclexplode(made.relacl) given
              where made.oid = 'feed_item_rows'::regclass and given.grantee <> 0
                and given.privilege_type in ('SELECT', 'INSERT') loop
    execute format('grant %s on feed_items to %s', held.kind, held.role);
  end loop;
end $$;
