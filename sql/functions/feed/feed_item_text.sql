-- The texts of a feed item. Each function is one expression without a subquery, and uses each
-- argument only once or takes a plain column there, so that PostgreSQL inlines it where it is used:
-- the money of an entry is an expression of its lines (the view feed_items).

-- The cursor that resumes right after an item, as core/cursor.ts writes it: base64url of
-- [1,"feed:<operator>","<position>"], from the second epoch of the books on with the epoch as the
-- last element.
create or replace function feed_cursor(p_operator_id text, p_position bigint, p_epoch integer)
returns text language sql stable parallel safe as $$
  select rtrim(translate(encode(convert_to(
    concat('[1,"feed:', p_operator_id, '","', p_position, '"', nullif(concat(',', p_epoch), ',1'),
    ']'), 'UTF8'), 'base64'), E'+/\n', '-_'), '=')
$$;

-- What follows the cursor, joined from text: JSON that was written once is never parsed again. One
-- concat, because a chain of || copies the text at every step.
create or replace function feed_item_rest(p_position bigint, p_occurred_at timestamptz,
  p_external_user_id text, p_position_id text, p_order_id text, p_money json, p_detail json)
returns text language sql stable parallel safe as $$
  select concat('"sequence":', p_position,
    ',"occurredAt":"', to_char(p_occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    '","externalUserId":', coalesce(to_json(p_external_user_id)::text, 'null'),
    ',"positionId":', coalesce('"' || p_position_id || '"', 'null'),
    ',"orderId":', coalesce('"' || p_order_id || '"', 'null'),
    ',"money":', coalesce(p_money::text, 'null'), ',"detail":', p_detail, '}')
$$;

-- A feed item as the API returns it. The epoch is that of the books.
create or replace function feed_item_text(p_operator_id text, p_position bigint, p_type text,
  p_item_id text, p_occurred_at timestamptz, p_external_user_id text, p_position_id text,
  p_order_id text, p_money json, p_detail json, p_epoch integer)
returns text language sql stable parallel safe as $$
  select concat('{"id":"', p_item_id, '","type":"', p_type, '","cursor":"',
    feed_cursor(p_operator_id, p_position, p_epoch), '",', feed_item_rest(p_position, p_occurred_at,
      p_external_user_id, p_position_id, p_order_id, p_money, p_detail))
$$;

-- A feed item without its cursor: what the log of the feed proves.
create or replace function feed_item_fact(p_position bigint, p_type text, p_item_id text,
  p_occurred_at timestamptz, p_external_user_id text, p_position_id text, p_order_id text,
  p_money json, p_detail json)
returns text language sql stable parallel safe as $$
  select concat('{"id":"', p_item_id, '","type":"', p_type, '",', feed_item_rest(p_position,
    p_occurred_at, p_external_user_id, p_position_id, p_order_id, p_money, p_detail))
$$;
