-- A line of an entry as its item in the feed shows it. Signed cents, a debit is positive. The view
-- feed_items joins them; PostgreSQL inlines the function there.
create or replace function posted_line(p_account_id text, p_amount bigint)
returns text language sql stable parallel safe as $$
  select concat('{"accountId":', to_json(p_account_id), case when p_amount > 0
    then concat(',"debit":"', p_amount * 0.01, '","credit":"0.00"}')
    else concat(',"debit":"0.00","credit":"', p_amount * -0.01, '"}') end)
$$;
