/**
 * How the service operator manages endpoints: register, change, enable, disable, rotate, remove. A secret is returned
 * only once, when it is created.
 */
import { refuse } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Sql } from '../../db/client.ts';
import { isWebhookEventType, WEBHOOK_EVENT_TYPES } from '../event.ts';
import type { DestinationPolicy } from './destination.ts';
import { newEndpointSecret, type SecretBox } from './endpoint-secret.ts';
import {
  changeEndpoint,
  type Endpoint,
  findAnySealedSecret,
  insertEndpoint,
  listEndpoints,
  MOST_ENDPOINTS,
  type StoredEndpoint,
} from './endpoints.ts';
import { type ResolveHost, resolveDestination } from './resolve-destination.ts';

export interface EndpointAdmin {
  readonly sql: Sql;
  readonly box: SecretBox;
  readonly policy: DestinationPolicy;
  /** Passed only by tests. */
  readonly resolveHost?: ResolveHost;
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

/** From now on nothing is queued for it; what was queued before is kept. */
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

/** @throws `unknown_endpoint`. */
export async function getEndpoint(sql: Sql, endpointId: string): Promise<StoredEndpoint> {
  const [endpoint] = await listEndpoints(sql, { endpointId });
  if (endpoint === undefined) {
    throw refuse('unknown_endpoint', `There is no webhook endpoint ${endpointId}.`);
  }
  return endpoint;
}

/** Without the fields that only the service may see. */
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
