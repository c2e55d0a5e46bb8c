-- Rights that only the service operator's commands have, applied after grants.sql if they have a separate database role. :service is the
-- role of the API and the workers: an intruder in such a process makes no key, opens no gate, and approves nothing.
revoke insert, update, delete on operators, api_keys, approval_kinds, approvals, audit_log from :service;
revoke execute on function request_approval, decide_approval from :service;

-- Other decisions that only a person makes: collateral, closed periods, results and pauses of markets, matches of listings, the key of a
-- log, and many events that are sent again. Nor can the service write the records that such a decision leaves beside the journal, so that a row
-- that its own code invents is a finding of the report.
revoke execute on function insert_operator, update_operator, open_ledger, move_collateral, close_period, decide_market,
  decide_market_as_seen, verify_routing_group, match_listings, unmatch_listings, change_log_key, replay_webhook_deliveries
  from :service;
revoke insert on collateral_references, accounting_periods, period_statements, feed_log_keys, suspension_changes,
  venue_redemptions from :service;
revoke insert, update, delete on display_rates, operator_books from :service;
-- a worker stops trading at a venue, and a support person resumes it
revoke update, delete on venue_stops from :service;
