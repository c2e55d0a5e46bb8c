-- The cursor that resumes right after an item: core/cursor.ts's, base64url of [1,"feed:<operator>","<position>"], and
-- from the second epoch of the books on with its number behind the position. It is one
-- expression, so that it is inlined where it is used.
create or replace function feed_cursor(p_operator_id text, p_position bigint) returns text language sql stable parallel safe as $$
  select rtrim(translate(encode(convert_to(concat('[1,"feed:', p_operator_id, '","', p_position, '"',
    (select ',' || b.epoch from books b where b.epoch > 1), ']'), 'UTF8'), 'base64'), E'+/\n', '-_'), '=')
$$;

-- A feed item as the wire has it, joined from text: what was written once is never parsed again. One concat: a chain of ||
-- copies the text at every link.
create or replace function feed_item_text(f feed_items) returns text language sql stable parallel safe as $$
  select concat('{"id":"', f.item_id, '","type":"', f.type, '","cursor":"', feed_cursor(f.operator_id, f.position), '","sequence":', f.position,
    ',"occurredAt":"', to_char(f.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    '","externalUserId":', coalesce(to_json(f.external_user_id)::text, 'null'),
    ',"positionId":', coalesce('"' || f.position_id || '"', 'null'),
    ',"orderId":', coalesce('"' || f.order_id || '"', 'null'),
    ',"money":', coalesce(f.money::text, 'null'), ',"detail":', f.detail, '}')
$$;
