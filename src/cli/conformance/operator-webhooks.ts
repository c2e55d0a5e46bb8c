/**
 * The webhooks of the operator conformance kit: the service's deliveries are taken in place of the operator's endpoint, and passed on
 * to it in the order that a round needs, signed as the service signs them.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { verifyWebhook, type WebhookEvent, WebhookRejected } from '../../client/verify-webhook.ts';
import { signatureHeader } from '../../core/webhook-signature.ts';
import { Failure } from '../failure.ts';

const STEP_MS = 50;

export interface EventTap {
  /**
   * Waits until every event has arrived.
   * @param beginnings of dedupe keys, one for each event
   * @returns the events in the order of `beginnings`
   * @throws Failure if one of them does not arrive in time
   */
  collect(beginnings: readonly string[], withinMs: number): Promise<WebhookEvent[]>;
  close(): Promise<void>;
}

/**
 * Listens in place of the operator's endpoint, checks the signature of each delivery, and keeps the events in memory.
 * @param secret of the endpoint that is registered with the service
 * @throws the error of the socket if it cannot listen
 */
export async function startEventTap(host: string, port: number, secret: string): Promise<EventTap> {
  const events = new Map<string, WebhookEvent>();
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) {
        chunks.push(chunk);
      }
      const signature = request.headers['service-signature'];
      const event = verifyWebhook({
        body: Buffer.concat(chunks),
        signature: typeof signature === 'string' ? signature : undefined,
        secret,
      });
      events.set(event.dedupeKey, event);
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(error instanceof WebhookRejected ? 401 : 500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const find = (beginning: string) => [...events.values()].find(({ dedupeKey }) => dedupeKey.startsWith(beginning));
  return {
    async collect(beginnings, withinMs) {
      const end = Date.now() + withinMs;
      for (;;) {
        const missing = beginnings.find((beginning) => find(beginning) === undefined);
        if (missing === undefined) {
          return beginnings.map((beginning) => find(beginning) as WebhookEvent);
        }
        if (Date.now() > end) {
          throw new Failure('no_event', `The service did not deliver ${missing} to port ${address.port}.`, {
            next: 'Register the address of this command as the endpoint of the operator, and give its secret.',
          });
        }
        await wait(STEP_MS);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Endpoint {
  readonly url: string;
  readonly secret: string;
}

/** The time that an endpoint has to answer (contract chapter 27). */
const ACKNOWLEDGE_MS = 10_000;
const ATTEMPTS = 3;

/** Sends the event once, signed at this moment. @returns the HTTP status of the answer, or null if none came in time */
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

/** Sends each event in turn, and again after the others if it is not acknowledged. @returns a sentence for each event that was never acknowledged */
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
