-- Webhook endpoints, what they were subscribed to and when, the deliveries owed to them and the log of attempts.
-- Events themselves stay in outbox_events (0005); a delivery points at one.

create table webhook_endpoints (
  operator_id id not null references operators,
  endpoint_id id not null,
  -- never given twice in an operator: the last part of the delivery ids of this endpoint
  number smallint not null,
  url text not null,
  -- the host registered for the account: an attempt goes nowhere else
  host text not null,
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  disabled_reason text check (disabled_reason in ('operator', 'gone', 'removed')),
  -- AES-256-GCM under INLAY_SECRET
  secret_sealed text not null,
  registered_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  primary key (operator_id, endpoint_id),
  unique (operator_id, number),
  check (active = (disabled_reason is null)),
  check (removed_at is null or not active)
);
create index webhook_endpoints_id on webhook_endpoints (endpoint_id);

-- When an endpoint was active and subscribed to a type. The relay compares an event's own time with these periods, so it
-- decides the same however late it runs: nothing raised before, between or after them is queued.
create table webhook_subscriptions (
  operator_id id not null,
  endpoint_id id not null,
  type text not null,
  from_at timestamptz not null,
  until_at timestamptz,
  primary key (operator_id, endpoint_id, type, from_at),
  foreign key (operator_id, endpoint_id) references webhook_endpoints,
  check (until_at is null or until_at >= from_at)
);
create unique index webhook_subscriptions_open on webhook_subscriptions (operator_id, endpoint_id, type) where until_at is null;

-- One row per event and endpoint. Its id is made of both, so the relay cannot queue it twice.
create table webhook_deliveries (
  operator_id id not null,
  delivery_id id not null,
  endpoint_id id not null,
  event_id id not null,
  type text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted')),
  attempts integer not null default 0 check (attempts >= 0),
  -- since it was queued or last replayed: the place in the retry schedule
  window_attempts integer not null default 0 check (window_attempts >= 0),
  window_started_at timestamptz,
  queued_at timestamptz not null default now(),
  -- while an attempt is in flight this is the end of its lease, so a worker that dies gives the delivery back by doing nothing
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (operator_id, delivery_id),
  check ((status = 'pending') = (finished_at is null))
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_vacuum_cost_delay = 0
);
create index webhook_deliveries_due on webhook_deliveries (operator_id, endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_exhausted on webhook_deliveries (operator_id, delivery_id) where status = 'exhausted';
create index webhook_deliveries_age on webhook_deliveries using brin (created_at) with (pages_per_range = 32);

-- Every attempt. Old ones leave by dropping a week's table (maintain_webhook_attempts).
create table webhook_attempts (
  operator_id id not null,
  delivery_id id not null,
  attempt integer not null check (attempt > 0),
  started_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  http_status smallint,
  error text,
  response text,
  primary key (operator_id, delivery_id, attempt, started_at)
) partition by range (started_at);
create table webhook_attempts_rest partition of webhook_attempts default;

-- What changes with every batch of attempts, apart from the endpoint so that registering and delivering do not meet on a row.
create table webhook_health (
  operator_id id not null,
  endpoint_id id not null,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  paused_until timestamptz,
  last_attempt_at timestamptz,
  primary key (operator_id, endpoint_id),
  foreign key (operator_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 50);

-- Worker processes that are alive. The jobs of a worker that is not are unlocked (graphile-worker keeps them for four hours).
create table webhook_workers (
  pool_id text primary key,
  seen_at timestamptz not null
) with (fillfactor = 50);
