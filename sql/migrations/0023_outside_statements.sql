-- Statements of banks and venues, as they were imported, and the breaks between them and our books. Of the service operator: a
-- statement belongs to an account, which is an operator (kind bank) or our account at a venue (kind venue).

create table outside_statements (
  kind text collate "C" not null check (kind in ('bank', 'venue')),
  -- the id of the operator, or the name of the venue
  account text collate "C" not null,
  -- of the bytes of the file: the same file is imported once
  file_sha256 text collate "C" not null check (length(file_sha256) = 64),
  first_on date not null,
  last_on date not null check (last_on >= first_on),
  imported_by text not null check (length(imported_by) between 1 and 200),
  imported_at timestamptz not null default clock_timestamp(),
  primary key (kind, account, file_sha256)
);
create trigger outside_statements_append_only before update or delete on outside_statements
  for each row execute function refuse_change();
create trigger outside_statements_keep before truncate on outside_statements for each statement execute function refuse_change();

create table outside_rows (
  kind text collate "C" not null,
  account text collate "C" not null,
  file_sha256 text collate "C" not null,
  line integer not null check (line > 0),
  -- as it is compared: lower case, single spaces
  reference text collate "C" not null,
  -- cents; above 0 was paid to us
  amount_minor bigint not null check (amount_minor <> 0),
  booked_on date not null,
  primary key (kind, account, file_sha256, line),
  foreign key (kind, account, file_sha256) references outside_statements
);
create index outside_rows_reference on outside_rows (kind, account, reference);
create trigger outside_rows_append_only before update or delete on outside_rows for each row execute function refuse_change();
create trigger outside_rows_keep before truncate on outside_rows for each statement execute function refuse_change();

create table outside_breaks (
  break_id id primary key,
  kind text collate "C" not null,
  account text collate "C" not null,
  -- so that its operator's report sees it; none for a break at a venue
  operator_id id generated always as (case kind when 'bank' then account end) stored,
  -- the statement that showed it
  file_sha256 text collate "C" not null,
  -- the line of the file; null for what the statement does not have
  line integer,
  problem text not null check (problem in ('missing_in_books', 'missing_outside', 'amount_differs', 'date_differs', 'repeated_outside')),
  reference text collate "C" not null,
  outside_minor bigint,
  books_minor bigint,
  outside_on date,
  books_on date,
  opened_at timestamptz not null default clock_timestamp(),
  closed_by text check (length(closed_by) between 1 and 200),
  closed_at timestamptz,
  reason text check (length(reason) between 1 and 1000),
  foreign key (kind, account, file_sha256) references outside_statements,
  -- a later statement with the same row shows nothing new, also after the break was closed
  constraint break_is_shown_once unique nulls not distinct (kind, account, reference, problem, outside_minor, books_minor, outside_on),
  constraint closed_with_a_reason check ((closed_by is null) = (closed_at is null) and (closed_by is null) = (reason is null))
);
create index outside_breaks_open on outside_breaks (operator_id) where closed_at is null;

-- A break is closed once and never changes otherwise.
create function refuse_break_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or old.closed_at is not null then
    raise exception 'a break is kept, and closed once' using errcode = 'IN002';
  end if;
  return new;
end $$;
create trigger outside_breaks_closed_once before update on outside_breaks for each row execute function refuse_break_change();
create trigger outside_breaks_kept before delete or truncate on outside_breaks for each statement execute function refuse_break_change();
