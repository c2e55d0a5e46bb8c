-- Records what a venue answered about attempts: their state, how often the venue was asked, and
-- when to ask again. Runs under the planner settings of its caller.
create or replace function record_answers(
  p_operator_id text, p_orders order_row[], p_effects order_effects[], p_codes text[],
  p_moved_at timestamptz
) returns void language plpgsql as $$
declare
  v_operator text := nullif(p_operator_id, '');
begin
  update transmissions attempt set
    state = command.attempt_state, lookups = attempt.lookups + 1,
    not_found = coalesce(command.attempt_not_found, 0),
    answered_at = case when command.attempt_state in ('working', 'reading_fee', 'done')
      then coalesce(attempt.answered_at, p_moved_at) else attempt.answered_at end,
    -- an attempt that is done is not looked up again
    next_lookup_at = case when command.attempt_state = 'done' then attempt.next_lookup_at
      else next_lookup_at(p_moved_at, attempt.expires_at, attempt.lookups, false) end
  from unnest(p_orders, p_effects) with ordinality command
  where p_codes[command.ordinality] is null
    and command.attempt is null and command.attempt_state is not null
    and attempt.operator_id = coalesce(v_operator, command.operator_id)
    and attempt.order_id = command.order_id;
end $$;
