-- Decides about a market as decide_market does, if its resolution is still the one that was seen:
-- p_version is the version then, null for any. A decision that already holds counts as seen, so
-- that a repetition changes nothing and is answered. Locks: the board's revision, then the
-- contract.
create or replace function decide_market_as_seen(
  p_contract_id text, p_action text, p_resolution text, p_split_yes_micros bigint,
  p_version integer,
  out as_seen boolean, out changed boolean, out out_status text, out out_resolution text,
  out out_split_yes_micros bigint, out out_revision bigint
) returns setof record language plpgsql as $$
begin
  perform 1 from board_revision board for update;
  select p_version is null or contract.resolution_version = p_version
      or (p_action = 'resolve' and (contract.resolution, contract.split_yes_micros)
        is not distinct from (p_resolution, p_split_yes_micros))
      or (p_action = 'reopen' and contract.resolution is null)
    into as_seen
  from contracts contract where contract.contract_id = p_contract_id for update;
  if as_seen is null then
    return;
  end if;
  if not as_seen then
    return next;
    return;
  end if;
  return query
  select true, decided.* from decide_market(p_contract_id, p_action, p_resolution,
    p_split_yes_micros) decided;
end $$;
