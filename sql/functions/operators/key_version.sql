-- The version of a key and the operators that it acts for: the writers and places of their rows, so
-- no other state has the same one.
create or replace function key_version(p_key_writer xid, p_key_place tid, p_operator_writer xid,
  p_operator_place tid, p_child_writer xid, p_child_place tid
) returns text language sql stable as $$
  select concat_ws('-', p_key_writer, p_key_place, p_operator_writer, p_operator_place,
    p_child_writer, p_child_place)
$$;
