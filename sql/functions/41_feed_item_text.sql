-- A feed item as the wire has it, joined from text: what was written once is never parsed again. The cursor is
-- core/cursor.ts's, base64url of [1,"feed:<operator>","<position>"]. One concat: a chain of || copies the text at every link.
create or replace function feed_item_text(f feed_items) returns text language sql stable parallel safe as $$
  select concat('{"id":"', f.item_id, '","type":"', f.type, '","cursor":"',
    rtrim(translate(encode(convert_to(concat('[1,"feed:', f.operator_id, '","', f.position, '"]'), 'UTF8'), 'base64'), E'+/\n', '-_'), '='),
    '","sequence":', f.position,
    ',"occurredAt":"', to_char(f.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    '","externalUserId":', coalesce(to_json(f.external_user_id)::text, 'null'),
    ',"positionId":', coalesce('"' || f.position_id || '"', 'null'),
    ',"orderId":', coalesce('"' || f.order_id || '"', 'null'),
    ',"money":', coalesce(f.money::text, 'null'), ',"detail":', f.detail, '}')
$$;
