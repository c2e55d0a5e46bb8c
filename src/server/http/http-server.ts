/** The HTTP server under the framework: its timeouts and limits. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { answerExpectation } from './broken-requests.ts';
import { type ConnectionLimits, inTurn, limitConnections } from './connections.ts';

/**
 * A request that has not arrived completely by then is answered with 408, so that no connection is kept by an
 * unfinished body.
 */
const REQUEST_MS = 15_000;
const HEADERS_MS = 10_000;
const LOOK_AT_CONNECTIONS_MS = 1_000;
/** Longer than balancers keep a connection that is not used, so that they close it and not we. */
const KEEP_ALIVE_MS = 72_000;

export function createServerFactory(limits: ConnectionLimits): (handle: RequestListener) => Server {
  return (handle) => {
    const serve = inTurn(handle);
    const server = createServer(
      {
        requestTimeout: REQUEST_MS,
        headersTimeout: HEADERS_MS,
        connectionsCheckingInterval: LOOK_AT_CONNECTIONS_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // refused by a hook, with a body
        requireHostHeader: false,
      },
      serve,
    );
    // a client that asks before it sends its body is told to go on when the body is read, so after its key was checked
    server.on('checkContinue', serve);
    server.on('checkExpectation', inTurn(answerExpectation));
    limitConnections(server, limits);
    return server;
  };
}
