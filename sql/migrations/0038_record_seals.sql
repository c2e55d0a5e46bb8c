-- Seals of the records beside the feed: entries, lines, fills, settlements and ledger seals with all their columns. Each record has
-- a mark, twelve bytes of a SHA-256 of its text (book_records), each seal has the hash of the seal before, and the newest one is
-- signed. So an export of the records can be checked without the database.
create table record_seals (
  operator_id id not null references operators,
  number bigint not null check (number > 0),
  -- records of feed positions after the one and up to the other
  after_position bigint not null check (after_position >= 0),
  through_position bigint not null check (through_position >= after_position),
  -- ledger seals up to this number
  ledger_seals bigint not null check (ledger_seals >= 0),
  marks bytea not null check (octet_length(marks) % 12 = 0),
  seal bytea not null check (octet_length(seal) = 32),
  -- the signed note over the seal
  note text not null check (length(note) <= 2000),
  sealed_at timestamptz not null,
  primary key (operator_id, number)
);
create trigger record_seals_append_only before update or delete on record_seals
  for each row execute function refuse_change();
create trigger record_seals_keep before truncate on record_seals for each statement execute function refuse_change();
