/**
 * Is registered in place of the operator's endpoint: takes the service's deliveries, checks their signatures, and keeps the
 * events, so that they can be passed on in any order.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { verifyWebhook, type WebhookEvent, WebhookRejected } from '../../../client/verify-webhook.ts';
import { Failure } from '../../failure.ts';

const STEP_MS = 50;

export interface EventTap {
  /**
   * The event of each dedupe key that begins like one of these, in their order.
   * @throws Failure if one of them does not arrive in time
   */
  collect(beginnings: readonly string[], withinMs: number): Promise<WebhookEvent[]>;
  close(): Promise<void>;
}

/** @param host and `port` to listen on. @throws the error of the socket */
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
