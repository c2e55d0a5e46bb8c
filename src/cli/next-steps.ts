/** What to do next about an error, by its code. One sentence each; a code without an entry speaks for itself. */
const NEXT: Readonly<Record<string, string>> = {
  missing_credentials: 'Run "inlay login", or set INLAY_API_KEY.',
  invalid_key: 'Check the key: "inlay profiles list" shows which one is used. "inlay keys issue" makes a new one.',
  revoked_key: 'Ask the service operator for a new key ("inlay keys issue").',
  insufficient_scope: 'Use a key that has the scope ("inlay keys issue --scope ...").',
  operator_suspended: 'The service operator can lift it with "inlay operators resume".',
  rate_limited: 'Wait for the next minute and try again.',
  quote_expired: 'Quote again and let the customer confirm the new price.',
  quote_already_used: 'Quote again; a quote is spent once.',
  price_stale: 'Quote again in a moment.',
  price_moved: 'Quote again, or allow more with --max-slippage.',
  line_not_available: 'Look at the outcome again with "inlay events show".',
  reconciliation_required: 'Hold the authorization and look at the order again with "inlay orders show".',
  insufficient_funds: 'In the sandbox, "inlay sandbox fund USER" adds to the wallet.',
  stake_exceeds_available_depth: 'Try a smaller stake.',
  below_venue_minimum: 'Try a larger stake.',
  unknown_event: '"inlay events list" shows what there is.',
  market_not_found: '"inlay events show EVENT" lists the contracts of an event.',
  sandbox_only: 'Use the key of a sandbox operator.',
  invalid_environment: 'Correct the variable, or unset it for its default.',
  service_unreachable: 'Is the service running? Start it with "inlay up", or set INLAY_API_URL.',
  database_unavailable: 'Check DATABASE_URL, and that PostgreSQL runs there.',
  migration_refused: 'Does the role own the tables? DATABASE_OWNER_URL names the one that migrates.',
  database_refused: 'Check the user, password and database in DATABASE_URL and DATABASE_OWNER_URL.',
};

export function nextStep(code: string): string | undefined {
  return NEXT[code];
}
