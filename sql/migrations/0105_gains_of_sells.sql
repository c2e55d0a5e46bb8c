-- What a venue paid for more than a sell could deliver, as a person recorded it: the service's own,
-- posted to `overrun`. Without it the report would expect `overrun` from the fills alone.
alter table orders add column venue_gain_minor bigint not null default 0
  constraint venue_gain_of_sells check (venue_gain_minor >= 0
    and (venue_gain_minor = 0 or action = 'sell'));
alter type order_move add attribute venue_gain_minor bigint;
