-- A link of the chain: the hash of the link before and of everything that this one says.
create or replace function ledger_seal(p_previous bytea, p_operator_id text, p_number bigint,
  p_after bigint, p_through bigint,
  p_positions bigint[], p_marks bytea, p_digest bytea)
returns bytea language sql immutable parallel safe as $$
  select sha256(p_previous || convert_to(p_operator_id, 'UTF8') || int8send(p_number)
    || int8send(p_after) || int8send(p_through)
    || array_send(p_positions) || p_marks || p_digest)
$$;
