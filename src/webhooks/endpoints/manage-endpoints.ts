/** What the service operator does with endpoints: register, change, switch, rotate, remove. A secret leaves here once, when it is made. */
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

export interface EndpointDesk {
  readonly sql: Sql;
  readonly box: SecretBox;
  readonly policy: DestinationPolicy;
  /** Only tests hand one in. */
  readonly resolveHost?: ResolveHost;
}

export interface IssuedEndpoint {
  readonly endpointId: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Shown this once. */
  readonly secret: string;
  /** False where the host's name could not be looked up just now; every attempt checks its address. */
  readonly resolved: boolean;
}

/**
 * @param events none means all seven.
 * @throws `invalid_destination` (with its rule), `unknown_event_type`, `too_many_endpoints`, `secret_unreadable`; nothing is stored then.
 */
export async function addEndpoint(
  desk: EndpointDesk,
  operatorId: string,
  url: string,
  events: readonly string[],
): Promise<IssuedEndpoint> {
  const wanted = checkEventTypes(events);
  const destination = await resolveDestination(url, desk.policy, desk.resolveHost);
  await proveSecretBox(desk);
  const endpointId = newId('whe');
  const secret = newEndpointSecret();
  const inserted = await insertEndpoint(desk.sql, {
    operatorId,
    endpointId,
    url: destination.url,
    host: destination.host,
    events: wanted,
    secretSealed: desk.box.seal(endpointId, secret),
  });
  if (!inserted) {
    throw refuse(
      'too_many_endpoints',
      `The operator already has ${MOST_ENDPOINTS} webhook endpoints; remove one first.`,
    );
  }
  return { endpointId, url: destination.url, events: wanted, secret, resolved: destination.resolved };
}

/** Changes the URL, the subscriptions or both. Events raised before the change do not reach what is new. */
export async function updateEndpoint(
  desk: EndpointDesk,
  endpointId: string,
  change: { readonly url?: string | undefined; readonly events?: readonly string[] | undefined },
): Promise<Endpoint> {
  const endpoint = await getEndpoint(desk.sql, endpointId);
  const events = change.events === undefined ? undefined : checkEventTypes(change.events);
  const destination =
    change.url === undefined ? undefined : await resolveDestination(change.url, desk.policy, desk.resolveHost);
  await changeEndpoint(desk.sql, endpoint, {
    ...(destination && { url: destination.url, host: destination.host }),
    ...(events && { events }),
  });
  return getEndpoint(desk.sql, endpointId);
}

/** Nothing raised from now on is queued to it; what was queued before is held. */
export async function disableEndpoint(desk: EndpointDesk, endpointId: string): Promise<Endpoint> {
  await changeEndpoint(desk.sql, await getEndpoint(desk.sql, endpointId), { active: false, reason: 'operator' });
  return getEndpoint(desk.sql, endpointId);
}

/** Checks the destination again, then goes on with what was held. */
export async function enableEndpoint(desk: EndpointDesk, endpointId: string): Promise<Endpoint> {
  const endpoint = await getEndpoint(desk.sql, endpointId);
  await resolveDestination(endpoint.url, desk.policy, desk.resolveHost);
  desk.box.open(endpointId, endpoint.secretSealed);
  await changeEndpoint(desk.sql, endpoint, { active: true });
  return getEndpoint(desk.sql, endpointId);
}

/** Replaces the signing secret at once, with no overlap. */
export async function rotateSecret(
  desk: EndpointDesk,
  endpointId: string,
): Promise<{ readonly endpointId: string; readonly secret: string }> {
  const endpoint = await getEndpoint(desk.sql, endpointId);
  await proveSecretBox(desk);
  const secret = newEndpointSecret();
  await changeEndpoint(desk.sql, endpoint, { secretSealed: desk.box.seal(endpointId, secret) });
  return { endpointId, secret };
}

/** Switches it off for good and frees its place among the ten. Its deliveries and attempts stay readable. */
export async function removeEndpoint(desk: EndpointDesk, endpointId: string): Promise<{ readonly endpointId: string }> {
  await changeEndpoint(desk.sql, await getEndpoint(desk.sql, endpointId), { active: false, reason: 'removed' });
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

/** Without what only the service may see. */
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

/** A secret stored under a key that the workers do not have could never be used: refuse before storing. */
async function proveSecretBox(desk: EndpointDesk): Promise<void> {
  const sample = await findAnySealedSecret(desk.sql);
  if (sample !== undefined) {
    desk.box.open(sample.endpointId, sample.secretSealed);
  }
}
