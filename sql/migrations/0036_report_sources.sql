-- Checks of the report that were taken apart, and what read as expected the entries that it checked.
drop function if exists correction_lines(text);
drop function if exists wallet_credits(text);
drop function if exists check_order_money(text, timestamptz);
drop function if exists check_order_fills(text, timestamptz);
drop function if exists check_order_unresolved(text);
