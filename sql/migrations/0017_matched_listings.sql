-- Listings of several venues that a person matched as one contract. Each contract stays what it is, with its own positions;
-- the contracts of one group share their listings' books.
alter table contracts
  -- joined its group by the decision of a person, not by the word of its venue
  add matched boolean not null default false,
  -- its YES is the NO of the group
  add inverse boolean not null default false;

-- What a person compares: title, labels, rules, source and closing time, as the venue last said them.
alter table listings add wording jsonb;

alter table routing_groups
  add note text,
  -- the wording of every listing when they were matched
  add compared json,
  drop constraint routing_groups_ended_because_check;
alter table routing_groups add constraint routing_groups_ended_because_check
  check (ended_because in ('listing_joined', 'terms_changed', 'unmatched'));
