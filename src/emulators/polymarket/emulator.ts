/**
 * Polymarket as a process on loopback: order book, catalogue and positions on one port. It verifies the signatures of wallets,
 * requests and orders, matches orders against its books, charges the documented fees, settles trades after a while or lets them
 * fail, keeps accounts, and has the faults that its control route arms (`POST /control`). The service itself uses none of it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { type Fault, Faults } from '../faults.ts';
import { applyControl } from './control.ts';
import { advance } from './match-order.ts';
import { type ControlRequest, controlRequest } from './requests.ts';
import { answer } from './routes.ts';
import { seededIds } from './seeded-ids.ts';
import { type ExchangeState, newState } from './state.ts';
import { openEmulatedStream } from './stream.ts';

const TICK_MS = 50;

export interface PolymarketEmulator {
  /** Origin, for the URLs of Polymarket; its streams have the same one with `ws`. */
  readonly url: string;
  readonly state: ExchangeState;
  readonly faults: Faults;
  control(request: ControlRequest): void;
  close(): Promise<void>;
}

/** @param port 0 takes a free one. @param seed makes ids and random faults repeatable. */
export async function startPolymarketEmulator(port = 0, seed?: number): Promise<PolymarketEmulator> {
  const state = newState();
  const faults = new Faults();
  const ids = seededIds(seed);
  const control = (request: ControlRequest) => {
    applyControl({ state, faults, stream, chance: ids.chance }, request);
    stream.publish();
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://emulator');
    const method = request.method ?? 'GET';
    const text = await readText(request);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (url.pathname === '/control' && method === 'POST') {
      const told = controlRequest.safeParse(body);
      if (told.success) {
        control(told.data);
      }
      send(response, told.success ? 200 : 400, told.success ? {} : { error: told.error.issues[0]?.message });
      return;
    }
    const fault = faults.take(`${method} ${url.pathname}`);
    if (fault?.kind === 'timeout_before_apply') {
      return; // the connection stays open without an answer
    }
    if (fault?.kind === 'status') {
      send(response, fault.status, fault.body ?? { error: 'an armed fault' }, fault.retryAfter);
      return;
    }
    const now = new Date();
    advance(state, now, ids);
    const asked = { method, path: url.pathname, text, headers: request.headers, query: url.searchParams, body, now };
    const answered = answer(state, asked, ids, fault);
    stream.publish();
    await answerLate(response, answered.status, answered.body, fault);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => send(response, 400, { error: error.message }));
  });
  const stream = openEmulatedStream(server, state);
  // trades move on with time, not only when somebody asks
  const ticking = setInterval(() => {
    if (stream.followed) {
      advance(state, new Date(), ids);
      stream.publish();
    }
  }, TICK_MS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    faults,
    control,
    close: () =>
      new Promise((resolve) => {
        clearInterval(ticking);
        stream.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The request was worked on; its answer may be lost, late or no JSON. */
async function answerLate(
  response: ServerResponse,
  status: number,
  body: unknown,
  fault: Fault | undefined,
): Promise<void> {
  if (fault?.kind === 'timeout_after_apply') {
    return;
  }
  if (fault?.kind === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please wait.</body></html>');
    return;
  }
  if (fault?.kind === 'late') {
    await new Promise((resolve) => setTimeout(resolve, fault.ms));
  }
  send(response, status, body);
}

function send(response: ServerResponse, status: number, body: unknown, retryAfter?: string): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    })
    .end(JSON.stringify(body));
}
