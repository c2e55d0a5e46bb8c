-- Witnesses of the logs of feeds: the newest checkpoint that each of them cosigned. The first cosignature of a witness binds
-- its name to its key.
create table feed_log_witnesses (
  operator_id id not null references operators,
  -- verifier key of C2SP signed-note, with the type of C2SP tlog-cosignature
  verifier_key text not null check (length(verifier_key) between 1 and 300),
  name text not null check (length(name) between 1 and 200),
  size bigint not null check (size > 0),
  -- the checkpoint with the witness's signature alone
  note text not null check (length(note) <= 2000),
  cosigned_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (operator_id, name)
);
