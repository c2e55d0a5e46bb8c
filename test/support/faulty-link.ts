/** The network between a service and an operator as nobody wants it: requests and answers are lost, deliveries refused, lost, doubled and shuffled. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chance } from './random.ts';
import { timePasses } from './until.ts';

export interface FaultyLink {
  readonly url: string;
  close(): Promise<void>;
}

const LOST_REQUESTS = 0.03;
const LOST_ANSWERS = 0.05;
/** What a load balancer says of itself, after the service has done its work. */
const FOREIGN_ANSWERS = 0.02;

const REFUSED = 0.15;
const LOST = 0.1;
const DOUBLED = 0.15;
const LONGEST_MS = 1_500;

/** In front of the API. */
export function openFaultyProxy(target: string, chance: Chance): Promise<FaultyLink> {
  return listen(async (request, response, body) => {
    if (chance.happens(LOST_REQUESTS)) {
      response.destroy();
      return;
    }
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: headersOf(request, ['authorization', 'content-type', 'x-service-user']),
      ...(request.method === 'POST' && { body }),
    });
    const text = await answer.text();
    if (chance.happens(LOST_ANSWERS)) {
      response.destroy();
    } else if (chance.happens(FOREIGN_ANSWERS)) {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    } else {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    }
  });
}

/** In front of the operator's receiver: what it takes arrives there later, in another order, perhaps twice or not at all. */
export async function openFaultyDelivery(
  target: () => string,
  chance: Chance,
): Promise<FaultyLink & { drained(): Promise<void> }> {
  const underway = new Set<Promise<void>>();
  const deliver = async (headers: Record<string, string>, body: string, afterMs: number) => {
    await timePasses(afterMs);
    // an operator that has been killed gets nothing
    await fetch(target(), { method: 'POST', headers, body }).catch(() => {});
  };
  const link = await listen(async (request, response, body) => {
    if (chance.happens(REFUSED)) {
      response.writeHead(503).end();
      return;
    }
    response.writeHead(204).end();
    const copies = chance.happens(LOST) ? 0 : chance.happens(DOUBLED) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const delivery = deliver(
        headersOf(request, ['content-type', 'service-signature']),
        body,
        chance.below(LONGEST_MS),
      );
      underway.add(delivery);
      void delivery.then(() => underway.delete(delivery));
    }
  });
  return {
    ...link,
    drained: async () => {
      await Promise.all(underway);
    },
  };
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void>,
): Promise<FaultyLink> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
      await handle(request, response, Buffer.concat(chunks).toString('utf8'));
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function headersOf(request: IncomingMessage, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
  );
}
