-- What was traded of a listing since a worker follows it, where the venue says each trade and no volume (Polymarket): the sum of the
-- quantities, and the price of the last one. A worker that starts anew begins at 0.
alter table listings
  add column traded_micros bigint,
  add column traded_price_micros bigint,
  -- every row has nulls now
  add constraint listings_traded check (traded_micros >= 0 and traded_price_micros between 0 and 1000000) not valid;
