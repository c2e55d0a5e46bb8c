/**
 * Polymarket as a process on loopback: order book, catalogue and positions on one port. It verifies the signatures of wallets,
 * requests and orders, matches orders against its books, charges the documented fees, settles trades after a while or lets them
 * fail, keeps accounts, and has the faults that its control route arms (`POST /control`). The service itself uses none of it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { Faults } from '../faults.ts';
import { endEarly, listenOnLoopback, ok, sendAnswer, sendJson } from '../http.ts';
import { seededIds } from '../seeded-ids.ts';
import { applyControl } from './control.ts';
import { advance } from './match-order.ts';
import { type ControlRequest, controlRequest } from './requests.ts';
import { answer } from './routes.ts';
import { type ExchangeState, newState, timeOf } from './state.ts';
import { openEmulatedStream } from './stream.ts';
import { invalid } from './trading-routes.ts';

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
      const parsed = controlRequest.safeParse(body);
      if (parsed.success) {
        control(parsed.data);
      }
      sendJson(response, parsed.success ? ok({}) : invalid(parsed.error.issues[0]?.message ?? 'invalid'));
      return;
    }
    const fault = faults.take(`${method} ${url.pathname}`);
    if (endEarly(response, fault, { error: 'an armed fault' })) {
      return;
    }
    const now = timeOf(state);
    advance(state, now, ids);
    const asked = { method, path: url.pathname, text, headers: request.headers, query: url.searchParams, body, now };
    const answered = await answer(state, asked, ids, fault);
    stream.publish();
    await sendAnswer(response, answered, fault);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => sendJson(response, invalid(error.message)));
  });
  const stream = openEmulatedStream(server, state);
  // trades move on with time, not only when somebody asks
  const ticking = setInterval(() => {
    if (stream.followed) {
      advance(state, timeOf(state), ids);
      stream.publish();
    }
  }, TICK_MS);
  const listening = await listenOnLoopback(server, port);
  return {
    url: listening.url,
    state,
    faults,
    control,
    close: () => {
      clearInterval(ticking);
      stream.close();
      return listening.close();
    },
  };
}
