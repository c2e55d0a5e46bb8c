/**
 * Endpoints: how the service operator registers, changes, enables, disables, rotates and removes them, and the store of
 * them. A secret is returned only once, when it is created, and stays encrypted here.
 */
import type { Environment } from '../core/environment.ts';
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Secrets } from '../core/secret.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { isWebhookEventType, WEBHOOK_EVENT_TYPES, type WebhookEndpoints } from '../wire/webhook.ts';
import { isoText } from './deliveries.ts';
import { type DestinationPolicy, type ResolveHost, resolveDestination } from './destination.ts';
import { createSecretBox, newEndpointSecret, type SecretBox } from './endpoint-secret.ts';

export interface EndpointAdmin {
  readonly sql: Sql;
  readonly box: SecretBox;
  readonly policy: DestinationPolicy;
  /** Passed only by tests. */
  readonly resolveHost?: ResolveHost;
}

export interface Endpoint {
  readonly endpointId: string;
  readonly operatorId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
  /** `operator` (disabled by the operator) or `gone` (it responded 410); null while active. */
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

export interface IssuedEndpoint {
  readonly endpointId: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Shown only this once. */
  readonly secret: string;
  /** False if the host's name could not be resolved just now; every attempt checks its address. */
  readonly resolved: boolean;
}

/**
 * Registers an endpoint.
 * @param events an empty list means all seven
 * @throws `invalid_destination` (with its rule), `unknown_event_type`, `too_many_endpoints`, `secret_unreadable`;
 * nothing is stored then
 */
export async function addEndpoint(
  admin: EndpointAdmin,
  operatorId: string,
  url: string,
  events: readonly string[],
): Promise<IssuedEndpoint> {
  const wanted = checkEventTypes(events);
  const destination = await resolveDestination(url, admin.policy, admin.resolveHost);
  await proveSecretBox(admin);
  const endpointId = newId('whe');
  const secret = newEndpointSecret();
  const inserted = await insertEndpoint(admin.sql, {
    operatorId,
    endpointId,
    url: destination.url,
    host: destination.host,
    events: wanted,
    secretSealed: admin.box.seal(endpointId, secret),
  });
  if (!inserted) {
    throw refuse(
      'too_many_endpoints',
      `The operator already has ${MOST_ENDPOINTS} webhook endpoints; remove one first.`,
    );
  }
  return { endpointId, url: destination.url, events: wanted, secret, resolved: destination.resolved };
}

/** Changes the URL, the subscriptions or both. Events from before the change are not sent for new subscriptions. */
export async function updateEndpoint(
  admin: EndpointAdmin,
  endpointId: string,
  change: { readonly url?: string | undefined; readonly events?: readonly string[] | undefined },
): Promise<Endpoint> {
  const endpoint = await getEndpoint(admin.sql, endpointId);
  const events = change.events === undefined ? undefined : checkEventTypes(change.events);
  const destination =
    change.url === undefined ? undefined : await resolveDestination(change.url, admin.policy, admin.resolveHost);
  await changeEndpoint(admin.sql, endpoint, {
    ...(destination && { url: destination.url, host: destination.host }),
    ...(events && { events }),
  });
  return getEndpoint(admin.sql, endpointId);
}

/** From now on no events are queued for the endpoint; deliveries that were queued before are kept. */
export async function disableEndpoint(admin: EndpointAdmin, endpointId: string): Promise<Endpoint> {
  await changeEndpoint(admin.sql, await getEndpoint(admin.sql, endpointId), { active: false, reason: 'operator' });
  return getEndpoint(admin.sql, endpointId);
}

/** Checks the destination again, then resumes the kept deliveries. */
export async function enableEndpoint(admin: EndpointAdmin, endpointId: string): Promise<Endpoint> {
  const endpoint = await getEndpoint(admin.sql, endpointId);
  await resolveDestination(endpoint.url, admin.policy, admin.resolveHost);
  admin.box.open(endpointId, endpoint.secretSealed);
  await changeEndpoint(admin.sql, endpoint, { active: true });
  return getEndpoint(admin.sql, endpointId);
}

/** Replaces the signing secret at once, with no overlap. */
export async function rotateSecret(
  admin: EndpointAdmin,
  endpointId: string,
): Promise<{ readonly endpointId: string; readonly secret: string }> {
  const endpoint = await getEndpoint(admin.sql, endpointId);
  await proveSecretBox(admin);
  const secret = newEndpointSecret();
  await changeEndpoint(admin.sql, endpoint, { secretSealed: admin.box.seal(endpointId, secret) });
  return { endpointId, secret };
}

/** Disables it for ever and frees one of the ten places. Its deliveries and attempts remain readable. */
export async function removeEndpoint(
  admin: EndpointAdmin,
  endpointId: string,
): Promise<{ readonly endpointId: string }> {
  await changeEndpoint(admin.sql, await getEndpoint(admin.sql, endpointId), { active: false, reason: 'removed' });
  return { endpointId };
}

/** @throws `unknown_endpoint` */
export async function getEndpoint(sql: Sql, endpointId: string): Promise<StoredEndpoint> {
  const [endpoint] = await listEndpoints(sql, { endpointId });
  if (endpoint === undefined) {
    throw refuse('unknown_endpoint', `There is no webhook endpoint ${endpointId}.`);
  }
  return endpoint;
}

/** The endpoint without the fields that only the service may see. */
export function publicEndpoint(endpoint: Endpoint): Endpoint {
  const { secretSealed: _secret, host: _host, ...shown } = endpoint as StoredEndpoint;
  return shown;
}

function checkEventTypes(events: readonly string[]): readonly string[] {
  const unknown = events.find((type) => !isWebhookEventType(type));
  if (unknown !== undefined) {
    throw refuse('unknown_event_type', `${unknown} is not one of ${WEBHOOK_EVENT_TYPES.join(', ')}.`);
  }
  return events.length === 0 ? WEBHOOK_EVENT_TYPES : WEBHOOK_EVENT_TYPES.filter((type) => events.includes(type));
}

/** A secret stored under a key that the workers do not have could never be used, so this refuses before storing. */
async function proveSecretBox(admin: EndpointAdmin): Promise<void> {
  const sample = await findAnySealedSecret(admin.sql);
  if (sample !== undefined) {
    admin.box.open(sample.endpointId, sample.secretSealed);
  }
}

/** The row of `settings` that holds the destination policy. */
const SETTING = 'webhooks';

interface Deployment {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly environment: Environment;
}

/**
 * Workers publish the policy under which they deliver, so that a command in another shell registers only destinations
 * that they accept.
 */
export async function publishPolicy(sql: Sql, policy: DestinationPolicy): Promise<void> {
  await sql`
    insert into settings (name, value) values (${SETTING}, jsonb_build_object('allowLoopback', ${policy.allowLoopback}::boolean))
    on conflict (name) do update set value = excluded.value, updated_at = now() where settings.value <> excluded.value`;
}

/**
 * INLAY_WEBHOOK_ALLOW_LOOPBACK if it is set here, otherwise the policy that the workers of this database last
 * published.
 */
export async function createEndpointAdmin({ sql, secrets, environment }: Deployment): Promise<EndpointAdmin> {
  let allowLoopback = environment.webhookAllowLoopback;
  if (allowLoopback === undefined) {
    const [row] = await sql<{ allow: boolean }[]>`
      select coalesce((value ->> 'allowLoopback')::boolean, false) as allow from settings where name = ${SETTING}`;
    allowLoopback = row?.allow ?? false;
  }
  return { sql, box: createSecretBox(secrets), policy: { allowLoopback } };
}

const MOST_ENDPOINTS = 10;

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

/**
 * The endpoints of an operator as it reads them, oldest first.
 * @param sql also a pool of the tenants' role
 */
export async function listOwnEndpoints(sql: Sql, operatorId: string): Promise<WebhookEndpoints['endpoints']> {
  return asOperator<WebhookEndpoints['endpoints']>(
    sql,
    operatorId,
    sql`
      select endpoint_id, url, events, active as enabled, disabled_reason, ${isoText(sql, sql`registered_at`)} as created_at
      from webhook_endpoints where operator_id = ${operatorId} and removed_at is null order by endpoint_id`,
  );
}

/** An endpoint whose secret shows whether this process has the INLAY_SECRET under which it was stored. */
async function findAnySealedSecret(
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
async function insertEndpoint(sql: Sql, endpoint: NewEndpoint): Promise<boolean> {
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

async function changeEndpoint(
  sql: Sql,
  endpoint: Pick<Endpoint, 'operatorId' | 'endpointId'>,
  change: EndpointChange,
): Promise<void> {
  await sql`
    select change_webhook_endpoint(${endpoint.operatorId}, ${endpoint.endpointId}, ${change.url ?? null}, ${change.host ?? null},
      ${change.events === undefined ? null : [...change.events]}::text[], ${change.secretSealed ?? null}, ${change.active ?? null},
      ${change.reason ?? null})`;
}
