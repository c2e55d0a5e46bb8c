-- concurrently
-- One order a quote: the order's own row spends it. Marking the quote wrote its row again, and often a further index entry.
drop index concurrently if exists orders_quote;
create unique index concurrently orders_quote on orders (quote_id, operator_id);
