/** The venue's HTTP server: loopback only; requests without the token are refused. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { OrderBookService } from '../orders/order-book-service.ts';
import { send } from './answer.ts';
import { answerRequest } from './routes.ts';
import type { Stream } from './stream.ts';

export interface PaperServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @param admits checks the `authorization` header of a request */
export async function listen(
  orderBook: OrderBookService,
  stream: Stream,
  admits: (authorization: string | undefined) => boolean,
  port = 0,
): Promise<PaperServer> {
  const server = createServer((request, response) => {
    if (!admits(request.headers.authorization)) {
      response.setHeader('connection', 'close');
      send(response, 401, { error: 'unauthorized' });
      return;
    }
    answerRequest(orderBook, stream, request, response, originOf(server)).catch((error: unknown) => {
      if (error instanceof z.ZodError || error instanceof SyntaxError) {
        const message =
          error instanceof z.ZodError ? error.issues.map(({ message }) => message).join('; ') : error.message;
        send(response, 400, { error: 'invalid_request', message });
      } else if (!response.headersSent) {
        send(response, 500, { error: 'internal_error' });
      }
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = originOf(server);
  stream.attach(server, url, admits);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
