-- concurrently
-- Reads orders and items of the feed once, while they are read and written.
alter table orders validate constraint orders_own_fill;
alter table feed_item_rows validate constraint feed_items_item_id_check;
