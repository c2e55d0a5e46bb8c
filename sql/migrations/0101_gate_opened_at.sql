-- When the service operator last opened the account gate, from which on an order that waits may be
-- sent; null if it was open from the start. An order that is unsent five minutes after its reserve
-- was confirmed and both gates were open is withdrawn.
alter table operators add column execution_confirmed_at timestamptz;
