-- A record of the books as one line: what it is, its position in the feed (of a ledger seal its
-- number), and its row with all columns that are not null.
create or replace function record_text(p_record text, p_place bigint, p_row json)
returns text language sql stable parallel safe as $$
  select concat('{"record":"', p_record, '","position":', p_place, ',"row":',
    json_strip_nulls(p_row), '}')
$$;
