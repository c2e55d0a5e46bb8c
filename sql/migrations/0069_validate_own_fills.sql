-- concurrently
-- Reads every order once, while they are read and written.
alter table orders validate constraint orders_own_fill;
