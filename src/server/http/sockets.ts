/** The HTTP server under the framework: its timeouts and limits. */
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

// What one connection and one address may take of the server: a tenth of the connections, one request at a time, and no
// answer that nobody reads.

/** A connection ends if the bytes that wait for its reader make no progress for so long. */
const STALLED_MS = 30_000;
const LOOK_MS = 5_000;
const SHARE_OF_AN_ADDRESS = 0.1;
/** Requests that wait for the one before them on their connection. No client of ours sends so many without reading. */
const MOST_WAITING = 100;

interface ConnectionLimits {
  /** Of all addresses. */
  readonly connections: number;
  /** Their connections are those of many clients, and are not counted by address. */
  readonly trustedProxies: readonly string[];
}

/** A connection while a request on it is answered. */
interface Answering {
  /** Later requests. */
  readonly waiting: (() => void)[];
  /** How many bytes its reader has left where they are, and since when. */
  unread: { readonly bytes: number; readonly since: number; readonly lookedAt: number } | undefined;
}

const answering = new WeakMap<Socket, Answering>();

/**
 * Requests that a client sends without waiting for answers begin one after the other, so that a packet full of them takes no more
 * from others than one request does, and a price stream, which writes to the socket itself, begins when the answers before
 * it are sent.
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

/** Called when no byte was read or taken for `LOOK_MS`, or for as long as a connection without a request is kept. */
function endIfStalled(socket: Socket): void {
  const answer = answering.get(socket);
  const bytes = socket.writableLength;
  const now = performance.now();
  const last = answer?.unread;
  // the look before this one was quiet, too
  const goesOn = last?.bytes === bytes && now - last.lookedAt < 2 * LOOK_MS;
  const since = goesOn ? last.since : now - LOOK_MS;
  // an answer that is still being made has nothing to send
  if (answer === undefined || (bytes > 0 && now - since >= STALLED_MS)) {
    socket.destroy();
    return;
  }
  answer.unread = { bytes, since, lookedAt: now };
  socket.setTimeout(LOOK_MS);
}

// Answers requests that are not HTTP, too large or too slow, before any route is known.

const REFUSALS = new Map<string | undefined, () => Refusal>([
  ['HPE_HEADER_OVERFLOW', () => refuse('headers_too_large')],
  ['ERR_HTTP_REQUEST_TIMEOUT', () => refuse('request_timeout')],
]);

const EXPECTATION_FAILED = 417;

/** Answers a request that expects something else than 100-continue. */
function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { code, message } = refuse('invalid_request', 'The header expect may only ask for 100-continue.');
  const body = JSON.stringify({ error: code, message });
  response
    .writeHead(EXPECTATION_FAILED, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) })
    .end(body);
}

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
