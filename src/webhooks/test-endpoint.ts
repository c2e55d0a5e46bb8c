/**
 * Sends one test event to an endpoint at once, so that a receiver can be tested without a real event. Nothing is
 * queued.
 */
import { newId } from '../core/ids.ts';
import type { Clock } from '../core/time.ts';
import { checkDestination, refuseDestination } from './destination.ts';
import { type EndpointAdmin, getEndpoint } from './endpoints.ts';
import { createGuardedAgent, SignedRequest, sendSigned } from './sender.ts';

/** Not a real event, and no endpoint can subscribe to it, so a receiver that processes facts ignores it. */
const TEST_EVENT_TYPE = 'webhook.test';

export interface TestOutcome {
  readonly endpointId: string;
  readonly eventId: string;
  /** Whether it was acknowledged with 2xx in time. */
  readonly delivered: boolean;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly response: string | null;
}

/** @throws `unknown_endpoint`, `invalid_destination`, `secret_unreadable`; nothing was sent then */
export async function testEndpoint(admin: EndpointAdmin, endpointId: string, clock: Clock): Promise<TestOutcome> {
  const endpoint = await getEndpoint(admin.sql, endpointId);
  if (checkDestination(endpoint.url, admin.policy).host !== endpoint.host) {
    throw refuseDestination('host', `${new URL(endpoint.url).host} is not the host registered for this endpoint`);
  }
  const eventId = newId('evn');
  const notice = {
    eventId,
    type: TEST_EVENT_TYPE,
    dedupeKey: `${TEST_EVENT_TYPE}:${eventId}`,
    data: JSON.stringify({ endpointId }),
  };
  const secret = admin.box.open(endpointId, endpoint.secretSealed);
  const agent = createGuardedAgent(admin.policy);
  try {
    const request = SignedRequest.sign(endpoint.url, secret, notice, clock.now());
    const { httpStatus, durationMs, error, response } = await sendSigned(agent, request);
    return { endpointId, eventId, delivered: error === null, status: httpStatus, durationMs, error, response };
  } finally {
    await agent.destroy();
  }
}
