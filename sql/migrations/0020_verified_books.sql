-- What a report rests on: the last verification of everything that found the books right, up to a signed checkpoint. It is dropped
-- as soon as one finds them wrong, so that every report then reads everything again.
alter table reconciliation_reports
  -- of the checkpoint: its items were verified
  add column verified_size bigint check (verified_size >= 0),
  add column verified_root bytea check (length(verified_root) = 32),
  add column verified_at timestamptz,
  -- figures of the ledger and of the facts, as check_ledger returned them
  add column verified json,
  add constraint verified_whole check (num_nulls(verified_size, verified_root, verified_at, verified) in (0, 4));

-- They take what they are limited to as further arguments now; only reports call them.
drop function if exists check_ledger(text, bigint);
drop function if exists check_wallet_balance(text);
drop function if exists check_orphan_hold(text);
drop function if exists check_positions(text);
drop function if exists check_settlement_once(text);
drop function if exists check_holdings(text);
drop function if exists check_order_state(text);
drop function if exists check_orders(text, timestamptz);
drop function if exists check_order_terms(text, timestamptz);
drop function if exists fill_sums(text, timestamptz);
drop function if exists count_venue_agreement(text, bigint);

-- RFC 3161 time-stamps of checkpoints. A checkpoint is replaced by the next one, so the stamped one is kept beside its stamp.
create table feed_log_timestamps (
  operator_id id not null references operators,
  size bigint not null check (size >= 0),
  -- the signed checkpoint; the stamp is over its bytes
  note text not null check (length(note) <= 2000),
  -- TimeStampResp, DER
  response bytea not null check (length(response) between 1 and 65536),
  stamped_at timestamptz not null default clock_timestamp(),
  primary key (operator_id, size)
);
create trigger feed_log_timestamps_append_only before update or delete on feed_log_timestamps
  for each row execute function refuse_change();
create trigger feed_log_timestamps_keep before truncate on feed_log_timestamps for each statement execute function refuse_change();
