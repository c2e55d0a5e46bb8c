-- Some venues name an order by what it says, so that its id there is known before it is sent. And some take dollars instead of
-- a quantity, so that what an attempt spends is the bound of its fills.
alter table transmissions
  add venue_ref text collate "C",
  add spend_micros bigint;
