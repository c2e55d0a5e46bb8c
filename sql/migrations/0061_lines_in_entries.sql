-- The lines of an entry move into its row: three rows with six index entries for an order become three arrays. Entries that are here
-- keep theirs in rows of their own, in a table that is renamed and gets no new ones. `ledger_lines` is a view of both from here on,
-- under its old name and with its old columns, so that processes and functions of the release before find every line; what their
-- functions insert into it becomes a row of its own, as before.
lock table ledger_entries, ledger_lines in access exclusive mode;

alter table ledger_entries
  add column account_ids text[] collate "C",
  add column amounts bigint[],
  add column balances_after bigint[];

do $$
declare
  one record;
begin
  for one in select made.oid, made.relname, made.relkind from pg_class made
             where made.relnamespace = 'public'::regnamespace and made.relname ~ '^ledger_lines(_|$)'
               and made.relkind in ('r', 'p', 'i', 'I') loop
    execute format('alter %s %I rename to %I', case when one.relkind in ('i', 'I') then 'index' else 'table' end,
      one.relname, regexp_replace(one.relname, '^ledger_lines', 'ledger_line_rows'));
  end loop;
  for one in select made.tgname, made.tgrelid::regclass as held from pg_trigger made
             where made.tgname ~ '^ledger_lines_' and made.tgparentid = 0 loop
    execute format('alter trigger %I on %s rename to %I', one.tgname, one.held,
      regexp_replace(one.tgname, '^ledger_lines', 'ledger_line_rows'));
  end loop;
end $$;

-- The view hands on one row at a time, so what balances is an entry at the end of its transaction.
drop trigger ledger_line_rows_balance on ledger_line_rows;
drop trigger ledger_line_rows_balance on ledger_line_rows_before;
create or replace function refuse_unbalanced_entries() returns trigger language plpgsql as $$
declare
  difference numeric;
begin
  select sum(amount) into difference from ledger_line_rows where operator_id = new.operator_id and position = new.position;
  if difference <> 0 then
    raise exception 'ledger entry % of % does not balance: %', new.position, new.operator_id, difference using errcode = 'IN001';
  end if;
  return null;
end $$;
create constraint trigger ledger_line_rows_balance after insert on ledger_line_rows
  deferrable initially deferred for each row execute function refuse_unbalanced_entries();

create view ledger_lines with (security_invoker = true) as
  select operator_id, position, generate_subscripts(amounts, 1)::smallint as line_no,
    unnest(account_ids) collate "C" as account_id, unnest(amounts) as amount,
    unnest(balances_after) as balance_after, fact_month
  from ledger_entries
  union all
  select operator_id, position, line_no, account_id, amount, balance_after, fact_month from ledger_line_rows;

create function insert_line_row() returns trigger language plpgsql as $$
begin
  insert into ledger_line_rows (operator_id, position, line_no, account_id, amount, balance_after)
  values (new.operator_id, new.position, new.line_no, new.account_id, new.amount, new.balance_after);
  return new;
end $$;
create trigger ledger_lines_insert instead of insert on ledger_lines for each row execute function insert_line_row();

-- Whoever could read or add lines still can; grants are applied only after all migrations.
do $$
declare
  held record;
begin
  for held in select given.grantee::regrole::text as role, given.privilege_type as kind
              from pg_class made cross join aclexplode(made.relacl) given
              where made.oid = 'ledger_line_rows'::regclass and given.grantee <> 0
                and given.privilege_type in ('SELECT', 'INSERT') loop
    execute format('grant %s on ledger_lines to %s', held.kind, held.role);
  end loop;
end $$;

-- Every entry balances: checked once a statement over what it inserted, so a batch pays for it once. Arrays of different lengths
-- are filled up with nulls by unnest.
create function refuse_unfit_lines() returns trigger language plpgsql as $$
declare
  bad record;
begin
  select entry.operator_id, entry.position, coalesce(sum(line.amount), 0) as difference into bad
  from inserted entry cross join lateral unnest(entry.account_ids, entry.amounts, entry.balances_after)
    as line(account_id, amount, balance_after)
  group by entry.operator_id, entry.position
  having coalesce(sum(line.amount), 0) <> 0
    or bool_or(line.amount = 0 or line.account_id is null or line.amount is null or line.balance_after is null) limit 1;
  if found then
    raise exception 'ledger entry % of % does not balance: %', bad.position, bad.operator_id, bad.difference
      using errcode = 'IN001';
  end if;
  return null;
end $$;
create trigger ledger_entries_balance after insert on ledger_entries
  referencing new table as inserted for each statement execute function refuse_unfit_lines();
create trigger ledger_entries_balance after insert on ledger_entries_before
  referencing new table as inserted for each statement execute function refuse_unfit_lines();
