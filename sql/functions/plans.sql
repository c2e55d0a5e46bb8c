-- The planner settings of the money statements, for all of them: one plan for all calls, because
-- planning costs more than running it, and look-ups by key only, because the plan may be made while
-- the tables are empty and must not become a scan when they grow (test/db/early-plans.test.ts).
-- Functions that these call run under the same settings.
do $$
declare
  v_function regproc;
begin
  foreach v_function in array array['order_basis', 'place_orders', 'move_orders', 'issue_quotes',
    'create_customers', 'append_to_journal', 'move_collateral', 'settle_positions']::regproc[] loop
    execute format('alter function %s set plan_cache_mode = force_generic_plan
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off',
      v_function::regprocedure);
  end loop;
end $$;
