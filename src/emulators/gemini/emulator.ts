/**
 * Gemini as a process on loopback: it verifies signatures and nonces, matches orders against its books, charges the fee of its schedule,
 * keeps accounts, and has the faults that its control route arms (`POST /control`). The service itself uses none of it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { Faults } from '../faults.ts';
import { endEarly, listenOnLoopback, ok, sendAnswer, sendJson } from '../http.ts';
import { seededIds } from '../seeded-ids.ts';
import { applyControl } from './control.ts';
import { type ControlRequest, controlRequest } from './requests.ts';
import { answer, refusal } from './routes.ts';
import { type ExchangeState, newState, timeOf } from './state.ts';
import { openEmulatedStream } from './stream.ts';
import { readSigned } from './verify.ts';

/** Ids have 17 digits, more than a number keeps. */
const FIRST_ID = 145_000_000_000_000_001n;
const ID_STEP = 2n;

export interface GeminiEmulator {
  /** Origin, for INLAY_GEMINI_URL; its stream has the same one with `ws`. */
  readonly url: string;
  readonly state: ExchangeState;
  readonly faults: Faults;
  control(request: ControlRequest): void;
  close(): Promise<void>;
}

/** @param port 0 takes a free one. @param seed makes random faults repeatable. */
export async function startGeminiEmulator(port = 0, seed?: number): Promise<GeminiEmulator> {
  const state = newState();
  const faults = new Faults();
  const { chance } = seededIds(seed);
  const used = new Map<string, Set<number>>();
  let lastId = FIRST_ID;
  const ids = {
    next: () => {
      lastId += ID_STEP;
      return lastId;
    },
  };

  function control(request: ControlRequest): void {
    applyControl({ state, faults, stream, chance }, request);
    stream.publish();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const now = timeOf(state);
    response.setHeader('date', now.toUTCString());
    const url = new URL(request.url ?? '/', 'http://emulator');
    const { pathname: path } = url;
    const method = request.method ?? 'GET';
    const text = await readText(request);
    if (path === '/control' && method === 'POST') {
      const parsed = controlRequest.safeParse(JSON.parse(text));
      if (parsed.success) {
        control(parsed.data);
      }
      sendJson(response, parsed.success ? ok({}) : refusal(400, parsed.error.issues[0]?.message ?? 'invalid'));
      return;
    }
    const fault = faults.take(`${method} ${path}`);
    if (endEarly(response, fault, { result: 'error', reason: 'Fault', message: 'an armed fault' })) {
      return;
    }
    const signed = readSigned(state, request.headers, path, now, used);
    const answered =
      signed !== undefined && 'status' in signed
        ? signed
        : answer(
            state,
            {
              method,
              path,
              query: url.searchParams,
              now,
              signed,
              mostCount: fault?.kind === 'partial' ? fault.count : undefined,
            },
            ids,
          );
    stream.publish();
    await sendAnswer(response, answered, fault);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => sendJson(response, refusal(400, error.message)));
  });
  const stream = openEmulatedStream(server, state);
  const listening = await listenOnLoopback(server, port);
  return {
    url: listening.url,
    state,
    faults,
    control,
    close: () => {
      stream.close();
      return listening.close();
    },
  };
}
