/**
 * What one connection and one address may take of the server: a tenth of the connections, one request at a time, and no
 * answer that nobody reads.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createPeerCheck, meteredAddress, readClientAddress } from '../../core/addresses.ts';

/** A connection ends if the bytes that wait for its reader make no progress for so long. */
const STALLED_MS = 30_000;
const LOOK_MS = 5_000;
const SHARE_OF_AN_ADDRESS = 0.1;
/** Requests that wait for the one before them on their connection. No client of ours sends so many without reading. */
const MOST_WAITING = 100;

export interface ConnectionLimits {
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
export function inTurn(handle: RequestListener): RequestListener {
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

export function limitConnections(server: Server, { connections, trustedProxies }: ConnectionLimits): void {
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
