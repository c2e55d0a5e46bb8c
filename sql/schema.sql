-- What the migrations together have made, functions aside. Written by a test, never applied: npx vitest run test/db/schema.test.ts -u

create type fact as (
  ord integer,
  operator_id text,
  type text,
  item_id text,
  external_user_id text,
  position_id text,
  order_id text,
  money json,
  detail json,
  lines json,
  event json
);

create type feed_fact as (
  ord integer,
  operator_id text,
  type text,
  item_id text,
  external_user_id text,
  position_id text,
  order_id text,
  money json,
  detail json,
  lines json,
  event json,
  place integer,
  places integer,
  items integer,
  following text
);

create type finding as (
  check_name text,
  severity text,
  detail text,
  subject_type text,
  subject_id text
);

create domain id as text collate "C";

create type order_command as (
  number integer,
  operator_id text,
  external_user_id text,
  order_id text,
  client_order_id text,
  execution_ref text,
  quote_id text,
  contract_id text,
  side text,
  action text,
  intent text,
  status text,
  transmission_state text,
  simulated boolean,
  price_micros bigint,
  slippage_micros bigint,
  fee_bps integer,
  authorization_minor bigint,
  quoted_fee_minor bigint,
  quoted_trade_minor bigint,
  quoted_quantity bigint,
  filled_quantity bigint,
  fill_price_micros bigint,
  fill_id text,
  trade_minor bigint,
  platform_fee_minor bigint,
  venue_fee_minor bigint,
  venue_fee_known boolean,
  debit_minor bigint,
  release_minor bigint,
  proceeds_minor bigint,
  counted_stake_minor bigint,
  position_id text,
  position_version bigint,
  cost_share_minor bigint,
  fee_share_minor bigint,
  weight_share numeric,
  scenario_id text,
  reject_reason text,
  routing_reason text,
  considered_venues integer,
  venue text,
  armed boolean,
  reserve_reference text,
  book_revision bigint,
  refusal text,
  late_refusal text,
  wallet_minor bigint,
  collateral_minor bigint,
  fact_count integer
);

create type order_move as (
  number integer,
  operator_id text,
  external_user_id text,
  order_id text,
  expected_version bigint,
  status text,
  transmission_state text,
  filled_quantity bigint,
  price_weight numeric,
  trade_minor bigint,
  platform_fee_minor bigint,
  venue_fee_minor bigint,
  venue_fee_known boolean,
  debit_minor bigint,
  release_minor bigint,
  proceeds_minor bigint,
  counted_stake_minor bigint,
  exited_fills integer,
  reject_reason text,
  reserve_reference text,
  confirms boolean,
  cancellation_id text,
  cancel_reason text,
  collateral_minor bigint,
  begins boolean,
  attempt json,
  attempt_state text,
  attempt_not_found integer,
  lookup_in_seconds double precision,
  fills json,
  position_id text,
  position_version bigint,
  add_quantity bigint,
  add_cost_minor bigint,
  add_fees_minor bigint,
  add_weight numeric,
  take_quantity bigint,
  cost_share_minor bigint,
  fee_share_minor bigint,
  weight_share numeric,
  add_realised_minor bigint,
  unhold_quantity bigint,
  exposure_minor bigint,
  adopts boolean,
  fact_count integer,
  venue_gain_minor bigint
);

create type payout as (
  n bigint,
  position_id text,
  settlement_id text,
  external_user_id text,
  contract_id text,
  side text,
  quantity bigint,
  cost_minor bigint,
  fees_minor bigint,
  credit_minor bigint,
  outcome text,
  lifetime_minor bigint,
  simulated boolean,
  funds_account text
);

create type quote_command as (
  number integer,
  operator_id text,
  external_user_id text,
  quote_id text,
  contract_id text,
  side text,
  action text,
  price_micros bigint,
  fee_bps integer,
  authorization_minor bigint,
  fee_minor bigint,
  trade_minor bigint,
  quantity bigint,
  payout_minor bigint,
  hold_seconds integer,
  simulated boolean,
  venue text,
  routing_reason text,
  considered_venues integer,
  routable boolean,
  book jsonb,
  book_revision bigint,
  refusal text,
  observed_country text
);

create table account_balances (
  operator_id id not null,
  account_id text collate "C" not null,
  balance bigint not null default 0,
  constraint account_balances_pkey PRIMARY KEY (operator_id, account_id),
  constraint account_balances_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint liability_not_overdrawn CHECK (((balance <= 0) OR (NOT ((account_id ~~ 'wallet:%'::text) OR (account_id ~~ 'hold:%'::text) OR (account_id ~~ 'collateral:%'::text)))))
) with (fillfactor=50);

create table accounting_periods (
  operator_id id not null,
  number integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  through_position bigint not null,
  closed_by text not null,
  closed_at timestamp with time zone not null,
  constraint accounting_periods_operator_id_ends_at_key UNIQUE (operator_id, ends_at),
  constraint accounting_periods_operator_id_starts_at_key UNIQUE (operator_id, starts_at),
  constraint accounting_periods_pkey PRIMARY KEY (operator_id, number),
  constraint accounting_periods_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint accounting_periods_check CHECK ((starts_at < ends_at)),
  constraint accounting_periods_check1 CHECK ((ends_at <= closed_at)),
  constraint accounting_periods_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 200))),
  constraint accounting_periods_number_check CHECK ((number > 0)),
  constraint accounting_periods_through_position_check CHECK ((through_position >= 0))
);
CREATE TRIGGER accounting_periods_append_only BEFORE DELETE OR UPDATE ON public.accounting_periods FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounting_periods_keep BEFORE TRUNCATE ON public.accounting_periods FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table admin_roles (
  role name not null,
  constraint admin_roles_pkey PRIMARY KEY (role)
);

create table api_key_uses (
  operator_id id not null,
  key_id id not null,
  used_at timestamp with time zone not null,
  address inet,
  constraint api_key_uses_pkey PRIMARY KEY (operator_id, key_id),
  constraint api_key_uses_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(key_id)
);

create table api_keys (
  key_id id not null,
  operator_id id not null,
  key_hash bytea not null,
  prefix text not null,
  label text,
  scopes text[] not null default '{}'::text[],
  rate_limit integer not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone,
  allowed_addresses cidr[],
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_pkey PRIMARY KEY (key_id),
  constraint api_keys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint api_keys_allowed_addresses_check CHECK (((cardinality(allowed_addresses) >= 1) AND (cardinality(allowed_addresses) <= 100))),
  constraint api_keys_check CHECK ((expires_at > created_at)),
  constraint api_keys_rate_limit_check CHECK (((rate_limit >= 1) AND (rate_limit <= 6000)))
);
CREATE INDEX api_keys_operator ON public.api_keys USING btree (operator_id);
CREATE TRIGGER api_keys_change AFTER UPDATE ON public.api_keys REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION await_budget_leases();
CREATE TRIGGER api_keys_end AFTER DELETE ON public.api_keys REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION await_budget_leases();

create table approval_kinds (
  kind text collate "C" not null,
  required_by text not null,
  required_at timestamp with time zone not null default clock_timestamp(),
  constraint approval_kinds_pkey PRIMARY KEY (kind),
  constraint approval_kinds_kind_check CHECK ((kind = ANY (ARRAY['collateral_withdrawal'::text, 'correction'::text, 'market_reopening'::text, 'market_resolution'::text, 'order_resolution'::text])))
);

create table approvals (
  approval_id id not null,
  kind text not null,
  request json not null,
  summary text not null,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  decision text,
  decided_by text,
  decided_at timestamp with time zone,
  reason text,
  outcome text,
  code text,
  ended_at timestamp with time zone,
  requested_user text not null,
  decided_user text,
  constraint approvals_pkey PRIMARY KEY (approval_id),
  constraint approvals_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 200))),
  constraint approvals_decided_user_check CHECK (((length(decided_user) >= 1) AND (length(decided_user) <= 200))),
  constraint approvals_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'refused'::text]))),
  constraint approvals_kind_check CHECK ((kind = ANY (ARRAY['approval_rules'::text, 'collateral_withdrawal'::text, 'correction'::text, 'market_reopening'::text, 'market_resolution'::text, 'order_resolution'::text]))),
  constraint approvals_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'failed'::text]))),
  constraint approvals_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 200))),
  constraint approvals_requested_user_check CHECK (((length(requested_user) >= 1) AND (length(requested_user) <= 200))),
  constraint approved_by_another CHECK (((decision IS DISTINCT FROM 'approved'::text) OR (decided_user <> requested_user))),
  constraint decided_before_it_expires CHECK ((decided_at <= expires_at)),
  constraint decision_is_complete CHECK ((((decision IS NULL) = (decided_by IS NULL)) AND ((decision IS NULL) = (decided_at IS NULL)) AND ((decision IS NULL) = (decided_user IS NULL)))),
  constraint outcome_is_complete CHECK ((((outcome IS NULL) = (ended_at IS NULL)) AND ((NOT (outcome IS DISTINCT FROM 'failed'::text)) = (code IS NOT NULL)))),
  constraint outcome_of_an_approval CHECK (((outcome IS NULL) OR (NOT (decision IS DISTINCT FROM 'approved'::text)))),
  constraint refused_with_a_reason CHECK (((decision IS DISTINCT FROM 'refused'::text) OR (reason IS NOT NULL)))
);
CREATE INDEX approvals_open ON public.approvals USING btree (expires_at) WHERE (decision IS NULL);
CREATE TRIGGER approvals_decided_once BEFORE UPDATE ON public.approvals FOR EACH ROW EXECUTE FUNCTION refuse_approval_change();
CREATE TRIGGER approvals_kept BEFORE DELETE OR TRUNCATE ON public.approvals FOR EACH STATEMENT EXECUTE FUNCTION refuse_approval_change();

create table audit_log (
  entry_no bigint not null generated always as identity,
  change_id id not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  command text not null,
  arguments text[] not null,
  outcome text not null,
  code text,
  approval_id id,
  requested_by text,
  os_user text not null,
  login_user text,
  constraint audit_log_change_id_outcome_key UNIQUE (change_id, outcome),
  constraint audit_log_pkey PRIMARY KEY (entry_no),
  constraint audit_log_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 200))),
  constraint audit_log_login_user_check CHECK (((length(login_user) >= 1) AND (length(login_user) <= 200))),
  constraint audit_log_os_user_check CHECK (((length(os_user) >= 1) AND (length(os_user) <= 200))),
  constraint audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['started'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX audit_log_time ON public.audit_log USING btree (recorded_at);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_keep BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table board_revision (
  one boolean not null default true,
  revision bigint not null,
  constraint board_revision_pkey PRIMARY KEY (one),
  constraint board_revision_one_check CHECK (one)
);

create table books (
  one boolean not null default true,
  books_id uuid not null default gen_random_uuid(),
  epoch integer not null default 1,
  system_identifier bigint,
  timeline bigint,
  changed_at timestamp with time zone not null default now(),
  constraint books_pkey PRIMARY KEY (one),
  constraint books_epoch_check CHECK ((epoch > 0)),
  constraint books_one_check CHECK (one)
);

create table books_epochs (
  epoch integer not null,
  began_at timestamp with time zone not null default now(),
  seen json not null,
  found json not null,
  constraint books_epochs_pkey PRIMARY KEY (epoch)
);

create table books_witnesses (
  witness_id text collate "C" not null,
  beat bigint not null,
  seen_at timestamp with time zone not null default now(),
  constraint books_witnesses_pkey PRIMARY KEY (witness_id)
) with (fillfactor=50);

create table collateral_movements (
  operator_id id not null,
  reference text collate "C" not null,
  kind text not null,
  amount_minor bigint not null,
  sequence bigint not null,
  recorded_at timestamp with time zone not null,
  available_minor bigint not null,
  committed_minor bigint not null,
  constraint collateral_movements_pkey PRIMARY KEY (operator_id, reference),
  constraint collateral_movements_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint collateral_movements_amount_minor_check CHECK ((amount_minor > 0)),
  constraint collateral_movements_available_minor_check CHECK ((available_minor >= 0)),
  constraint collateral_movements_committed_minor_check CHECK ((committed_minor >= 0)),
  constraint collateral_movements_kind_check CHECK ((kind = ANY (ARRAY['deposit'::text, 'withdrawal'::text]))),
  constraint collateral_movements_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200)))
);
CREATE UNIQUE INDEX collateral_movements_sequence ON public.collateral_movements USING btree (operator_id, sequence);
CREATE TRIGGER collateral_movements_append_only BEFORE DELETE OR UPDATE ON public.collateral_movements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER collateral_movements_keep BEFORE TRUNCATE ON public.collateral_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table contract_resolutions (
  contract_id id not null,
  version integer not null,
  resolution text,
  split_yes_micros bigint,
  source text not null,
  applied boolean not null,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default now(),
  constraint contract_resolutions_pkey PRIMARY KEY (contract_id, version),
  constraint contract_resolutions_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES contracts(contract_id),
  constraint contract_resolutions_check CHECK (((NOT (resolution IS DISTINCT FROM 'SPLIT'::text)) = (split_yes_micros IS NOT NULL))),
  constraint contract_resolutions_resolution_check CHECK ((resolution = ANY (ARRAY['YES'::text, 'NO'::text, 'VOID'::text, 'SPLIT'::text]))),
  constraint contract_resolutions_source_check CHECK ((source = ANY (ARRAY['venue'::text, 'operator'::text]))),
  constraint contract_resolutions_split_yes_micros_check CHECK (((split_yes_micros >= 1) AND (split_yes_micros <= 999999))),
  constraint contract_resolutions_version_check CHECK ((version > 0))
);
CREATE TRIGGER contract_resolutions_append_only BEFORE DELETE OR UPDATE ON public.contract_resolutions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER contract_resolutions_keep BEFORE TRUNCATE ON public.contract_resolutions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table contracts (
  contract_id id not null,
  event_id id not null,
  status text not null,
  trading_closed boolean not null,
  five_minute boolean not null,
  category text not null,
  closes_at timestamp with time zone not null,
  resolution text,
  split_yes_micros bigint,
  resolved_at timestamp with time zone,
  resolved_by text,
  book_revision bigint not null default 0,
  rank smallint not null,
  digest text not null,
  venue_status text not null,
  venue_resolution text,
  venue_split_yes_micros bigint,
  operator_paused boolean not null default false,
  group_key text collate "C",
  position integer not null,
  label text not null,
  yes_label text,
  no_label text,
  translations jsonb not null default '{}'::jsonb,
  team_logo_url text,
  team_color text,
  team_marks text[],
  team_abbr text,
  sports_market_type text,
  threshold numeric,
  direction text,
  volume_micros bigint not null,
  volume_24h_micros bigint not null,
  last_price_micros bigint,
  source_price_micros bigint,
  price_24h_ago_micros bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  revision bigint not null,
  resolution_version integer not null default 0,
  matched boolean not null default false,
  inverse boolean not null default false,
  rules jsonb,
  constraint contracts_pkey PRIMARY KEY (contract_id),
  constraint contracts_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(event_id),
  constraint contracts_group_key_fkey FOREIGN KEY (group_key) REFERENCES routing_groups(group_key),
  constraint contracts_check CHECK (((resolution IS NULL) = (status <> ALL (ARRAY['resolved'::text, 'voided'::text])))),
  constraint contracts_check1 CHECK (((resolution IS NULL) = (resolved_at IS NULL))),
  constraint contracts_check2 CHECK (((resolution IS NULL) = (resolved_by IS NULL))),
  constraint contracts_check3 CHECK (((NOT (resolution IS DISTINCT FROM 'SPLIT'::text)) = (split_yes_micros IS NOT NULL))),
  constraint contracts_direction_check CHECK ((direction = ANY (ARRAY['above'::text, 'below'::text]))),
  constraint contracts_resolution_check CHECK ((resolution = ANY (ARRAY['YES'::text, 'NO'::text, 'VOID'::text, 'SPLIT'::text]))),
  constraint contracts_resolution_version_check CHECK ((resolution_version >= 0)),
  constraint contracts_resolved_by_check CHECK ((resolved_by = ANY (ARRAY['venue'::text, 'operator'::text]))),
  constraint contracts_split_yes_micros_check CHECK (((split_yes_micros >= 1) AND (split_yes_micros <= 999999))),
  constraint contracts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text, 'paused'::text, 'resolved'::text, 'voided'::text]))),
  constraint contracts_venue_resolution_check CHECK ((venue_resolution = ANY (ARRAY['YES'::text, 'NO'::text, 'VOID'::text, 'SPLIT'::text]))),
  constraint contracts_venue_status_check CHECK ((venue_status = ANY (ARRAY['open'::text, 'closed'::text, 'paused'::text, 'resolved'::text, 'voided'::text]))),
  constraint contracts_volume_24h_micros_check CHECK ((volume_24h_micros >= 0)),
  constraint contracts_volume_micros_check CHECK ((volume_micros >= 0))
) with (fillfactor=70);
CREATE INDEX contracts_event ON public.contracts USING btree (event_id);
CREATE INDEX contracts_group ON public.contracts USING btree (group_key) WHERE (group_key IS NOT NULL);
CREATE INDEX contracts_resolved ON public.contracts USING btree (resolved_at) WHERE (resolution IS NOT NULL);
CREATE INDEX contracts_revision ON public.contracts USING btree (revision);
CREATE INDEX contracts_unresolved ON public.contracts USING btree (closes_at) WHERE (resolution IS NULL);

create table customers (
  operator_id id not null,
  external_user_id text collate "C" not null,
  status text not null default 'active'::text,
  max_wager_minor bigint,
  period_stake_minor bigint,
  period_hours integer,
  limits_note text,
  country text,
  subdivision text,
  asserted_at timestamp with time zone,
  asserted_source text,
  observed_country text,
  observed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint customers_pkey PRIMARY KEY (operator_id, external_user_id),
  constraint customers_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint customers_asserted_source_check CHECK ((asserted_source = ANY (ARRAY['api'::text, 'embed_session'::text]))),
  constraint customers_check CHECK (((period_stake_minor IS NULL) = (period_hours IS NULL))),
  constraint customers_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint customers_external_user_id_check CHECK (((length(external_user_id) >= 1) AND (length(external_user_id) <= 200))),
  constraint customers_limits_note_check CHECK ((length(limits_note) <= 500)),
  constraint customers_max_wager_minor_check CHECK (((max_wager_minor >= 1) AND (max_wager_minor <= 1000000000))),
  constraint customers_observed_country_check CHECK ((observed_country ~ '^[A-Z]{2}$'::text)),
  constraint customers_period_hours_check CHECK (((period_hours >= 1) AND (period_hours <= 8760))),
  constraint customers_period_stake_minor_check CHECK (((period_stake_minor >= 1) AND (period_stake_minor <= 1000000000))),
  constraint customers_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);

create table display_rates (
  currency text not null,
  rate numeric not null,
  set_at timestamp with time zone not null default now(),
  constraint display_rates_pkey PRIMARY KEY (currency),
  constraint display_rates_currency_check CHECK ((currency = ANY (ARRAY['EUR'::text, 'GBP'::text, 'CAD'::text, 'BRL'::text, 'USDT'::text, 'USDC'::text, 'DAI'::text, 'BTC'::text, 'ETH'::text, 'SOL'::text, 'ARB'::text]))),
  constraint display_rates_rate_check CHECK ((rate > (0)::numeric))
);

create table embed_sessions (
  operator_id id not null,
  session_id id not null,
  secret_hash bytea not null,
  external_user_id text collate "C" not null,
  origin text,
  locale text,
  region text,
  country text,
  subdivision text,
  theme jsonb not null default '{}'::jsonb,
  operator_book_id id,
  minted_by id not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint embed_sessions_secret_hash_operator_id_key UNIQUE (secret_hash, operator_id),
  constraint embed_sessions_pkey PRIMARY KEY (operator_id, session_id),
  constraint embed_sessions_operator_id_external_user_id_fkey FOREIGN KEY (operator_id, external_user_id) REFERENCES customers(operator_id, external_user_id),
  constraint embed_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint embed_sessions_operator_id_operator_book_id_fkey FOREIGN KEY (operator_id, operator_book_id) REFERENCES operator_books(operator_id, operator_book_id),
  constraint embed_sessions_check CHECK ((expires_at > created_at)),
  constraint embed_sessions_secret_hash_check CHECK ((length(secret_hash) = 32))
);
CREATE INDEX embed_sessions_ended ON public.embed_sessions USING btree (expires_at);

create table events (
  event_id id not null,
  slug text collate "C" not null,
  rank smallint not null,
  digest text not null,
  title text not null,
  subtitle text,
  translations jsonb not null default '{}'::jsonb,
  category text not null,
  categories text[] not null,
  sport text,
  league text,
  event_type text,
  live_match jsonb,
  image_source_url text,
  kind text not null,
  level_format text,
  opens_at timestamp with time zone not null,
  closes_at timestamp with time zone not null,
  volume_micros bigint not null,
  volume_24h_micros bigint not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  revision bigint not null,
  constraint events_slug_key UNIQUE (slug),
  constraint events_pkey PRIMARY KEY (event_id),
  constraint events_check CHECK ((category = ANY (categories))),
  constraint events_event_type_check CHECK ((event_type = ANY (ARRAY['game'::text, 'future'::text]))),
  constraint events_kind_check CHECK ((kind = ANY (ARRAY['binary'::text, 'mutually_exclusive'::text, 'cumulative_ladder'::text, 'ambiguous'::text]))),
  constraint events_volume_24h_micros_check CHECK ((volume_24h_micros >= 0)),
  constraint events_volume_micros_check CHECK ((volume_micros >= 0))
);
CREATE INDEX events_revision ON public.events USING btree (revision);

create table exposures (
  operator_id id not null,
  external_user_id text collate "C" not null,
  exposure_minor bigint not null default 0,
  constraint exposures_pkey PRIMARY KEY (operator_id, external_user_id),
  constraint exposures_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint exposures_exposure_minor_check CHECK ((exposure_minor >= 0))
) with (fillfactor=50);

create table fact_month_starts (
  operator_id id not null,
  month smallint not null,
  first_position bigint not null,
  constraint fact_month_starts_pkey PRIMARY KEY (operator_id, month),
  constraint fact_month_starts_month_fkey FOREIGN KEY (month) REFERENCES fact_months(month),
  constraint fact_month_starts_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint fact_month_starts_first_position_check CHECK ((first_position > 0))
);
CREATE TRIGGER fact_month_starts_append_only BEFORE DELETE OR UPDATE ON public.fact_month_starts FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fact_month_starts_keep BEFORE TRUNCATE ON public.fact_month_starts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table fact_months (
  month smallint not null,
  suffix text not null,
  began_at timestamp with time zone not null default clock_timestamp(),
  constraint fact_months_suffix_key UNIQUE (suffix),
  constraint fact_months_pkey PRIMARY KEY (month)
);
CREATE TRIGGER fact_months_append_only BEFORE DELETE OR UPDATE ON public.fact_months FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fact_months_keep BEFORE TRUNCATE ON public.fact_months FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table feed_item_rows (
  operator_id id not null,
  position bigint not null,
  type text not null,
  item_id text,
  occurred_at timestamp with time zone not null,
  external_user_id text collate "C",
  position_id id,
  order_id id,
  money json,
  detail json not null,
  fact_month smallint,
  following text,
  constraint feed_items_item_id_check CHECK (((item_id IS NOT NULL) OR ((type = 'order.state_changed'::text) AND (order_id IS NOT NULL)))),
  constraint feed_items_position_check CHECK (("position" > 0)),
  constraint feed_items_type_check CHECK ((type = ANY (ARRAY['order.state_changed'::text, 'order.filled'::text, 'fee.assessed'::text, 'collateral.moved'::text, 'ledger.posted'::text, 'position.exited'::text, 'position.settled'::text, 'webhook.emitted'::text, 'log.key_changed'::text])))
) partition by LIST (fact_month);
CREATE INDEX feed_item_rows_by_kinds ON ONLY public.feed_item_rows USING btree (operator_id, ((((
CASE
    WHEN (strpos(following, '
a'::text) > 0) THEN 'a'::text
    ELSE ''::text
END ||
CASE
    WHEN (strpos(following, '
f'::text) > 0) THEN 'f'::text
    ELSE ''::text
END) ||
CASE
    WHEN (strpos(following, '
w'::text) > 0) THEN 'w'::text
    ELSE ''::text
END) ||
CASE
    WHEN (strpos(following, '
x'::text) > 0) THEN 'x'::text
    ELSE ''::text
END)), (("position" >> 8))) WHERE (following IS NOT NULL);
CREATE INDEX feed_item_rows_by_order ON ONLY public.feed_item_rows USING btree (order_id) WHERE ((order_id IS NOT NULL) AND (type = 'order.state_changed'::text));
CREATE INDEX feed_item_rows_by_type ON ONLY public.feed_item_rows USING btree (operator_id, type, (("position" >> 8)));
CREATE INDEX feed_item_rows_by_user ON ONLY public.feed_item_rows USING btree (operator_id, external_user_id, (("position" >> 8))) WHERE (external_user_id IS NOT NULL);
CREATE TRIGGER feed_item_rows_append_only BEFORE DELETE OR UPDATE ON public.feed_item_rows FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER feed_item_rows_keep BEFORE TRUNCATE ON public.feed_item_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table feed_item_rows_1 partition of feed_item_rows_before FOR VALUES FROM ('0') TO ('100000000');
CREATE TRIGGER feed_item_rows_1_keep BEFORE TRUNCATE ON public.feed_item_rows_1 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table feed_item_rows_before partition of feed_item_rows FOR VALUES IN (NULL) partition by RANGE ("position");
CREATE TRIGGER feed_item_rows_keep BEFORE TRUNCATE ON public.feed_item_rows_before FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table feed_item_rows_rest partition of feed_item_rows_before DEFAULT;
CREATE TRIGGER feed_item_rows_rest_keep BEFORE TRUNCATE ON public.feed_item_rows_rest FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table feed_log_heads (
  operator_id id not null,
  size bigint not null,
  root bytea not null,
  note text not null,
  sealed_at timestamp with time zone not null default clock_timestamp(),
  constraint feed_log_heads_pkey PRIMARY KEY (operator_id),
  constraint feed_log_heads_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint feed_log_heads_root_check CHECK ((length(root) = 32)),
  constraint feed_log_heads_size_check CHECK ((size >= 0))
);
CREATE TRIGGER feed_log_heads_grow BEFORE DELETE OR UPDATE ON public.feed_log_heads FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite();
CREATE TRIGGER feed_log_heads_keep BEFORE TRUNCATE ON public.feed_log_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_rewrite();

create table feed_log_tiles (
  operator_id id not null,
  level smallint not null,
  tile bigint not null,
  hashes bytea not null,
  constraint feed_log_tiles_pkey PRIMARY KEY (operator_id, level, tile),
  constraint feed_log_tiles_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint feed_log_tiles_hashes_check CHECK ((((length(hashes) % 32) = 0) AND ((length(hashes) >= 32) AND (length(hashes) <= 8192)))),
  constraint feed_log_tiles_level_check CHECK (((level >= 0) AND (level <= 6))),
  constraint feed_log_tiles_tile_check CHECK ((tile >= 0))
);
CREATE TRIGGER feed_log_tiles_grow BEFORE DELETE OR UPDATE ON public.feed_log_tiles FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite();
CREATE TRIGGER feed_log_tiles_keep BEFORE TRUNCATE ON public.feed_log_tiles FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_rewrite();

create table feed_log_timestamps (
  operator_id id not null,
  size bigint not null,
  note text not null,
  response bytea not null,
  stamped_at timestamp with time zone not null default clock_timestamp(),
  constraint feed_log_timestamps_pkey PRIMARY KEY (operator_id, size),
  constraint feed_log_timestamps_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint feed_log_timestamps_note_check CHECK ((length(note) <= 2000)),
  constraint feed_log_timestamps_response_check CHECK (((length(response) >= 1) AND (length(response) <= 65536))),
  constraint feed_log_timestamps_size_check CHECK ((size >= 0))
);
CREATE TRIGGER feed_log_timestamps_append_only BEFORE DELETE OR UPDATE ON public.feed_log_timestamps FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER feed_log_timestamps_keep BEFORE TRUNCATE ON public.feed_log_timestamps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table feed_log_witnesses (
  operator_id id not null,
  verifier_key text not null,
  name text not null,
  size bigint,
  note text,
  cosigned_at timestamp with time zone,
  received_at timestamp with time zone,
  constraint feed_log_witnesses_pkey PRIMARY KEY (operator_id, name),
  constraint feed_log_witnesses_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint cosigned_whole CHECK ((num_nulls(size, note, cosigned_at, received_at) = ANY (ARRAY[0, 4]))),
  constraint feed_log_witnesses_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint feed_log_witnesses_note_check CHECK ((length(note) <= 2000)),
  constraint feed_log_witnesses_size_check CHECK ((size > 0)),
  constraint feed_log_witnesses_verifier_key_check CHECK (((length(verifier_key) >= 1) AND (length(verifier_key) <= 300)))
);

create table fill_rows (
  operator_id id not null,
  order_id id not null,
  fill_no integer not null,
  fill_id id not null,
  quantity bigint not null,
  price_micros bigint not null,
  fee_micros bigint,
  venue_fill_id text,
  filled_at timestamp with time zone not null,
  constraint fill_rows_pkey PRIMARY KEY (operator_id, order_id, fill_no),
  constraint fill_rows_fill_no_check CHECK ((fill_no > 0)),
  constraint fill_rows_price_micros_check CHECK (((price_micros >= 1) AND (price_micros <= 999999))),
  constraint fill_rows_quantity_check CHECK ((quantity > 0))
);
CREATE UNIQUE INDEX fill_rows_venue ON public.fill_rows USING btree (operator_id, order_id, venue_fill_id) WHERE (venue_fill_id IS NOT NULL);

create table jurisdiction_changes (
  operator_id id not null,
  change_no bigint not null generated always as identity,
  external_user_id text collate "C" not null,
  country text not null,
  subdivision text,
  source text not null,
  set_by id not null,
  recorded_at timestamp with time zone not null,
  constraint jurisdiction_changes_pkey PRIMARY KEY (operator_id, change_no),
  constraint jurisdiction_changes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint jurisdiction_changes_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint jurisdiction_changes_source_check CHECK ((source = ANY (ARRAY['api'::text, 'embed_session'::text])))
);
CREATE INDEX jurisdiction_changes_customer ON public.jurisdiction_changes USING btree (operator_id, external_user_id, change_no);
CREATE TRIGGER jurisdiction_changes_append_only BEFORE DELETE OR UPDATE ON public.jurisdiction_changes FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER jurisdiction_changes_keep BEFORE TRUNCATE ON public.jurisdiction_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table kept_quotes (
  operator_id id not null,
  quote_id id not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null,
  action text not null,
  price_micros bigint not null,
  fee_bps integer not null,
  authorization_minor bigint not null,
  fee_minor bigint not null,
  trade_minor bigint not null,
  quantity bigint not null,
  payout_minor bigint not null,
  venue_fee_minor bigint,
  simulated boolean not null,
  venue text not null,
  routing_reason text not null,
  considered_venues integer not null,
  routable boolean not null,
  book jsonb not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  spent_by id not null,
  constraint kept_quotes_pkey PRIMARY KEY (operator_id, quote_id),
  constraint quotes_action_check CHECK ((action = ANY (ARRAY['buy'::text, 'sell'::text]))),
  constraint quotes_authorization_minor_check CHECK ((authorization_minor >= 0)),
  constraint quotes_check CHECK (((action = 'sell'::text) OR (authorization_minor = (trade_minor + fee_minor)))),
  constraint quotes_fee_minor_check CHECK ((fee_minor >= 0)),
  constraint quotes_payout_minor_check CHECK ((payout_minor >= 0)),
  constraint quotes_price_micros_check CHECK (((price_micros >= 1) AND (price_micros <= 999999))),
  constraint quotes_quantity_check CHECK ((quantity > 0)),
  constraint quotes_routing_reason_check CHECK ((routing_reason = ANY (ARRAY['single_venue'::text, 'best_price'::text, 'unverified_group'::text]))),
  constraint quotes_side_check CHECK ((side = ANY (ARRAY['YES'::text, 'NO'::text]))),
  constraint quotes_trade_minor_check CHECK ((trade_minor >= 0)),
  constraint quotes_venue_fee_minor_check CHECK ((venue_fee_minor IS NULL))
);
CREATE TRIGGER kept_quotes_append_only BEFORE DELETE OR UPDATE ON public.kept_quotes FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER kept_quotes_keep BEFORE TRUNCATE ON public.kept_quotes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table leases (
  name text collate "C" not null,
  holder text collate "C" not null,
  epoch bigint not null,
  taken_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (name),
  constraint leases_epoch_check CHECK ((epoch > 0))
) with (fillfactor=50);

create table ledger_entries (
  operator_id id not null,
  position bigint not null,
  entry_id id not null,
  movement_type text not null,
  memo text not null,
  reference_type text not null,
  reference_id text not null,
  corrects_entry_id id,
  recorded_at timestamp with time zone not null,
  effective_at timestamp with time zone,
  fact_month smallint,
  account_ids text[] collate "C",
  amounts bigint[],
  balances_after bigint[],
  external_user_id text collate "C",
  order_id id,
  is_item boolean
) partition by LIST (fact_month);
CREATE INDEX ledger_entries_by_id ON ONLY public.ledger_entries USING btree (entry_id);
CREATE INDEX ledger_entries_by_subject ON ONLY public.ledger_entries USING btree (reference_id) WHERE ((reference_type <> 'order'::text) OR (is_item IS NULL));
CREATE INDEX ledger_entries_by_user ON ONLY public.ledger_entries USING btree (operator_id, external_user_id, (("position" >> 8))) WHERE (external_user_id IS NOT NULL);
CREATE INDEX ledger_entries_corrects ON ONLY public.ledger_entries USING btree (operator_id, corrects_entry_id) WHERE (corrects_entry_id IS NOT NULL);
CREATE INDEX ledger_entries_seldom ON ONLY public.ledger_entries USING btree (operator_id, "position") WHERE ((corrects_entry_id IS NOT NULL) OR (account_ids && '{sandbox:float,deposits,operator:cash,overrun,fees:returned}'::text[]));
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION refuse_unfit_lines();
CREATE TRIGGER ledger_entries_keep BEFORE TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_open_period BEFORE INSERT ON public.ledger_entries FOR EACH ROW WHEN (((new.effective_at IS NOT NULL) OR (new.recorded_at < now()))) EXECUTE FUNCTION refuse_closed_period();

create table ledger_entries_1 partition of ledger_entries_before FOR VALUES FROM ('0') TO ('100000000');
CREATE TRIGGER ledger_entries_1_keep BEFORE TRUNCATE ON public.ledger_entries_1 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_entries_before partition of ledger_entries FOR VALUES IN (NULL) partition by RANGE ("position");
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON public.ledger_entries_before REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION refuse_unfit_lines();
CREATE TRIGGER ledger_entries_keep BEFORE TRUNCATE ON public.ledger_entries_before FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_entries_rest partition of ledger_entries_before DEFAULT;
CREATE TRIGGER ledger_entries_rest_keep BEFORE TRUNCATE ON public.ledger_entries_rest FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_line_rows (
  operator_id id not null,
  position bigint not null,
  line_no smallint not null,
  account_id text collate "C" not null,
  amount bigint not null,
  balance_after bigint not null,
  fact_month smallint,
  constraint ledger_lines_amount_check CHECK ((amount <> 0))
) partition by LIST (fact_month);
CREATE INDEX ledger_line_rows_account ON ONLY public.ledger_line_rows USING btree (operator_id, account_id, "position");
CREATE TRIGGER ledger_line_rows_append_only BEFORE DELETE OR UPDATE ON public.ledger_line_rows FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER ledger_line_rows_balance AFTER INSERT ON public.ledger_line_rows DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_unbalanced_entries();
CREATE TRIGGER ledger_line_rows_keep BEFORE TRUNCATE ON public.ledger_line_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_line_rows_1 partition of ledger_line_rows_before FOR VALUES FROM ('0') TO ('100000000');
CREATE TRIGGER ledger_line_rows_1_keep BEFORE TRUNCATE ON public.ledger_line_rows_1 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_line_rows_before partition of ledger_line_rows FOR VALUES IN (NULL) partition by RANGE ("position");
CREATE TRIGGER ledger_line_rows_keep BEFORE TRUNCATE ON public.ledger_line_rows_before FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_line_rows_rest partition of ledger_line_rows_before DEFAULT;
CREATE TRIGGER ledger_line_rows_rest_keep BEFORE TRUNCATE ON public.ledger_line_rows_rest FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_seals (
  operator_id id not null,
  number bigint not null,
  after_position bigint not null,
  through_position bigint not null,
  positions bigint[] not null,
  marks bytea not null,
  digest bytea not null,
  seal bytea not null,
  sealed_at timestamp with time zone not null default now(),
  constraint ledger_seals_pkey PRIMARY KEY (operator_id, number),
  constraint ledger_seals_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint ledger_seals_check CHECK ((through_position > after_position)),
  constraint ledger_seals_check1 CHECK ((octet_length(marks) = (8 * cardinality(positions)))),
  constraint ledger_seals_number_check CHECK ((number > 0))
);
CREATE TRIGGER ledger_seals_append_only BEFORE DELETE OR UPDATE ON public.ledger_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_seals_keep BEFORE TRUNCATE ON public.ledger_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table limit_changes (
  operator_id id not null,
  change_no bigint not null generated always as identity,
  external_user_id text collate "C" not null,
  action text not null,
  max_wager_minor bigint,
  period_stake_minor bigint,
  period_hours integer,
  note text,
  set_by id not null,
  recorded_at timestamp with time zone not null,
  constraint limit_changes_pkey PRIMARY KEY (operator_id, change_no),
  constraint limit_changes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint limit_changes_action_check CHECK ((action = ANY (ARRAY['set'::text, 'cleared'::text])))
);
CREATE INDEX limit_changes_customer ON public.limit_changes USING btree (operator_id, external_user_id, change_no);
CREATE TRIGGER limit_changes_append_only BEFORE DELETE OR UPDATE ON public.limit_changes FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER limit_changes_keep BEFORE TRUNCATE ON public.limit_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table listings (
  venue text collate "C" not null,
  listing_id text collate "C" not null,
  contract_id id not null,
  rank smallint not null,
  bid_prices bigint[] not null default '{}'::bigint[],
  bid_sizes bigint[] not null default '{}'::bigint[],
  ask_prices bigint[] not null default '{}'::bigint[],
  ask_sizes bigint[] not null default '{}'::bigint[],
  feed text not null default 'rest'::text,
  venue_sequence bigint,
  session bigint not null default 0,
  book_updated_at timestamp with time zone,
  book_confirmed_at timestamp with time zone,
  book_revision bigint not null default 0,
  fee_model text not null,
  fee_bps integer not null,
  fee_known boolean not null,
  minimum_minor bigint not null,
  minimum_quantity_micros bigint not null,
  quantity_step_micros bigint not null,
  tick_micros bigint not null default 1,
  created_at timestamp with time zone not null default now(),
  revision bigint not null,
  terms text,
  wording jsonb,
  part smallint,
  traded_micros bigint,
  traded_price_micros bigint,
  constraint listings_pkey PRIMARY KEY (venue, listing_id),
  constraint listings_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES contracts(contract_id),
  constraint listings_check CHECK (((cardinality(bid_prices) = cardinality(bid_sizes)) AND (cardinality(ask_prices) = cardinality(ask_sizes)))),
  constraint listings_fee_bps_check CHECK (((fee_bps >= 0) AND (fee_bps <= 10000))),
  constraint listings_fee_model_check CHECK ((fee_model = ANY (ARRAY['of_cost'::text, 'of_variance'::text]))),
  constraint listings_feed_check CHECK ((feed = ANY (ARRAY['websocket'::text, 'rest'::text]))),
  constraint listings_minimum_minor_check CHECK ((minimum_minor >= 0)),
  constraint listings_minimum_quantity_micros_check CHECK ((minimum_quantity_micros >= 0)),
  constraint listings_quantity_step_micros_check CHECK ((quantity_step_micros > 0)),
  constraint listings_tick_micros_check CHECK ((tick_micros > 0)),
  constraint listings_traded CHECK (((traded_micros >= 0) AND ((traded_price_micros >= 0) AND (traded_price_micros <= 1000000)))) NOT VALID
);
CREATE INDEX listings_contract ON public.listings USING btree (contract_id);
CREATE INDEX listings_revision ON public.listings USING btree (revision);

create table old_event_data (
  operator_id id not null,
  event_id id not null,
  data json not null,
  constraint old_event_data_pkey PRIMARY KEY (operator_id, event_id)
) partition by RANGE (event_id);
CREATE TRIGGER old_event_data_append_only BEFORE DELETE OR UPDATE ON public.old_event_data FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER old_event_data_keep BEFORE TRUNCATE ON public.old_event_data FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table old_event_data_rest partition of old_event_data DEFAULT;
CREATE TRIGGER old_event_data_rest_keep BEFORE TRUNCATE ON public.old_event_data_rest FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table operator_books (
  operator_id id not null,
  operator_book_id id not null,
  name text not null,
  event_ids text[] not null,
  created_at timestamp with time zone not null default now(),
  constraint operator_books_pkey PRIMARY KEY (operator_id, operator_book_id),
  constraint operator_books_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint operator_books_event_ids_check CHECK ((cardinality(event_ids) > 0)),
  constraint operator_books_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

create table operator_counters (
  operator_id id not null,
  feed_position bigint not null default 0,
  recorded_at timestamp with time zone,
  closed_until timestamp with time zone,
  constraint operator_counters_pkey PRIMARY KEY (operator_id),
  constraint operator_counters_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint next_fact_after_closed_period CHECK (((closed_until IS NULL) OR ((recorded_at IS NOT NULL) AND (closed_until <= recorded_at)))),
  constraint operator_counters_feed_position_check CHECK ((feed_position >= 0))
) with (fillfactor=20);

create table operator_moves (
  operator_id id not null,
  move_id id not null,
  leader_id id not null,
  peer text not null,
  state text not null,
  status_before text,
  began_at timestamp with time zone not null default clock_timestamp(),
  changed_at timestamp with time zone not null default clock_timestamp(),
  constraint operator_moves_pkey PRIMARY KEY (operator_id),
  constraint operator_moves_state_check CHECK ((state = ANY (ARRAY['copying'::text, 'fenced'::text, 'left'::text, 'arriving'::text, 'arrived'::text, 'cancelled'::text])))
);

create table operators (
  operator_id id not null,
  slug text not null,
  name text not null,
  mode text not null,
  status text not null default 'active'::text,
  parent_id id,
  platform_fee_bps integer not null default 0,
  frame_origins text[] not null default '{}'::text[],
  presentation jsonb not null default '{}'::jsonb,
  jurisdiction_mode text not null default 'off'::text,
  permitted_countries text[] not null default '{}'::text[],
  jurisdiction_allow_exits boolean not null default false,
  execution_confirmed boolean not null default false,
  arming text not null default 'automatic'::text,
  trading_paused boolean not null default false,
  simulate_ceiling_minor bigint,
  rate_ceiling integer not null default 12000,
  offer_categories text[],
  max_order_minor bigint,
  player_exposure_minor bigint,
  player_orders integer,
  total_exposure_minor bigint,
  total_orders integer,
  max_wager_minor bigint,
  period_stake_minor bigint,
  period_hours integer,
  operator_book_enabled boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  execution_confirmed_at timestamp with time zone,
  constraint operators_slug_key UNIQUE (slug),
  constraint operators_pkey PRIMARY KEY (operator_id),
  constraint operators_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES operators(operator_id),
  constraint operators_arming_check CHECK ((arming = ANY (ARRAY['automatic'::text, 'manual'::text]))),
  constraint operators_check CHECK (((period_stake_minor IS NULL) = (period_hours IS NULL))),
  constraint operators_frame_origins_check CHECK ((cardinality(frame_origins) <= 10)),
  constraint operators_jurisdiction_mode_check CHECK ((jurisdiction_mode = ANY (ARRAY['off'::text, 'observe'::text, 'enforced'::text]))),
  constraint operators_max_order_minor_check CHECK ((max_order_minor > 0)),
  constraint operators_max_wager_minor_check CHECK (((max_wager_minor >= 1) AND (max_wager_minor <= 1000000000))),
  constraint operators_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  constraint operators_period_hours_check CHECK (((period_hours >= 1) AND (period_hours <= 8760))),
  constraint operators_period_stake_minor_check CHECK (((period_stake_minor >= 1) AND (period_stake_minor <= 1000000000))),
  constraint operators_platform_fee_bps_check CHECK (((platform_fee_bps >= 0) AND (platform_fee_bps <= 5000))),
  constraint operators_player_exposure_minor_check CHECK ((player_exposure_minor > 0)),
  constraint operators_player_orders_check CHECK ((player_orders > 0)),
  constraint operators_rate_ceiling_check CHECK ((rate_ceiling > 0)),
  constraint operators_simulate_ceiling_minor_check CHECK ((simulate_ceiling_minor >= 0)),
  constraint operators_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
  constraint operators_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'moving'::text]))) NOT VALID,
  constraint operators_total_exposure_minor_check CHECK ((total_exposure_minor > 0)),
  constraint operators_total_orders_check CHECK ((total_orders > 0))
);
CREATE INDEX operators_parent ON public.operators USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE TRIGGER operators_change AFTER UPDATE ON public.operators REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION await_budget_leases();
CREATE TRIGGER operators_counter AFTER INSERT ON public.operators FOR EACH ROW EXECUTE FUNCTION create_operator_counter();
CREATE TRIGGER operators_moving BEFORE UPDATE ON public.operators FOR EACH ROW WHEN ((old.status = 'moving'::text)) EXECUTE FUNCTION refuse_change_of_moving_operator();
CREATE TRIGGER operators_parent BEFORE INSERT OR UPDATE OF parent_id, mode ON public.operators FOR EACH ROW EXECUTE FUNCTION check_parent();

create table order_transitions (
  from_status text not null,
  to_status text not null,
  why text not null,
  constraint order_transitions_pkey PRIMARY KEY (from_status, to_status)
);

create table orders (
  operator_id id not null,
  order_id id not null,
  external_user_id text collate "C" not null,
  client_order_id text collate "C" not null,
  execution_ref text collate "C" not null,
  quote_id id not null,
  contract_id id not null,
  side text not null,
  action text not null,
  intent text not null,
  status text not null,
  transmission_state text not null,
  simulated boolean not null,
  price_micros bigint not null,
  slippage_micros bigint not null default 0,
  fee_bps integer not null,
  authorization_minor bigint not null,
  quoted_fee_minor bigint not null,
  quoted_trade_minor bigint not null,
  quoted_quantity bigint not null,
  filled_quantity bigint not null default 0,
  price_weight numeric not null default 0,
  trade_minor bigint not null default 0,
  platform_fee_minor bigint not null default 0,
  venue_fee_minor bigint not null default 0,
  venue_fee_known boolean not null default false,
  debit_minor bigint not null default 0,
  release_minor bigint not null default 0,
  proceeds_minor bigint not null default 0,
  counted_stake_minor bigint not null default 0,
  position_id id,
  scenario_id id,
  reject_reason text,
  routing_reason text not null,
  considered_venues integer not null,
  venue text not null,
  armed boolean not null default false,
  reserve_reference text,
  reserve_confirmed_at timestamp with time zone,
  cancellation_id id,
  cancelled_at timestamp with time zone,
  cancel_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version bigint not null default 1,
  transmitted_at timestamp with time zone,
  exited_fills integer not null default 0,
  own_fill_id id,
  filled_at_once boolean not null default false,
  venue_gain_minor bigint not null default 0,
  constraint orders_idempotency UNIQUE (operator_id, external_user_id, client_order_id),
  constraint orders_pkey PRIMARY KEY (operator_id, order_id),
  constraint orders_action_check CHECK ((action = ANY (ARRAY['buy'::text, 'sell'::text]))),
  constraint orders_authorization CHECK (((action = 'sell'::text) OR (authorization_minor = (debit_minor + release_minor)))),
  constraint orders_client_order_id_check CHECK (((length(client_order_id) >= 1) AND (length(client_order_id) <= 200))),
  constraint orders_debit CHECK (((action = 'sell'::text) OR (debit_minor = ((trade_minor + platform_fee_minor) + venue_fee_minor)))),
  constraint orders_debit_minor_check CHECK ((debit_minor >= 0)),
  constraint orders_filled_quantity_check CHECK ((filled_quantity >= 0)),
  constraint orders_intent_check CHECK ((intent = ANY (ARRAY['record_intent'::text, 'simulate'::text]))),
  constraint orders_never_sent CHECK (((status <> ALL (ARRAY['reserve_pending'::text, 'pending_venue_execution'::text])) OR (transmission_state = 'not_transmitted'::text))),
  constraint orders_own_fill CHECK ((((own_fill_id IS NULL) AND (NOT filled_at_once)) OR (((own_fill_id IS NULL) OR (NOT filled_at_once)) AND simulated AND (filled_quantity > 0) AND (price_weight >= (filled_quantity)::numeric) AND (price_weight <= ((filled_quantity)::numeric * (999999)::numeric))))),
  constraint orders_platform_fee_minor_check CHECK ((platform_fee_minor >= 0)),
  constraint orders_proceeds CHECK (((action = 'buy'::text) OR (proceeds_minor = ((trade_minor - platform_fee_minor) - venue_fee_minor)))),
  constraint orders_proceeds_minor_check CHECK ((proceeds_minor >= 0)),
  constraint orders_quoted_quantity_check CHECK ((quoted_quantity > 0)),
  constraint orders_release_minor_check CHECK ((release_minor >= 0)),
  constraint orders_reserve_reference_check CHECK ((length(reserve_reference) <= 200)),
  constraint orders_side_check CHECK ((side = ANY (ARRAY['YES'::text, 'NO'::text]))),
  constraint orders_slippage_micros_check CHECK (((slippage_micros >= 0) AND (slippage_micros <= 50000))),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['reserve_pending'::text, 'pending_venue_execution'::text, 'submitted'::text, 'partially_filled'::text, 'filled'::text, 'rejected'::text, 'cancelled'::text, 'pending'::text]))),
  constraint orders_trade_minor_check CHECK ((trade_minor >= 0)),
  constraint orders_transmission_state_check CHECK ((transmission_state = ANY (ARRAY['not_transmitted'::text, 'unknown'::text, 'resolved'::text]))),
  constraint orders_venue_fee_minor_check CHECK ((venue_fee_minor >= 0)),
  constraint orders_withdrawn_unsent CHECK (((cancellation_id IS NULL) OR (transmission_state = 'not_transmitted'::text))),
  constraint venue_gain_of_sells CHECK (((venue_gain_minor >= 0) AND ((venue_gain_minor = 0) OR (action = 'sell'::text))))
) with (fillfactor=100);
CREATE INDEX orders_customer ON public.orders USING btree (operator_id, external_user_id, order_id);
CREATE UNIQUE INDEX orders_execution_ref ON public.orders USING btree (execution_ref, operator_id);
CREATE INDEX orders_open ON public.orders USING btree (operator_id, status, order_id) WHERE (status = ANY (ARRAY['reserve_pending'::text, 'pending_venue_execution'::text, 'submitted'::text, 'partially_filled'::text, 'pending'::text]));
CREATE UNIQUE INDEX orders_quote ON public.orders USING btree (quote_id, operator_id);
CREATE INDEX orders_transmitted ON public.orders USING btree (operator_id, external_user_id, transmitted_at) WHERE ((transmitted_at IS NOT NULL) AND (action = 'buy'::text) AND (NOT simulated));
CREATE TRIGGER orders_own_fill BEFORE UPDATE OF own_fill_id, filled_at_once, filled_quantity, price_weight, created_at, external_user_id, client_order_id, execution_ref, contract_id, side, action, status, transmission_state, authorization_minor, trade_minor, platform_fee_minor, venue_fee_minor, venue_fee_known ON public.orders FOR EACH ROW WHEN (((((old.own_fill_id)::text IS DISTINCT FROM (new.own_fill_id)::text) OR (old.filled_at_once IS DISTINCT FROM new.filled_at_once)) OR ((old.own_fill_id IS NOT NULL) AND (((old.filled_quantity IS DISTINCT FROM new.filled_quantity) OR (old.price_weight IS DISTINCT FROM new.price_weight)) OR (old.created_at IS DISTINCT FROM new.created_at))) OR (old.filled_at_once AND ((((((((((((((((old.filled_quantity IS DISTINCT FROM new.filled_quantity) OR (old.price_weight IS DISTINCT FROM new.price_weight)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR (old.external_user_id IS DISTINCT FROM new.external_user_id)) OR (old.client_order_id IS DISTINCT FROM new.client_order_id)) OR (old.execution_ref IS DISTINCT FROM new.execution_ref)) OR ((old.contract_id)::text IS DISTINCT FROM (new.contract_id)::text)) OR (old.side IS DISTINCT FROM new.side)) OR (old.action IS DISTINCT FROM new.action)) OR (old.status IS DISTINCT FROM new.status)) OR (old.transmission_state IS DISTINCT FROM new.transmission_state)) OR (old.authorization_minor IS DISTINCT FROM new.authorization_minor)) OR (old.trade_minor IS DISTINCT FROM new.trade_minor)) OR (old.platform_fee_minor IS DISTINCT FROM new.platform_fee_minor)) OR (old.venue_fee_minor IS DISTINCT FROM new.venue_fee_minor)) OR (old.venue_fee_known IS DISTINCT FROM new.venue_fee_known))))) EXECUTE FUNCTION refuse_other_fill();
CREATE TRIGGER orders_transition BEFORE INSERT OR UPDATE OF status ON public.orders FOR EACH ROW EXECUTE FUNCTION refuse_unknown_transition();

create table outbox_events (
  operator_id id not null,
  event_id id not null,
  type text not null,
  dedupe_key text collate "C" not null,
  data json,
  created_at timestamp with time zone not null default now(),
  constraint outbox_events_pkey PRIMARY KEY (operator_id, event_id)
) with (fillfactor=100);
CREATE UNIQUE INDEX outbox_events_once ON public.outbox_events USING btree (event_digest(dedupe_key), operator_id);
CREATE TRIGGER outbox_queue AFTER INSERT ON public.outbox_events REFERENCING NEW TABLE AS raised FOR EACH STATEMENT EXECUTE FUNCTION queue_outbox_events();

create table outbox_queue (
  operator_id id not null,
  event_id id not null,
  type text not null,
  created_at timestamp with time zone not null,
  constraint outbox_queue_pkey PRIMARY KEY (event_id, operator_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0, vacuum_truncate=false);

create table outside_breaks (
  break_id id not null,
  kind text collate "C" not null,
  account text collate "C" not null,
  operator_id id default 
CASE kind
    WHEN 'bank'::text THEN account
    ELSE NULL::text
END,
  file_sha256 text collate "C" not null,
  line integer,
  problem text not null,
  reference text collate "C" not null,
  outside_minor bigint,
  books_minor bigint,
  outside_on date,
  books_on date,
  opened_at timestamp with time zone not null default clock_timestamp(),
  closed_by text,
  closed_at timestamp with time zone,
  reason text,
  constraint break_is_shown_once UNIQUE NULLS NOT DISTINCT (kind, account, reference, problem, outside_minor, books_minor, outside_on),
  constraint outside_breaks_pkey PRIMARY KEY (break_id),
  constraint outside_breaks_kind_account_file_sha256_fkey FOREIGN KEY (kind, account, file_sha256) REFERENCES outside_statements(kind, account, file_sha256),
  constraint closed_with_a_reason CHECK ((((closed_by IS NULL) = (closed_at IS NULL)) AND ((closed_by IS NULL) = (reason IS NULL)))),
  constraint outside_breaks_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 200))),
  constraint outside_breaks_problem_check CHECK ((problem = ANY (ARRAY['missing_in_books'::text, 'missing_outside'::text, 'amount_differs'::text, 'date_differs'::text, 'repeated_outside'::text]))),
  constraint outside_breaks_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 1000)))
);
CREATE INDEX outside_breaks_open ON public.outside_breaks USING btree (operator_id) WHERE (closed_at IS NULL);
CREATE TRIGGER outside_breaks_closed_once BEFORE UPDATE ON public.outside_breaks FOR EACH ROW EXECUTE FUNCTION refuse_break_change();
CREATE TRIGGER outside_breaks_kept BEFORE DELETE OR TRUNCATE ON public.outside_breaks FOR EACH STATEMENT EXECUTE FUNCTION refuse_break_change();

create table outside_rows (
  kind text collate "C" not null,
  account text collate "C" not null,
  file_sha256 text collate "C" not null,
  line integer not null,
  reference text collate "C" not null,
  amount_minor bigint not null,
  booked_on date not null,
  constraint outside_rows_pkey PRIMARY KEY (kind, account, file_sha256, line),
  constraint outside_rows_kind_account_file_sha256_fkey FOREIGN KEY (kind, account, file_sha256) REFERENCES outside_statements(kind, account, file_sha256),
  constraint outside_rows_amount_minor_check CHECK ((amount_minor <> 0)),
  constraint outside_rows_line_check CHECK ((line > 0))
);
CREATE INDEX outside_rows_reference ON public.outside_rows USING btree (kind, account, reference);
CREATE TRIGGER outside_rows_append_only BEFORE DELETE OR UPDATE ON public.outside_rows FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER outside_rows_keep BEFORE TRUNCATE ON public.outside_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table outside_statements (
  kind text collate "C" not null,
  account text collate "C" not null,
  file_sha256 text collate "C" not null,
  first_on date not null,
  last_on date not null,
  imported_by text not null,
  imported_at timestamp with time zone not null default clock_timestamp(),
  constraint outside_statements_pkey PRIMARY KEY (kind, account, file_sha256),
  constraint outside_statements_check CHECK ((last_on >= first_on)),
  constraint outside_statements_file_sha256_check CHECK ((length(file_sha256) = 64)),
  constraint outside_statements_imported_by_check CHECK (((length(imported_by) >= 1) AND (length(imported_by) <= 200))),
  constraint outside_statements_kind_check CHECK ((kind = ANY (ARRAY['bank'::text, 'venue'::text])))
);
CREATE TRIGGER outside_statements_append_only BEFORE DELETE OR UPDATE ON public.outside_statements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER outside_statements_keep BEFORE TRUNCATE ON public.outside_statements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table paper_records (
  venue text collate "C" not null,
  kind text not null,
  key text collate "C" not null,
  revision integer not null,
  line json not null,
  written_at timestamp with time zone not null default now(),
  constraint paper_records_pkey PRIMARY KEY (venue, kind, key),
  constraint paper_records_kind_check CHECK ((kind = ANY (ARRAY['order'::text, 'account'::text])))
) with (fillfactor=80);

create table period_statements (
  operator_id id not null,
  number integer not null,
  note text not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  constraint period_statements_pkey PRIMARY KEY (operator_id, number),
  constraint period_statements_operator_id_number_fkey FOREIGN KEY (operator_id, number) REFERENCES accounting_periods(operator_id, number)
);
CREATE TRIGGER period_statements_append_only BEFORE DELETE OR UPDATE ON public.period_statements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER period_statements_keep BEFORE TRUNCATE ON public.period_statements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table position_holdings (
  operator_id id not null,
  position_id id not null,
  venue text not null,
  quantity bigint not null,
  held_quantity bigint not null default 0,
  constraint position_holdings_pkey PRIMARY KEY (operator_id, position_id, venue),
  constraint position_holdings_operator_id_position_id_fkey FOREIGN KEY (operator_id, position_id) REFERENCES positions(operator_id, position_id),
  constraint position_holdings_check CHECK (((held_quantity >= 0) AND (held_quantity <= quantity))),
  constraint position_holdings_quantity_check CHECK ((quantity >= 0))
);

create table positions (
  operator_id id not null,
  position_id id not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null,
  simulated boolean not null,
  status text not null default 'open'::text,
  quantity bigint not null,
  held_quantity bigint not null default 0,
  cost_basis_minor bigint not null,
  entry_fees_minor bigint not null,
  price_weight numeric not null,
  average_price_micros bigint not null,
  realised_pnl_minor bigint not null default 0,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version bigint not null default 1,
  constraint positions_pkey PRIMARY KEY (operator_id, position_id),
  constraint positions_check CHECK (((held_quantity >= 0) AND (held_quantity <= quantity))),
  constraint positions_check1 CHECK (((entry_fees_minor >= 0) AND (entry_fees_minor <= cost_basis_minor))),
  constraint positions_check2 CHECK (((status = 'open'::text) OR ((quantity = 0) AND (cost_basis_minor = 0)))),
  constraint positions_check3 CHECK (((status <> 'open'::text) OR (quantity > 0))),
  constraint positions_cost_basis_minor_check CHECK ((cost_basis_minor >= 0)),
  constraint positions_quantity_check CHECK ((quantity >= 0)),
  constraint positions_side_check CHECK ((side = ANY (ARRAY['YES'::text, 'NO'::text]))),
  constraint positions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text, 'settled'::text])))
) with (fillfactor=80);
CREATE INDEX positions_contract ON public.positions USING btree (contract_id, operator_id, external_user_id, position_id) WHERE (status = 'open'::text);
CREATE INDEX positions_customer ON public.positions USING btree (operator_id, external_user_id, position_id);
CREATE UNIQUE INDEX positions_open ON public.positions USING btree (operator_id, external_user_id, contract_id, side, simulated) WHERE (status = 'open'::text);

create table price_history (
  contract_id id not null,
  step_minutes smallint not null,
  at timestamp with time zone not null,
  price_micros bigint not null,
  constraint price_history_pkey PRIMARY KEY (contract_id, step_minutes, at),
  constraint price_history_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES contracts(contract_id),
  constraint price_history_price_micros_check CHECK (((price_micros >= 1) AND (price_micros <= 999999))),
  constraint price_history_step_minutes_check CHECK ((step_minutes = ANY (ARRAY[1, 5, 60])))
);
CREATE INDEX price_history_age ON public.price_history USING btree (at) WHERE (step_minutes < 60);

create table quotes (
  operator_id id not null,
  quote_id id not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null,
  action text not null,
  price_micros bigint not null,
  fee_bps integer not null,
  authorization_minor bigint not null,
  fee_minor bigint not null,
  trade_minor bigint not null,
  quantity bigint not null,
  payout_minor bigint not null,
  venue_fee_minor bigint,
  simulated boolean not null,
  venue text not null,
  routing_reason text not null,
  considered_venues integer not null,
  routable boolean not null,
  book jsonb not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  spent_by id,
  constraint quotes_pkey PRIMARY KEY (operator_id, quote_id),
  constraint quotes_action_check CHECK ((action = ANY (ARRAY['buy'::text, 'sell'::text]))),
  constraint quotes_authorization_minor_check CHECK ((authorization_minor >= 0)),
  constraint quotes_check CHECK (((action = 'sell'::text) OR (authorization_minor = (trade_minor + fee_minor)))),
  constraint quotes_fee_minor_check CHECK ((fee_minor >= 0)),
  constraint quotes_payout_minor_check CHECK ((payout_minor >= 0)),
  constraint quotes_price_micros_check CHECK (((price_micros >= 1) AND (price_micros <= 999999))),
  constraint quotes_quantity_check CHECK ((quantity > 0)),
  constraint quotes_routing_reason_check CHECK ((routing_reason = ANY (ARRAY['single_venue'::text, 'best_price'::text, 'unverified_group'::text]))),
  constraint quotes_side_check CHECK ((side = ANY (ARRAY['YES'::text, 'NO'::text]))),
  constraint quotes_trade_minor_check CHECK ((trade_minor >= 0)),
  constraint quotes_venue_fee_minor_check CHECK ((venue_fee_minor IS NULL))
) partition by RANGE (quote_id);

create table quotes_rest partition of quotes DEFAULT with (fillfactor=80);

create unlogged table rate_counters (
  subject text collate "C" not null,
  window_start timestamp with time zone not null,
  count bigint not null,
  leased integer not null default 0,
  leased_until timestamp with time zone,
  constraint rate_counters_pkey PRIMARY KEY (subject, window_start)
);

create table reconciliation_reports (
  operator_id id not null,
  claimed_at timestamp with time zone not null,
  ran_at timestamp with time zone,
  ok boolean,
  report json,
  verified_size bigint,
  verified_root bytea,
  verified_at timestamp with time zone,
  verified json,
  constraint reconciliation_reports_pkey PRIMARY KEY (operator_id),
  constraint reconciliation_reports_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint reconciliation_reports_verified_root_check CHECK ((length(verified_root) = 32)),
  constraint reconciliation_reports_verified_size_check CHECK ((verified_size >= 0)),
  constraint verified_whole CHECK ((num_nulls(verified_size, verified_root, verified_at, verified) = ANY (ARRAY[0, 4])))
);

create table record_seals (
  operator_id id not null,
  number bigint not null,
  after_position bigint not null,
  through_position bigint not null,
  ledger_seals bigint not null,
  marks bytea not null,
  seal bytea not null,
  note text not null,
  sealed_at timestamp with time zone not null,
  constraint record_seals_pkey PRIMARY KEY (operator_id, number),
  constraint record_seals_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint record_seals_after_position_check CHECK ((after_position >= 0)),
  constraint record_seals_check CHECK ((through_position >= after_position)),
  constraint record_seals_ledger_seals_check CHECK ((ledger_seals >= 0)),
  constraint record_seals_marks_check CHECK (((octet_length(marks) % 12) = 0)),
  constraint record_seals_note_check CHECK ((length(note) <= 2000)),
  constraint record_seals_number_check CHECK ((number > 0)),
  constraint record_seals_seal_check CHECK ((octet_length(seal) = 32))
);
CREATE TRIGGER record_seals_append_only BEFORE DELETE OR UPDATE ON public.record_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER record_seals_keep BEFORE TRUNCATE ON public.record_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table routing_groups (
  group_key text collate "C" not null,
  verified_by text,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  ended_because text,
  note text,
  compared json,
  constraint routing_groups_pkey PRIMARY KEY (group_key),
  constraint routing_groups_check CHECK (((verified_by IS NULL) = (verified_at IS NULL))),
  constraint routing_groups_check1 CHECK (((ended_at IS NULL) = (ended_because IS NULL))),
  constraint routing_groups_check2 CHECK (((ended_at IS NULL) OR (verified_at IS NULL))),
  constraint routing_groups_ended_because_check CHECK ((ended_because = ANY (ARRAY['listing_joined'::text, 'terms_changed'::text, 'unmatched'::text])))
);

create table sandbox_deposits (
  operator_id id not null,
  deposit_id id not null,
  external_user_id text collate "C" not null,
  symbol text not null,
  chain_id bigint not null,
  address text not null,
  polls integer not null default 0,
  received_minor bigint,
  credited_minor bigint,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  credited_at timestamp with time zone,
  constraint sandbox_deposits_pkey PRIMARY KEY (operator_id, deposit_id),
  constraint sandbox_deposits_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint sandbox_deposits_check CHECK (((credited_at IS NULL) = (credited_minor IS NULL))),
  constraint sandbox_deposits_check1 CHECK (((received_minor IS NULL) = (polls = 0))),
  constraint sandbox_deposits_check2 CHECK (((credited_at IS NOT NULL) = (polls = 2))),
  constraint sandbox_deposits_credited_minor_check CHECK ((credited_minor > 0)),
  constraint sandbox_deposits_polls_check CHECK (((polls >= 0) AND (polls <= 2))),
  constraint sandbox_deposits_received_minor_check CHECK ((received_minor > 0))
);
CREATE INDEX sandbox_deposits_credited ON public.sandbox_deposits USING btree (operator_id, external_user_id) WHERE (credited_at IS NOT NULL);

create table sandbox_resolutions (
  operator_id id not null,
  position_id id not null,
  resolution text not null,
  requested_at timestamp with time zone not null default now(),
  waiting boolean not null default true,
  constraint sandbox_resolutions_pkey PRIMARY KEY (operator_id, position_id),
  constraint sandbox_resolutions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint sandbox_resolutions_resolution_check CHECK ((resolution = ANY (ARRAY['WIN'::text, 'LOSS'::text, 'VOID'::text])))
);
CREATE INDEX sandbox_resolutions_waiting ON public.sandbox_resolutions USING btree (operator_id, position_id) WHERE waiting;

create table scenarios (
  operator_id id not null,
  scenario_id id not null,
  kind text not null,
  fill_fraction numeric,
  fill_amount_minor bigint,
  client_order_id text collate "C",
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  consumed_by id,
  disarmed_at timestamp with time zone,
  constraint scenarios_pkey PRIMARY KEY (operator_id, scenario_id),
  constraint scenarios_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint scenarios_check CHECK (((fill_fraction IS NULL) <> (fill_amount_minor IS NULL))),
  constraint scenarios_fill_amount_minor_check CHECK ((fill_amount_minor > 0)),
  constraint scenarios_fill_fraction_check CHECK (((fill_fraction > (0)::numeric) AND (fill_fraction < (1)::numeric))),
  constraint scenarios_kind_check CHECK ((kind = 'partial_fill'::text))
);
CREATE INDEX scenarios_armed ON public.scenarios USING btree (operator_id, scenario_id) WHERE ((consumed_by IS NULL) AND (disarmed_at IS NULL));

create table settings (
  name text not null,
  value jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint settings_pkey PRIMARY KEY (name)
);

create table settlements (
  operator_id id not null,
  settlement_id id not null,
  position_id id not null,
  feed_position bigint not null,
  external_user_id text collate "C" not null,
  contract_id id not null,
  side text not null,
  resolution text not null,
  yes_worth_micros bigint,
  outcome text not null,
  quantity bigint not null,
  cost_basis_minor bigint not null,
  entry_fees_minor bigint not null,
  settlement_credit_minor bigint not null,
  void_credit_minor bigint not null,
  realised_pnl_minor bigint not null,
  lifetime_realised_pnl_minor bigint not null,
  simulated boolean not null,
  settled_at timestamp with time zone not null,
  resolution_version integer,
  own_event boolean,
  constraint settlements_once UNIQUE (operator_id, position_id),
  constraint settlements_pkey PRIMARY KEY (operator_id, feed_position),
  constraint settlements_check CHECK (((settlement_credit_minor = 0) OR (void_credit_minor = 0))),
  constraint settlements_check1 CHECK (((outcome <> 'lost'::text) OR ((settlement_credit_minor = 0) AND (void_credit_minor = 0)))),
  constraint settlements_check2 CHECK ((realised_pnl_minor = ((settlement_credit_minor + void_credit_minor) - cost_basis_minor))),
  constraint settlements_check3 CHECK (((resolution = 'SPLIT'::text) = (yes_worth_micros IS NOT NULL))),
  constraint settlements_outcome_check CHECK ((outcome = ANY (ARRAY['won'::text, 'lost'::text, 'void'::text]))),
  constraint settlements_quantity_check CHECK ((quantity > 0)),
  constraint settlements_resolution_check CHECK ((resolution = ANY (ARRAY['YES'::text, 'NO'::text, 'VOID'::text, 'SPLIT'::text]))),
  constraint settlements_resolution_version_check CHECK ((resolution_version >= 0)),
  constraint settlements_settlement_credit_minor_check CHECK ((settlement_credit_minor >= 0)),
  constraint settlements_void_credit_minor_check CHECK ((void_credit_minor >= 0)),
  constraint settlements_yes_worth_micros_check CHECK (((yes_worth_micros >= 1) AND (yes_worth_micros <= 999999)))
);
CREATE UNIQUE INDEX settlements_by_id ON public.settlements USING btree (settlement_id, operator_id);
CREATE INDEX settlements_contract ON public.settlements USING btree (contract_id, operator_id);
CREATE INDEX settlements_customer ON public.settlements USING btree (operator_id, external_user_id, feed_position);
CREATE INDEX settlements_time ON public.settlements USING brin (settled_at);
CREATE TRIGGER settlements_append_only BEFORE DELETE OR UPDATE ON public.settlements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER settlements_keep BEFORE TRUNCATE ON public.settlements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table staff (
  os_user text not null,
  name text not null,
  added_by text not null,
  added_at timestamp with time zone not null default clock_timestamp(),
  constraint staff_pkey PRIMARY KEY (os_user),
  constraint staff_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint staff_os_user_check CHECK (((length(os_user) >= 1) AND (length(os_user) <= 200)))
);

create table transmissions (
  operator_id id not null,
  order_id id not null,
  our_id text collate "C" not null,
  venue text not null,
  listing_id text not null,
  side text not null,
  action text not null,
  quantity bigint not null,
  limit_price_micros bigint not null,
  max_cost_micros bigint,
  sent_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  state text not null,
  lookups integer not null default 0,
  not_found integer not null default 0,
  next_lookup_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  not_sent text,
  venue_ref text collate "C",
  spend_micros bigint,
  constraint transmissions_our_id_operator_id_key UNIQUE (our_id, operator_id),
  constraint transmissions_pkey PRIMARY KEY (operator_id, order_id),
  constraint transmissions_operator_id_order_id_fkey FOREIGN KEY (operator_id, order_id) REFERENCES orders(operator_id, order_id),
  constraint transmissions_limit_price_micros_check CHECK (((limit_price_micros >= 1) AND (limit_price_micros <= 999999))),
  constraint transmissions_quantity_check CHECK ((quantity > 0)),
  constraint transmissions_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'unknown'::text, 'working'::text, 'reading_fee'::text, 'done'::text])))
) with (fillfactor=80);
CREATE INDEX transmissions_due ON public.transmissions USING btree (next_lookup_at) WHERE (state <> 'done'::text);
CREATE INDEX transmissions_venue_ref ON public.transmissions USING btree (venue_ref, venue) WHERE (venue_ref IS NOT NULL);

create table transmissions_elsewhere (
  operator_id id not null,
  order_id id not null,
  cell text not null,
  constraint transmissions_elsewhere_pkey PRIMARY KEY (operator_id, order_id)
);

create table venue_accounts (
  venue text collate "C" not null,
  compared_at timestamp with time zone not null,
  compared_until timestamp with time zone not null,
  offset_ms integer,
  balance_micros bigint,
  opening_micros bigint,
  cash_compared_at timestamp with time zone,
  constraint venue_accounts_pkey PRIMARY KEY (venue)
);

create table venue_evidence (
  evidence_id bigint not null generated always as identity,
  operator_id id not null,
  order_id id not null,
  kind text not null,
  severity text not null default 'warning'::text,
  raw json not null,
  recorded_at timestamp with time zone not null default now(),
  constraint venue_evidence_pkey PRIMARY KEY (operator_id, evidence_id),
  constraint venue_evidence_severity_check CHECK ((severity = ANY (ARRAY['critical'::text, 'warning'::text, 'info'::text])))
);
CREATE INDEX venue_evidence_order ON public.venue_evidence USING btree (operator_id, order_id);
CREATE TRIGGER venue_evidence_append_only BEFORE DELETE OR UPDATE ON public.venue_evidence FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER venue_evidence_keep BEFORE TRUNCATE ON public.venue_evidence FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table venue_feeds (
  venue text collate "C" not null,
  connected boolean not null,
  session bigint not null,
  confirmed_at timestamp with time zone,
  last_sync_at timestamp with time zone,
  revision bigint not null,
  retired boolean not null default false,
  read_through text,
  constraint venue_feeds_pkey PRIMARY KEY (venue)
);

create table venue_findings (
  finding_id bigint not null generated always as identity,
  venue text not null,
  kind text not null,
  subject text collate "C" not null,
  operator_id id,
  order_id id,
  raw json not null,
  found_at timestamp with time zone not null default now(),
  cleared_at timestamp with time zone,
  size bigint not null default 0,
  constraint venue_findings_venue_kind_subject_key UNIQUE (venue, kind, subject),
  constraint venue_findings_pkey PRIMARY KEY (finding_id)
);
CREATE INDEX venue_findings_open ON public.venue_findings USING btree (operator_id) WHERE (cleared_at IS NULL);

create table venue_part_transfers (
  venue text collate "C" not null,
  reference text collate "C" not null,
  from_part smallint not null,
  to_part smallint not null,
  amount_minor bigint not null,
  state text not null default 'asked'::text,
  transfer_id text collate "C",
  detail text,
  requested_by text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  changed_at timestamp with time zone not null default clock_timestamp(),
  constraint venue_part_transfers_venue_transfer_id_key UNIQUE (venue, transfer_id),
  constraint venue_part_transfers_pkey PRIMARY KEY (venue, reference),
  constraint venue_part_transfers_amount_minor_check CHECK ((amount_minor > 0)),
  constraint venue_part_transfers_check CHECK (((to_part >= 0) AND (to_part <> from_part))),
  constraint venue_part_transfers_check1 CHECK (((state = ANY (ARRAY['under_way'::text, 'arrived'::text])) = (transfer_id IS NOT NULL))),
  constraint venue_part_transfers_from_part_check CHECK ((from_part >= 0)),
  constraint venue_part_transfers_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200))),
  constraint venue_part_transfers_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 200))),
  constraint venue_part_transfers_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'under_way'::text, 'arrived'::text, 'refused'::text])))
);
CREATE UNIQUE INDEX venue_part_transfers_asked ON public.venue_part_transfers USING btree (venue, from_part, to_part, amount_minor) WHERE (state = 'asked'::text);

create table venue_parts (
  venue text collate "C" not null,
  part smallint not null,
  balance_micros bigint not null,
  paused boolean not null,
  read_at timestamp with time zone not null,
  constraint venue_parts_pkey PRIMARY KEY (venue, part),
  constraint venue_parts_balance_micros_check CHECK ((balance_micros >= 0)),
  constraint venue_parts_part_check CHECK ((part >= 0))
);

create table venue_pauses (
  venue text collate "C" not null,
  since timestamp with time zone not null default clock_timestamp(),
  seen_at timestamp with time zone not null default clock_timestamp(),
  constraint venue_pauses_pkey PRIMARY KEY (venue)
);

create table venue_redemptions (
  venue text collate "C" not null,
  listing_id text collate "C" not null,
  reference text collate "C" not null,
  recorded_by text not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  constraint venue_redemptions_pkey PRIMARY KEY (venue, listing_id, reference),
  constraint venue_redemptions_recorded_by_check CHECK (((length(recorded_by) >= 1) AND (length(recorded_by) <= 200))),
  constraint venue_redemptions_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200)))
);
CREATE TRIGGER venue_redemptions_append_only BEFORE DELETE OR UPDATE ON public.venue_redemptions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER venue_redemptions_keep BEFORE TRUNCATE ON public.venue_redemptions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table venue_requests (
  venue text collate "C" not null,
  worker uuid not null,
  requests_left integer not null,
  seen_at timestamp with time zone not null,
  held_because text,
  held_since timestamp with time zone,
  constraint venue_requests_pkey PRIMARY KEY (venue, worker),
  constraint venue_requests_check CHECK (((held_because IS NULL) = (held_since IS NULL)))
);

create table venue_stops (
  stop_id bigint not null generated always as identity,
  venue text collate "C" not null,
  stopped_at timestamp with time zone not null default clock_timestamp(),
  because text not null,
  resumed_at timestamp with time zone,
  resumed_by text,
  constraint venue_stops_pkey PRIMARY KEY (stop_id),
  constraint venue_stops_check CHECK (((resumed_at IS NULL) = (resumed_by IS NULL)))
);
CREATE UNIQUE INDEX venue_stops_open ON public.venue_stops USING btree (venue) WHERE (resumed_at IS NULL);

create table venue_transfers (
  venue text collate "C" not null,
  reference text collate "C" not null,
  amount_minor bigint not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  constraint venue_transfers_pkey PRIMARY KEY (venue, reference),
  constraint venue_transfers_amount_minor_check CHECK ((amount_minor <> 0)),
  constraint venue_transfers_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200)))
);
CREATE TRIGGER venue_transfers_append_only BEFORE DELETE OR UPDATE ON public.venue_transfers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER venue_transfers_keep BEFORE TRUNCATE ON public.venue_transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table webhook_attempts (
  operator_id id not null,
  delivery_id id not null,
  attempt integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  http_status smallint,
  error text,
  response text,
  constraint webhook_attempts_pkey PRIMARY KEY (operator_id, delivery_id, attempt, started_at),
  constraint webhook_attempts_attempt_check CHECK ((attempt > 0)),
  constraint webhook_attempts_duration_ms_check CHECK ((duration_ms >= 0))
) partition by RANGE (started_at);

create table webhook_attempts_rest partition of webhook_attempts DEFAULT;

create table webhook_deliveries (
  operator_id id not null,
  delivery_id id not null,
  endpoint_id id not null,
  event_id id not null,
  type text not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  window_attempts integer not null default 0,
  window_started_at timestamp with time zone,
  queued_at timestamp with time zone not null default now(),
  next_attempt_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (operator_id, delivery_id),
  constraint webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
  constraint webhook_deliveries_check CHECK (((status = 'pending'::text) = (finished_at IS NULL))),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'exhausted'::text]))),
  constraint webhook_deliveries_window_attempts_check CHECK ((window_attempts >= 0))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.1, autovacuum_vacuum_cost_delay=0);
CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (operator_id, endpoint_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_exhausted ON public.webhook_deliveries USING btree (operator_id, delivery_id) WHERE (status = 'exhausted'::text);

create table webhook_endpoints (
  operator_id id not null,
  endpoint_id id not null,
  number smallint not null,
  url text not null,
  host text not null,
  events text[] not null,
  active boolean not null default true,
  disabled_reason text,
  secret_sealed text not null,
  registered_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint webhook_endpoints_operator_id_number_key UNIQUE (operator_id, number),
  constraint webhook_endpoints_pkey PRIMARY KEY (operator_id, endpoint_id),
  constraint webhook_endpoints_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  constraint webhook_endpoints_check CHECK ((active = (disabled_reason IS NULL))),
  constraint webhook_endpoints_check1 CHECK (((removed_at IS NULL) OR (NOT active))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['operator'::text, 'gone'::text, 'removed'::text]))),
  constraint webhook_endpoints_events_check CHECK ((cardinality(events) > 0))
);
CREATE INDEX webhook_endpoints_id ON public.webhook_endpoints USING btree (endpoint_id);

create table webhook_health (
  operator_id id not null,
  endpoint_id id not null,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  paused_until timestamp with time zone,
  last_attempt_at timestamp with time zone,
  constraint webhook_health_pkey PRIMARY KEY (operator_id, endpoint_id),
  constraint webhook_health_operator_id_endpoint_id_fkey FOREIGN KEY (operator_id, endpoint_id) REFERENCES webhook_endpoints(operator_id, endpoint_id)
) with (fillfactor=50);

create table webhook_subscriptions (
  operator_id id not null,
  endpoint_id id not null,
  type text not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone,
  constraint webhook_subscriptions_pkey PRIMARY KEY (operator_id, endpoint_id, type, from_at),
  constraint webhook_subscriptions_operator_id_endpoint_id_fkey FOREIGN KEY (operator_id, endpoint_id) REFERENCES webhook_endpoints(operator_id, endpoint_id),
  constraint webhook_subscriptions_check CHECK (((until_at IS NULL) OR (until_at >= from_at)))
);
CREATE UNIQUE INDEX webhook_subscriptions_open ON public.webhook_subscriptions USING btree (operator_id, endpoint_id, type) WHERE (until_at IS NULL);

create table webhook_workers (
  pool_id text not null,
  seen_at timestamp with time zone not null,
  constraint webhook_workers_pkey PRIMARY KEY (pool_id)
) with (fillfactor=50);

create view feed_items with (security_invoker=true) as
 SELECT leading_items.operator_id,
    leading_items."position",
    leading_items.type,
    leading_items.item_id,
    leading_items.occurred_at,
    leading_items.external_user_id,
    leading_items.position_id,
    leading_items.order_id,
    leading_items.money,
    leading_items.detail,
    leading_items.fact_month
   FROM leading_items
UNION ALL
 SELECT following_items.operator_id,
    following_items."position",
    following_items.type,
    following_items.item_id,
    following_items.occurred_at,
    following_items.external_user_id,
    following_items.position_id,
    following_items.order_id,
    following_items.money,
    following_items.detail,
    following_items.fact_month
   FROM following_items
UNION ALL
 SELECT posted_items.operator_id,
    posted_items."position",
    posted_items.type,
    posted_items.item_id,
    posted_items.occurred_at,
    posted_items.external_user_id,
    posted_items.position_id,
    posted_items.order_id,
    posted_items.money,
    posted_items.detail,
    posted_items.fact_month
   FROM posted_items;;

create view fills with (security_invoker=true) as
 SELECT operator_id,
    order_id,
    fill_no,
    fill_id,
    quantity,
    price_micros,
    fee_micros,
    venue_fill_id,
    filled_at
   FROM ( SELECT fill_rows.operator_id,
            fill_rows.order_id,
            fill_rows.fill_no,
            fill_rows.fill_id,
            fill_rows.quantity,
            fill_rows.price_micros,
            fill_rows.fee_micros,
            fill_rows.venue_fill_id,
            fill_rows.filled_at
           FROM fill_rows
        UNION ALL
         SELECT orders.operator_id,
            orders.order_id,
            1,
                CASE
                    WHEN orders.filled_at_once THEN (('fil'::text || substr((orders.order_id)::text, 4)))::id
                    ELSE orders.own_fill_id
                END AS own_fill_id,
            orders.filled_quantity,
            (div(orders.price_weight, (NULLIF(orders.filled_quantity, 0))::numeric))::bigint AS div,
            (0)::bigint AS int8,
            NULL::text AS text,
            orders.created_at
           FROM orders) fill
  WHERE (fill_id IS NOT NULL);CREATE TRIGGER fills_insert INSTEAD OF INSERT ON public.fills FOR EACH ROW EXECUTE FUNCTION insert_fill_row();;

create view following_items with (security_invoker=true) as
 SELECT head.operator_id,
    (head."position" + one.step) AS "position",
    following_type("left"(one.line, 1)) AS type,
    (
        CASE
            WHEN (strpos(one.line, '	'::text) > 0) THEN split_part(one.line, '	'::text, 2)
            WHEN (head.order_id IS NULL) THEN ('evn'::text || substr(head.item_id, 4))
            ELSE (
            CASE "left"(one.line, 1)
                WHEN 'f'::text THEN 'fil'::text
                WHEN 'a'::text THEN 'fee'::text
                ELSE 'evn'::text
            END || substr((head.order_id)::text, 4))
        END COLLATE "default") AS item_id,
    head.occurred_at,
    head.external_user_id,
    head.position_id,
    head.order_id,
    (
        CASE
            WHEN (strpos(one.line, '	'::text) > 0) THEN NULLIF(split_part(one.line, '	'::text, 3), ''::text)
            WHEN ("left"(one.line, 1) = 'a'::text) THEN concat('{"currency":"USD","amount":"', split_part(one.line, ' '::text, 2), '"}')
            ELSE NULL::text
        END)::json AS money,
    (
        CASE
            WHEN (strpos(one.line, '	'::text) > 0) THEN split_part(one.line, '	'::text, 4)
            WHEN (head.order_id IS NULL) THEN concat('{"eventType" : "position.settled", "dedupeKey" : "position.settled:', head.position_id, '"}')
            ELSE
            CASE "left"(one.line, 1)
                WHEN 'f'::text THEN concat('{"quantity":', split_part(one.line, ' '::text, 2), ',"price":', split_part(one.line, ' '::text, 3), ',"side":"', split_part((head.detail)::text, ' '::text, 3), '","executionRef":"', split_part((head.detail)::text, ' '::text, 5), '"}')
                WHEN 'a'::text THEN concat('{"kind":"platform","bps":', split_part(one.line, ' '::text, 3), '}')
                ELSE concat('{"eventType":"order.filled","dedupeKey":"order.filled:', head.order_id, ':fil', substr((head.order_id)::text, 4), '"}')
            END
        END)::json AS detail,
    head.fact_month,
    head."position" AS head
   FROM (feed_item_rows head
     CROSS JOIN LATERAL string_to_table(substr(head.following, 2), '
'::text) WITH ORDINALITY one(line, step))
  WHERE (one.line <> '-'::text);;

create view leading_items with (security_invoker=true) as
 SELECT operator_id,
    "position",
    type,
    (COALESCE(item_id, ('chg'::text || substr((order_id)::text, 4))) COLLATE "default") AS item_id,
    occurred_at,
    external_user_id,
    position_id,
    order_id,
        CASE
            WHEN ("left"((detail)::text, 1) <> '"'::text) THEN money
            WHEN (type = 'order.state_changed'::text) THEN short_item_money((detail)::text)
            ELSE short_settlement_money((detail)::text)
        END AS money,
        CASE
            WHEN ("left"((detail)::text, 1) <> '"'::text) THEN detail
            WHEN (type = 'order.state_changed'::text) THEN short_item_detail((detail)::text)
            ELSE short_settlement_detail((detail)::text)
        END AS detail,
    fact_month
   FROM feed_item_rows;;

create view ledger_lines with (security_invoker=true) as
 SELECT ledger_entries.operator_id,
    ledger_entries."position",
    (generate_subscripts(ledger_entries.amounts, 1))::smallint AS line_no,
    (unnest(ledger_entries.account_ids) COLLATE "C") AS account_id,
    unnest(ledger_entries.amounts) AS amount,
    unnest(ledger_entries.balances_after) AS balance_after,
    ledger_entries.fact_month
   FROM ledger_entries
UNION ALL
 SELECT ledger_line_rows.operator_id,
    ledger_line_rows."position",
    ledger_line_rows.line_no,
    ledger_line_rows.account_id,
    ledger_line_rows.amount,
    ledger_line_rows.balance_after,
    ledger_line_rows.fact_month
   FROM ledger_line_rows;CREATE TRIGGER ledger_lines_insert INSTEAD OF INSERT ON public.ledger_lines FOR EACH ROW EXECUTE FUNCTION insert_line_row();;

create view order_events with (security_invoker=true) as
 SELECT operator_id,
    order_id,
    ('evn'::text || substr((order_id)::text, 4)) AS event_id,
    'order.filled'::text AS type,
    concat('order.filled:', order_id, ':fil', substr((order_id)::text, 4)) AS dedupe_key,
    (concat('{"orderId":"', order_id, '","executionRef":"', execution_ref, '","clientOrderId":', to_json(client_order_id), ',"externalUserId":', to_json(external_user_id), ',"fillId":"fil', substr((order_id)::text, 4), '","contractId":"', contract_id, '","side":"', side, '","action":"', action, '","fillQuantity":', contracts, ',"fillPrice":', price, ',"filledQuantity":', contracts, ',"averagePrice":', price, ',"status":"', status, '","transmissionState":"', transmission_state, '","operatorMoney":',
        CASE
            WHEN (action = 'buy'::text) THEN concat('{"currency":"USD","authorizationAmount":"', ((authorization_minor)::numeric * 0.01), '","actualDebit":"', ((((trade_minor + platform_fee_minor) + venue_fee_minor))::numeric * 0.01), '","releaseAmount":"', (((((authorization_minor - trade_minor) - platform_fee_minor) - venue_fee_minor))::numeric * 0.01), '","tradeAmount":"', ((trade_minor)::numeric * 0.01), fees, '}')
            ELSE 'null'::text
        END, ',"operatorExitMoney":',
        CASE
            WHEN (action = 'buy'::text) THEN 'null'::text
            ELSE concat('{"currency":"USD","sellProceeds":"', ((((trade_minor - platform_fee_minor) - venue_fee_minor))::numeric * 0.01), fees, '}')
        END, ',"simulated":true,"fillSequence":1,"partial":', to_json((status <> 'filled'::text)), ',"final":', to_json((transmission_state = 'resolved'::text)), ',"fillMoney":{"currency":"USD","tradeAmount":"', ((trade_minor)::numeric * 0.01), fees, ',"actualDebit":',
        CASE
            WHEN (action = 'buy'::text) THEN concat('"', ((((trade_minor + platform_fee_minor) + venue_fee_minor))::numeric * 0.01), '"')
            ELSE 'null'::text
        END, ',"sellProceeds":',
        CASE
            WHEN (action = 'buy'::text) THEN 'null'::text
            ELSE concat('"', ((((trade_minor - platform_fee_minor) - venue_fee_minor))::numeric * 0.01), '"')
        END, '}}'))::json AS data,
    created_at
   FROM ( SELECT orders.operator_id,
            orders.order_id,
            orders.external_user_id,
            orders.client_order_id,
            orders.execution_ref,
            orders.quote_id,
            orders.contract_id,
            orders.side,
            orders.action,
            orders.intent,
            orders.status,
            orders.transmission_state,
            orders.simulated,
            orders.price_micros,
            orders.slippage_micros,
            orders.fee_bps,
            orders.authorization_minor,
            orders.quoted_fee_minor,
            orders.quoted_trade_minor,
            orders.quoted_quantity,
            orders.filled_quantity,
            orders.price_weight,
            orders.trade_minor,
            orders.platform_fee_minor,
            orders.venue_fee_minor,
            orders.venue_fee_known,
            orders.debit_minor,
            orders.release_minor,
            orders.proceeds_minor,
            orders.counted_stake_minor,
            orders.position_id,
            orders.scenario_id,
            orders.reject_reason,
            orders.routing_reason,
            orders.considered_venues,
            orders.venue,
            orders.armed,
            orders.reserve_reference,
            orders.reserve_confirmed_at,
            orders.cancellation_id,
            orders.cancelled_at,
            orders.cancel_reason,
            orders.created_at,
            orders.updated_at,
            orders.version,
            orders.transmitted_at,
            orders.exited_fills,
            orders.own_fill_id,
            orders.filled_at_once,
            trim_scale(((orders.filled_quantity)::numeric / (1000000)::numeric)) AS contracts,
            trim_scale((div(orders.price_weight, (orders.filled_quantity)::numeric) / (1000000)::numeric)) AS price,
            concat('","platformFee":"', ((orders.platform_fee_minor)::numeric * 0.01), '","venueFee":"', ((orders.venue_fee_minor)::numeric * 0.01), '","venueFeeKnown":', to_json(orders.venue_fee_known)) AS fees
           FROM orders
          WHERE orders.filled_at_once) placed;;

create view posted_items with (security_invoker=true) as
 SELECT operator_id,
    "position",
    'ledger.posted'::text AS type,
    (entry_id)::text AS item_id,
    recorded_at AS occurred_at,
    external_user_id,
    (NULL::text)::id AS position_id,
    COALESCE(order_id,
        CASE
            WHEN (reference_type = 'order'::text) THEN (reference_id)::id
            ELSE (NULL::text)::id
        END) AS order_id,
    (
        CASE
            WHEN (cardinality(amounts) <= 4) THEN concat('{"currency":"USD","amount":"', (((((GREATEST(amounts[1], (0)::bigint) + GREATEST(amounts[2], (0)::bigint)) + GREATEST(amounts[3], (0)::bigint)) + GREATEST(amounts[4], (0)::bigint)))::numeric * 0.01), '","lines":[', posted_line(account_ids[1], amounts[1]), ',', posted_line(account_ids[2], amounts[2]),
            CASE
                WHEN (amounts[3] <> 0) THEN concat(',', posted_line(account_ids[3], amounts[3]))
                ELSE NULL::text
            END,
            CASE
                WHEN (amounts[4] <> 0) THEN concat(',', posted_line(account_ids[4], amounts[4]))
                ELSE NULL::text
            END, ']}')
            ELSE ( SELECT concat('{"currency":"USD","amount":"', (sum(GREATEST(line.amount, (0)::bigint)) * 0.01), '","lines":[', string_agg(posted_line(line.account_id, line.amount), ','::text ORDER BY line.n), ']}') AS concat
               FROM UNNEST(ledger_entries.account_ids, ledger_entries.amounts) WITH ORDINALITY line(account_id, amount, n))
        END)::json AS money,
    (concat('{"movementType":"', movement_type, '","memo":', to_json(memo), ',"referenceType":"', reference_type, '","referenceId":', to_json(reference_id), ',"correctsEntryId":', COALESCE((('"'::text || (corrects_entry_id)::text) || '"'::text), 'null'::text), ((',"effectiveAt":"'::text || to_char((effective_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)) || '"'::text), '}'))::json AS detail,
    fact_month
   FROM ledger_entries
  WHERE is_item;;

create view settlement_events with (security_invoker=true) as
 SELECT operator_id,
    settlement_id,
    ('evn'::text || substr((settlement_id)::text, 4)) AS event_id,
    'position.settled'::text AS type,
    concat('position.settled:', position_id) AS dedupe_key,
    json_build_object('positionId', position_id, 'settlementId', settlement_id, 'externalUserId', external_user_id, 'contractId', contract_id, 'side', side, 'resolution', resolution, 'outcome', outcome, 'contracts', trim_scale(((quantity)::numeric / (1000000)::numeric)), 'costBasis', (((cost_basis_minor)::numeric * 0.01))::text, 'entryFees', (((entry_fees_minor)::numeric * 0.01))::text, 'payout', ((((settlement_credit_minor + void_credit_minor))::numeric * 0.01))::text, 'realisedPnl', (((realised_pnl_minor)::numeric * 0.01))::text, 'lifetimeRealisedPnl', (((lifetime_realised_pnl_minor)::numeric * 0.01))::text, 'operatorMoney', json_build_object('currency', 'USD', 'settlementCredit', (((settlement_credit_minor)::numeric * 0.01))::text, 'voidCredit', (((void_credit_minor)::numeric * 0.01))::text), 'simulated', simulated) AS data,
    settled_at AS created_at
   FROM settlements
  WHERE own_event;;

create view webhook_events with (security_invoker=true) as
 SELECT outbox_events.operator_id,
    (outbox_events.event_id)::text AS event_id,
    outbox_events.type,
    outbox_events.dedupe_key,
    outbox_events.data,
    outbox_events.created_at
   FROM outbox_events
UNION ALL
 SELECT order_events.operator_id,
    order_events.event_id,
    order_events.type,
    order_events.dedupe_key,
    order_events.data,
    order_events.created_at
   FROM order_events
UNION ALL
 SELECT settlement_events.operator_id,
    settlement_events.event_id,
    settlement_events.type,
    settlement_events.dedupe_key,
    settlement_events.data,
    settlement_events.created_at
   FROM settlement_events;;
