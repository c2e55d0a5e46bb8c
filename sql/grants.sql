-- Rights of the service's own role, and of that of the service operator's commands; applied after every change of the schema for each of
-- them. :service is the role; service-grants.sql lists what the service's role may not do if the commands have their own. The role reads
-- and writes rows. It owns nothing, and cannot change or remove append-only rows, even if its own code is wrong.
grant usage on schema public, graphile_worker, audit to :service;
-- the auditor's books, as long as the auditor has no separate role
grant select, insert, update, delete on all tables in schema audit to :service;
grant usage, select on all sequences in schema audit to :service;
grant select, insert, update, delete on all tables in schema public, graphile_worker to :service;
grant usage, select on all sequences in schema public, graphile_worker to :service;
grant execute on all functions in schema public, graphile_worker to :service;
revoke execute on all functions in schema public from public;

do $$
declare
  append_only regclass;
begin
  -- append-only tables are those with the refusing trigger, partitions included
  for append_only in
    select distinct t.tgrelid::regclass from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'refuse_change'
  loop
    execute format('revoke update, delete, truncate on %s from :service', append_only);
  end loop;
end $$;

-- Which person did something is the login of the database (session_user), and no role may write it: requests for approval are made
-- and decided by functions that record it, and elsewhere it is a default.
revoke insert, update, delete on approvals, approval_kinds, audit_log from :service;
grant update (outcome, code, ended_at) on approvals to :service;
grant insert (kind), delete on approval_kinds to :service;
grant insert (change_id, note, command, arguments, outcome, code, approval_id) on audit_log to :service;

do $$
declare
  quotes_table regclass;
  journal_month regclass;
begin
  -- the journal is read and written by its own name, under its policies
  for journal_month in select inhrelid::regclass from pg_inherits where inhparent = 'journal'::regclass loop
    execute format('revoke all on %s from :service', journal_month);
  end loop;
  for quotes_table in select 'quotes'::regclass union all select inhrelid::regclass from pg_inherits where inhparent = 'quotes'::regclass loop
    -- the terms of a quote never change, and quotes leave with the table of their week
    execute format('revoke update, delete on %s from :service', quotes_table);
  end loop;
end $$;
-- a view reads with the rights of its caller
revoke update, delete, truncate on ledger_lines, account_balances, order_fills from :service;

-- Rows that money depends on are never removed.
revoke delete on operators, operator_ledgers, wallets, customers, orders, positions, position_holdings, exposures,
  transmissions, sandbox_deposits from :service;

-- Only the owner changes the transitions of orders and the list of migrations.
revoke insert, update, delete on order_transitions, schema_migrations, admin_roles, auditor_roles from :service;

-- The second wall between tenants: reads by tenant act as inlay_tenant, which sees only rows of the operator that its own statement or its
-- connection named (src/db/by-operator.ts). The service itself sees all rows, by a policy that planning removes again, so its money
-- statements cost the same as without it. An owner that may not create roles does without; inlay doctor reports it.
do $$
declare
  walled regclass;
  readable text;
  reading regprocedure;
begin
  begin
    if not exists (select from pg_roles where rolname = 'inlay_tenant') then
      create role inlay_tenant nologin;
    end if;
  exception
    -- another database of this server may make it at the same moment
    when duplicate_object or unique_violation then null;
    when insufficient_privilege then return;
  end;
  if not pg_has_role(':service'::regrole, 'inlay_tenant', 'member') then
    begin
      grant inlay_tenant to :service;
    exception
      when insufficient_privilege then return;
    end;
  end if;
  grant usage on schema public, audit to inlay_tenant;
  -- of no tenant, and shown beside their rows
  grant select on price_history, event_course, books, events, contracts, contract_resolutions to inlay_tenant;
  -- of the rows that it may see
  grant select on ledger_lines, account_balances to inlay_tenant;
  -- functions that change nothing; one that reads with the owner's rights checks sees_operator first
  for reading in
    select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.provolatile <> 'v'
  loop
    execute format('grant execute on function %s to inlay_tenant', reading);
  end loop;
  for walled, readable in values
    ('orders', null), ('positions', null), ('customers', null),
    ('journal', null), ('operator_ledgers', null), ('wallets', null), ('collateral_references', null), ('feed_log_tiles', null), ('feed_log_heads', null), ('feed_log_keys', null), ('accounting_periods', null), ('period_statements', null),
    -- the sources that the checks of the report compare them with
    ('exposures', null), ('position_holdings', null), ('sandbox_resolutions', null), ('venue_evidence', null),
    ('operators', 'operator_id, mode'), ('transmissions', 'operator_id, order_id, our_id, venue, action, quantity_micros, limit_price_micros, spend_micros, sent_at, expires_at, answered_at, state'),
    ('sandbox_deposits', 'operator_id, deposit_id, external_user_id, credited_minor, credited_at'),
    ('venue_findings', 'operator_id, finding_id, kind, order_id, cleared_at'),
    ('webhook_relays', null), ('webhook_subscriptions', null),
    ('webhook_deliveries', null), ('webhook_attempts', 'operator_id, delivery_id, attempt, started_at, duration_ms, http_status, error'),
    ('webhook_endpoints', 'operator_id, endpoint_id, url, events, active, disabled_reason, registered_at, removed_at'),
    -- and the auditor's books
    ('audit.progress', null), ('audit.accounts', null), ('audit.orders', null), ('audit.fills', null), ('audit.positions', null),
    ('audit.holdings', null), ('audit.settlements', null), ('audit.movements', null), ('audit.deposits', null), ('audit.findings', null)
  loop
    execute format('grant select %s on %s to inlay_tenant', '(' || readable || ')', walled);
    if not (select c.relrowsecurity from pg_class c where c.oid = walled) then
      execute format('alter table %s enable row level security', walled);
      -- A statement that names the operator itself compares the two once, and reads by its own index, as it does without a policy
      -- (docs/access.md). No subquery: a table that is spread over servers cannot have it in a policy
      execute format('create policy tenant on %s for select to inlay_tenant using (operator_id = current_setting(''inlay.operator'', true))', walled);
    end if;
    if not exists (select from pg_policy p where p.polrelid = walled and p.polname <> 'tenant' and ':service'::regrole = any (p.polroles)) then
      execute format('create policy %I on %s to :service using (true) with check (true)', 'service ' || ':service'::regrole::text, walled);
    end if;
  end loop;
end $$;
