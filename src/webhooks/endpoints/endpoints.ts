/**
 * Store of endpoints: where an operator's events are sent, since when, and the state of each endpoint. Secrets remain
 * encrypted here.
 */
import type { Sql } from '../../db/client.ts';

export const MOST_ENDPOINTS = 10;

export interface Endpoint {
  readonly endpointId: string;
  readonly operatorId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
  /** `operator` (disabled by a person) or `gone` (it answered 410); null while active. */
  readonly disabledReason: string | null;
  readonly registeredAt: string;
  readonly delivered: number;
  readonly failed: number;
  /** Until when the breaker delays attempts; null if it does not. */
  readonly pausedUntil: string | null;
}

export interface StoredEndpoint extends Endpoint {
  readonly host: string;
  readonly secretSealed: string;
}

export interface EndpointFilter {
  readonly operatorId?: string | undefined;
  readonly endpointId?: string | undefined;
}

export async function listEndpoints(sql: Sql, filter: EndpointFilter = {}): Promise<StoredEndpoint[]> {
  const iso = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  return sql<StoredEndpoint[]>`
    select e.endpoint_id as "endpointId", e.operator_id as "operatorId", e.url, e.host, e.events, e.active,
      e.disabled_reason as "disabledReason", to_char(e.registered_at at time zone 'UTC', ${iso}) as "registeredAt",
      h.delivered::float8 as delivered, h.failed::float8 as failed,
      case when h.paused_until > now() then to_char(h.paused_until at time zone 'UTC', ${iso}) end as "pausedUntil",
      e.secret_sealed as "secretSealed"
    from webhook_endpoints e
    join webhook_health h on h.operator_id = e.operator_id and h.endpoint_id = e.endpoint_id
    where e.removed_at is null
      ${filter.operatorId === undefined ? sql`` : sql`and e.operator_id = ${filter.operatorId}`}
      ${filter.endpointId === undefined ? sql`` : sql`and e.endpoint_id = ${filter.endpointId}`}
    order by e.operator_id, e.endpoint_id`;
}

/** An endpoint whose secret shows whether this process has the INLAY_SECRET under which it was stored. */
export async function findAnySealedSecret(
  sql: Sql,
): Promise<{ readonly endpointId: string; readonly secretSealed: string } | undefined> {
  const [row] = await sql<{ endpointId: string; secretSealed: string }[]>`
    select endpoint_id as "endpointId", secret_sealed as "secretSealed" from webhook_endpoints
    where removed_at is null order by updated_at desc limit 1`;
  return row;
}

export interface NewEndpoint {
  readonly operatorId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly host: string;
  readonly events: readonly string[];
  readonly secretSealed: string;
}

/** @returns false if the operator already has the maximum number */
export async function insertEndpoint(sql: Sql, endpoint: NewEndpoint): Promise<boolean> {
  const [row] = await sql<{ done: boolean }[]>`
    select register_webhook_endpoint(${endpoint.operatorId}, ${endpoint.endpointId}, ${endpoint.url}, ${endpoint.host},
      ${[...endpoint.events]}::text[], ${endpoint.secretSealed}, ${MOST_ENDPOINTS}) as done`;
  return row?.done === true;
}

export interface EndpointChange {
  readonly url?: string;
  readonly host?: string;
  readonly events?: readonly string[];
  readonly secretSealed?: string;
  readonly active?: boolean;
  readonly reason?: 'operator' | 'removed';
}

export async function changeEndpoint(
  sql: Sql,
  endpoint: Pick<Endpoint, 'operatorId' | 'endpointId'>,
  change: EndpointChange,
): Promise<void> {
  await sql`
    select change_webhook_endpoint(${endpoint.operatorId}, ${endpoint.endpointId}, ${change.url ?? null}, ${change.host ?? null},
      ${change.events === undefined ? null : [...change.events]}::text[], ${change.secretSealed ?? null}, ${change.active ?? null},
      ${change.reason ?? null})`;
}
