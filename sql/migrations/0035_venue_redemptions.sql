-- Resolved positions that a person redeemed at a venue that does not pay by itself. The payment itself is in the cash of the account.
create table venue_redemptions (
  venue text collate "C" not null,
  listing_id text collate "C" not null,
  -- of the transaction on the chain
  reference text collate "C" not null check (length(reference) between 1 and 200),
  recorded_by text not null check (length(recorded_by) between 1 and 200),
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (venue, listing_id, reference)
);
create trigger venue_redemptions_append_only before delete or update on venue_redemptions for each row execute function refuse_change();
create trigger venue_redemptions_keep before truncate on venue_redemptions for each statement execute function refuse_change();
