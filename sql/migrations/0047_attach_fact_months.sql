-- The tables of facts become the partition of "before" of new parents with their names. Nothing is copied or read: the lock lasts for
-- changes of the catalogue only. What the tables had, the new ones have: columns, checks, indexes, triggers, rights and policies.
-- The new ones have no primary key, because it would have to contain the month, eight bytes more for every fact: each partition has
-- its own, and over months the counter keeps a position from being given twice (docs/decisions.md).
lock table ledger_entries, ledger_lines, feed_items in access exclusive mode;

do $$
declare
  fact_table text;
  triggers text[];
  indexes text[];
  one record;
  statement text;
begin
  foreach fact_table in array array['ledger_entries', 'ledger_lines', 'feed_items'] loop
    select array_agg(pg_get_triggerdef(made.oid) order by made.tgname) into triggers
    from pg_trigger made where made.tgrelid = fact_table::regclass and not made.tgisinternal;
    select array_agg(pg_get_indexdef(made.indexrelid) order by made.indexrelid) into indexes
    from pg_index made where made.indrelid = fact_table::regclass and not made.indisprimary;

    execute format('alter table %I rename to %I', fact_table, fact_table || '_before');
    for one in select made.indexrelid::regclass::text as name from pg_index made
               where made.indrelid = (fact_table || '_before')::regclass loop
      execute format('alter index %I rename to %I', one.name, replace(one.name, fact_table, fact_table || '_before'));
    end loop;
    -- a trigger for each row comes back from the new parent; those for each statement stay as well
    for one in select made.tgname as name from pg_trigger made
               where made.tgrelid = (fact_table || '_before')::regclass and not made.tgisinternal and (made.tgtype & 1) = 1 loop
      execute format('drop trigger %I on %I', one.name, fact_table || '_before');
    end loop;

    execute format('create table %I (like %I including defaults including constraints) partition by list (fact_month)',
      fact_table, fact_table || '_before');
    execute format('alter table %I drop constraint %I', fact_table, fact_table || '_before');
    execute format('alter table %I owner to %I', fact_table, (select pg_get_userbyid(relowner) from pg_class
      where oid = (fact_table || '_before')::regclass));
    foreach statement in array indexes loop
      execute statement;
    end loop;
    execute format('alter table %I attach partition %I for values in (null)', fact_table, fact_table || '_before');
    execute format('alter table %I drop constraint %I', fact_table || '_before', fact_table || '_before');
    foreach statement in array triggers loop
      execute statement;
    end loop;
    for one in select right_of.grantee, right_of.privilege_type as kind, right_of.is_grantable as grantable
               from pg_class c cross join aclexplode(c.relacl) right_of where c.oid = (fact_table || '_before')::regclass loop
      execute format('grant %s on %I to %s%s', one.kind, fact_table,
        case one.grantee when 0 then 'public' else one.grantee::regrole::text end, case when one.grantable then ' with grant option' else '' end);
    end loop;
    if (select relrowsecurity from pg_class where oid = (fact_table || '_before')::regclass) then
      execute format('alter table %I enable row level security', fact_table);
    end if;
    for one in select policyname, cmd, roles::text[] as roles, qual, with_check from pg_policies
               where schemaname = 'public' and tablename = fact_table || '_before' loop
      execute format('create policy %I on %I for %s to %s%s%s', one.policyname, fact_table, one.cmd,
        (select string_agg(case name when 'public' then name else quote_ident(name) end, ', ') from unnest(one.roles) name),
        ' using (' || one.qual || ')', ' with check (' || one.with_check || ')');
    end loop;
  end loop;
end $$;

-- The texts of a feed item take a row of the new table: the functions of a release come after its migrations, and feeds are read in
-- between. There are none in a new database.
do $$
declare
  old record;
begin
  for old in select made.oid, made.oid::regprocedure::text as signature from pg_proc made
             where made.pronamespace = 'public'::regnamespace and made.proname in ('feed_item_rest', 'feed_item_text', 'feed_item_fact')
             order by made.proname = 'feed_item_rest' desc loop
    execute replace(pg_get_functiondef(old.oid), 'feed_items_before', 'feed_items');
    execute format('drop function %s', old.signature);
  end loop;
end $$;
