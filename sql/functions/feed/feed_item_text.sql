-- The texts of a feed item. Each function is one expression without a subquery, and uses an
-- argument that may be one only once, so that PostgreSQL inlines it where it is used.

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
create or replace function feed_item_rest(p_item feed_items)
returns text language sql stable parallel safe as $$
  select concat('"sequence":', p_item.position,
    ',"occurredAt":"', to_char(p_item.occurred_at at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    '","externalUserId":', coalesce(to_json(p_item.external_user_id)::text, 'null'),
    ',"positionId":', coalesce('"' || p_item.position_id || '"', 'null'),
    ',"orderId":', coalesce('"' || p_item.order_id || '"', 'null'),
    ',"money":', coalesce(p_item.money::text, 'null'), ',"detail":', p_item.detail, '}')
$$;

-- A feed item as the API returns it. The epoch is that of the books.
create or replace function feed_item_text(p_item feed_items, p_epoch integer)
returns text language sql stable parallel safe as $$
  select concat('{"id":"', p_item.item_id, '","type":"', p_item.type, '","cursor":"',
    feed_cursor(p_item.operator_id, p_item.position, p_epoch), '",', feed_item_rest(p_item))
$$;

-- A feed item without its cursor: what the log of the feed proves.
create or replace function feed_item_fact(p_item feed_items)
returns text language sql stable parallel safe as $$
  select concat('{"id":"', p_item.item_id, '","type":"', p_item.type, '",', feed_item_rest(p_item))
$$;
