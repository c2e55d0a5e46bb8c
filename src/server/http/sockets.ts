/**
 * The HTTP server under the framework: its timeouts, the limits of one connection and one address, and its responses to requests that are
 * not HTTP, too large or too slow.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { createPeerCheck, meteredAddress, readClientAddress } from '../../core/addresses.ts';
import { type Refusal, refuse } from '../../core/errors.ts';
import { JSON_TYPE } from '../ready.ts';

/** A request that is still incomplete after this time is refused with 408, so that it does not keep its connection. */
const REQUEST_MS = 15_000;
const HEADERS_MS = 10_000;
const LOOK_AT_CONNECTIONS_MS = 1_000;
/** Longer than load balancers keep an unused connection, so that they close it first. */
const KEEP_ALIVE_MS = 72_000;

/** For the `serverFactory` of the framework. */
export function createServerFactory(limits: ConnectionLimits): (handle: RequestListener) => Server {
  return (handle) => {
    const serve = inTurn(handle);
    const server = createServer(
      {
        requestTimeout: REQUEST_MS,
        headersTimeout: HEADERS_MS,
        connectionsCheckingInterval: LOOK_AT_CONNECTIONS_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // A hook refuses a request without `Host`, with a body.
        requireHostHeader: false,
      },
      serve,
    );
    // A client that waits for 100-continue gets it when its body is read, which is after its key was checked.
    server.on('checkContinue', serve);
    server.on('checkExpectation', inTurn(answerExpectation));
    limitConnections(server, limits);
    return server;
  };
}

/** Responds to a request that expects something else than 100-continue. */
function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, code, message } = refuse('invalid_request', 'The header expect may only ask for 100-continue.');
  const body = JSON.stringify({ error: code, message });
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** A connection is ended if its reader takes none of the waiting bytes for this long. */
const STALLED_MS = 30_000;
const LOOK_MS = 5_000;
const SHARE_OF_AN_ADDRESS = 0.1;
/** Requests that may wait for an earlier one on their connection. None of our clients sends as many without reading. */
const MOST_WAITING = 100;

interface ConnectionLimits {
  /** How many the server keeps, from all addresses together. */
  readonly connections: number;
  /** A proxy has the connections of many clients, so its own are not counted by address. */
  readonly trustedProxies: readonly string[];
}

/** The state of a connection that has a request without its response. */
interface Answering {
  /** Starts of the later requests. */
  readonly waiting: (() => void)[];
  /** How many bytes its reader has not taken, since when, and when that was last seen. */
  unread: { readonly bytes: number; readonly since: number; readonly lookedAt: number } | undefined;
}

const answering = new WeakMap<Socket, Answering>();

/**
 * Starts the requests of one connection one after another if its client sends them without waiting for responses. A packet
 * full of requests then takes no more from others than one request does, and a price stream, which writes to the socket
 * itself, begins only after the earlier responses.
 */
function inTurn(handle: RequestListener): RequestListener {
  function begin(request: IncomingMessage, response: ServerResponse, { waiting }: Answering): void {
    const { socket } = request;
    response.once('close', () => {
      const next = waiting.shift();
      if (next === undefined) {
        answering.delete(socket);
      } else if (!socket.destroyed) {
        setImmediate(next);
      }
    });
    socket.setTimeout(LOOK_MS);
    handle(request, response);
  }
  return (request, response) => {
    const { socket } = request;
    const before = answering.get(socket);
    if (before === undefined) {
      const now: Answering = { waiting: [], unread: undefined };
      answering.set(socket, now);
      begin(request, response, now);
    } else if (before.waiting.length < MOST_WAITING) {
      before.waiting.push(() => begin(request, response, before));
    } else {
      socket.destroy();
    }
  };
}

/** Gives each address a share of the connections, and ends connections whose readers have stopped. */
function limitConnections(server: Server, { connections, trustedProxies }: ConnectionLimits): void {
  const isTrusted = createPeerCheck(trustedProxies);
  const most = Math.max(1, Math.floor(connections * SHARE_OF_AN_ADDRESS));
  const held = new Map<string, number>();
  server.maxConnections = connections;
  server.on('connection', (socket: Socket) => {
    if (isTrusted(socket.remoteAddress)) {
      return;
    }
    const address = meteredAddress(readClientAddress(socket.remoteAddress));
    const count = held.get(address) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    held.set(address, count + 1);
    socket.once('close', () => {
      const left = (held.get(address) ?? 0) - 1;
      if (left > 0) {
        held.set(address, left);
      } else {
        held.delete(address);
      }
    });
  });
  server.on('timeout', endIfStalled);
}

/** Called if no byte was read or taken for `LOOK_MS`, or for as long as an idle connection is kept. */
function endIfStalled(socket: Socket): void {
  const answer = answering.get(socket);
  const bytes = socket.writableLength;
  const now = performance.now();
  const last = answer?.unread;
  // There was no traffic since the previous call.
  const goesOn = last?.bytes === bytes && now - last.lookedAt < 2 * LOOK_MS;
  const since = goesOn ? last.since : now - LOOK_MS;
  // A response that is still being made has no bytes to send yet.
  if (answer === undefined || (bytes > 0 && now - since >= STALLED_MS)) {
    socket.destroy();
    return;
  }
  answer.unread = { bytes, since, lookedAt: now };
  socket.setTimeout(LOOK_MS);
}

const REFUSALS = new Map<string | undefined, () => Refusal>([
  ['HPE_HEADER_OVERFLOW', () => refuse('headers_too_large')],
  ['ERR_HTTP_REQUEST_TIMEOUT', () => refuse('request_timeout')],
]);

/** Responds to a request that the parser gave up, before any route is known. */
export function answerBrokenRequests(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const malformed = () => refuse('invalid_request', 'The request is not well-formed HTTP.');
  const { status, code, message } = (REFUSALS.get(error.code) ?? malformed)();
  const body = JSON.stringify({ error: code, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
