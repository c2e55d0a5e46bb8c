/** Passes events on to the operator's endpoint, signed at each attempt as the service does, and retried until acknowledged. */

import type { WebhookEvent } from '../../../client/verify-webhook.ts';
import { signatureHeader } from '../../../core/webhook-signature.ts';

export interface Endpoint {
  readonly url: string;
  readonly secret: string;
}

/** The time that an endpoint has to answer (contract chapter 27). */
const ACKNOWLEDGE_MS = 10_000;
const ATTEMPTS = 3;

/** @returns the status of the answer; null if there was none in time */
export async function sendEvent({ url, secret }: Endpoint, event: WebhookEvent): Promise<number | null> {
  const body = JSON.stringify({ ...event, createdAt: new Date().toISOString() });
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'service-event-type': event.type,
        'service-signature': signatureHeader(secret, Math.floor(Date.now() / 1000), body),
        'user-agent': 'Service-Webhooks/1',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ACKNOWLEDGE_MS),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}

/** Each in turn; those that are not acknowledged once more after the others. @returns what was never acknowledged */
export async function sendInTurn(endpoint: Endpoint, events: readonly WebhookEvent[]): Promise<string[]> {
  let left = events;
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt += 1) {
    const refused: WebhookEvent[] = [];
    for (const event of left) {
      const status = await sendEvent(endpoint, event);
      if (status === null || status < 200 || status > 299) {
        refused.push(event);
      }
    }
    left = refused;
  }
  return left.map(({ dedupeKey }) => `${dedupeKey} is not acknowledged`);
}
