-- Cash of our account at a venue is compared with the books: from what it had before we traded there, and with what a person
-- paid in or took out since.
alter table venue_accounts
  add opening_micros bigint,
  add cash_compared_at timestamptz;

create table venue_transfers (
  venue text collate "C" not null,
  reference text collate "C" not null check (length(reference) between 1 and 200),
  -- below 0 it was taken out
  amount_minor bigint not null check (amount_minor <> 0),
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (venue, reference)
);
create trigger venue_transfers_append_only before delete or update on venue_transfers for each row execute function refuse_change();
create trigger venue_transfers_keep before truncate on venue_transfers for each statement execute function refuse_change();

-- How many requests each worker may still make of a venue now.
create table venue_requests (
  venue text collate "C" not null,
  worker uuid not null,
  requests_left integer not null,
  seen_at timestamptz not null,
  primary key (venue, worker)
);
