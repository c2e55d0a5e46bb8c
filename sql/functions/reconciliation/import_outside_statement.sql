-- A reference as it is compared: banks write it in capitals and with other spaces.
create or replace function outside_reference(p_reference text)
returns text language sql immutable parallel safe as $$
  select lower(btrim(regexp_replace(p_reference, '\s+', ' ', 'g')))
$$;

-- What our books say about an account: deposits and withdrawals of collateral of an operator, by
-- their effective date, or what was paid into our account at a venue. Above 0 was paid to us.
create or replace function outside_movements(p_kind text, p_account text)
returns table (reference text, amount_minor bigint, booked_on date) language sql stable as $$
  select outside_reference(movement.reference),
    case movement.kind when 'deposit' then movement.amount_minor else -movement.amount_minor end,
    (coalesce(entry.effective_at, movement.recorded_at) at time zone 'UTC')::date
  from collateral_movements movement left join ledger_entries entry
    on entry.operator_id = movement.operator_id and entry.position = movement.sequence - 1
  where p_kind = 'bank' and movement.operator_id = p_account
  union all
  select outside_reference(transfer.reference), transfer.amount_minor,
    (transfer.recorded_at at time zone 'UTC')::date
  from venue_transfers transfer where p_kind = 'venue' and transfer.venue = p_account
$$;

-- Imports a statement and opens a break for each row and each movement that do not match: by
-- reference, then amount, then date, which may differ by p_days. A movement is missing outside if
-- no statement of the account has it and this one ends more than p_days after it; movements before
-- the first statement of the account are not expected in any. Returns false for a file that was
-- imported before; nothing is written then.
create or replace function import_outside_statement(p_kind text, p_account text, p_sha256 text,
  p_actor text, p_rows json, p_days integer) returns boolean language plpgsql as $$
begin
  -- one import of an account at a time, so that two files see each other's rows
  perform pg_advisory_xact_lock(hashtextextended('outside ' || p_kind || ' ' || p_account, 0));
  insert into outside_statements (kind, account, file_sha256, first_on, last_on, imported_by)
  select p_kind, p_account, p_sha256, min((given.value ->> 3)::date),
    max((given.value ->> 3)::date), p_actor
  from json_array_elements(p_rows) given
  on conflict (kind, account, file_sha256) do nothing;
  if not found then
    return false;
  end if;
  insert into outside_rows (kind, account, file_sha256, line, reference, amount_minor, booked_on)
  select p_kind, p_account, p_sha256, (given.value ->> 0)::integer,
    outside_reference(given.value ->> 1), (given.value ->> 2)::bigint, (given.value ->> 3)::date
  from json_array_elements(p_rows) given;

  insert into outside_breaks (break_id, kind, account, file_sha256, line, problem, reference,
    outside_minor, books_minor, outside_on, books_on)
  with booked as materialized (
    select * from outside_movements(p_kind, p_account)
  ), shown as (
    select outside.*, row_number() over (partition by outside.reference order by outside.line)
      as occurrence
    from outside_rows outside where outside.kind = p_kind and outside.account = p_account
      and outside.file_sha256 = p_sha256
  ), unlike as (
    select shown.line, shown.reference, shown.amount_minor as outside_minor,
      booked.amount_minor as books_minor, shown.booked_on as outside_on,
      booked.booked_on as books_on,
      case when booked.reference is null then 'missing_in_books'
        when shown.occurrence > 1 then 'repeated_outside'
        when shown.amount_minor <> booked.amount_minor then 'amount_differs'
        when abs(shown.booked_on - booked.booked_on) > p_days then 'date_differs' end as problem
    from shown left join booked on booked.reference = shown.reference
  ), unseen as (
    select null::integer, booked.reference, null::bigint, booked.amount_minor, null::date,
      booked.booked_on, 'missing_outside'
    from booked cross join lateral (
      select min(statement.first_on) as first_on,
        max(statement.last_on) filter (where statement.file_sha256 = p_sha256) as last_on
      from outside_statements statement
      where statement.kind = p_kind and statement.account = p_account) covered
    where booked.booked_on >= covered.first_on and booked.booked_on < covered.last_on - p_days
      and not exists (select 1 from outside_rows outside where outside.kind = p_kind
        and outside.account = p_account and outside.reference = booked.reference)
  )
  select 'brk_' || replace(uuidv7_text(), '-', ''), p_kind, p_account, p_sha256, problem_row.line,
    problem_row.problem, problem_row.reference, problem_row.outside_minor, problem_row.books_minor,
    problem_row.outside_on, problem_row.books_on
  from (select * from unlike where unlike.problem is not null union all select * from unseen)
    problem_row
  on conflict on constraint break_is_shown_once do nothing;
  return true;
end $$;
