-- A fact that is one item with one position: a command of its own. An entry has no money here,
-- because its item is made of its lines.
create or replace function one_fact(p_ord integer, p_operator_id text, p_type text, p_item_id text,
  p_external_user_id text, p_position_id text, p_order_id text, p_money json, p_detail json,
  p_lines json, p_event json) returns feed_fact language sql immutable parallel safe as $$
  select row(p_ord, p_operator_id, p_type, p_item_id, p_external_user_id, p_position_id, p_order_id,
    p_money, p_detail, p_lines, p_event, 0, 1, 1, null)::feed_fact
$$;
