-- Cash that a person moves between two parts of a venue. The venue moves it in steps that are not atomic, so what is known of each
-- transfer is kept: whether the venue took it, and whether the money arrived. A transfer is sent once, under a reference of ours.
create table venue_part_transfers (
  venue text collate "C" not null,
  reference text collate "C" not null check (length(reference) between 1 and 200),
  from_part smallint not null check (from_part >= 0),
  to_part smallint not null check (to_part >= 0 and to_part <> from_part),
  amount_minor bigint not null check (amount_minor > 0),
  -- asked: it may be at the venue, whose answer is not known; under_way: the venue took it, and the money may be between the parts
  state text not null default 'asked' check (state in ('asked', 'under_way', 'arrived', 'refused')),
  -- the venue's own id
  transfer_id text collate "C",
  -- why nothing was moved: what the venue said, or what a person learned from it
  detail text,
  requested_by text not null check (length(requested_by) between 1 and 200),
  requested_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (venue, reference),
  unique (venue, transfer_id),
  check ((state in ('under_way', 'arrived')) = (transfer_id is not null))
);
-- The venue keeps no reference of ours: of two equal transfers without an answer nobody could say which is which.
create unique index venue_part_transfers_asked on venue_part_transfers (venue, from_part, to_part, amount_minor)
  where state = 'asked';
