/**
 * Kalshi as a process on loopback: it verifies signatures, matches orders against its books, charges the documented fees, keeps
 * accounts, and has the faults that its control route arms (`POST /control`). The service itself uses none of it.
 */
import type { KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type KalshiHeaders, verifyKalshi } from '../../venues/kalshi/signing.ts';
import { type Fault, Faults } from '../faults.ts';
import { endEarly, listenOnLoopback, ok, sendAnswer, sendJson, sendPage } from '../http.ts';
import { seededIds } from '../seeded-ids.ts';
import { applyControl } from './control.ts';
import type { Asked } from './requests.ts';
import { type ControlRequest, controlRequest } from './requests.ts';
import { answer } from './routes.ts';
import { type ExchangeState, newState } from './state.ts';
import { openEmulatedStream } from './stream.ts';

const ROOT = '/trade-api/v2';
/** A request that was signed longer ago, or later, is refused. */
const MOST_SKEW_MS = 30_000;

export interface KalshiEmulator {
  /** Origin, for INLAY_KALSHI_URL. */
  readonly url: string;
  readonly state: ExchangeState;
  readonly faults: Faults;
  control(request: ControlRequest): void;
  close(): Promise<void>;
}

/** @param port 0 takes a free one. @param seed makes ids and random faults repeatable. */
export async function startKalshiEmulator(port = 0, seed?: number): Promise<KalshiEmulator> {
  const state = newState();
  const faults = new Faults();
  const keys = new Map<string, KeyObject>();
  const ids = seededIds(seed);
  const ports = { state, faults, ids, now: timeHere };

  function timeHere(): Date {
    return new Date(Date.now() + state.clockAheadMs);
  }

  function accountOf(request: IncomingMessage, path: string): Asked['account'] {
    const given = (name: string) => String(request.headers[name] ?? '');
    const headers: KalshiHeaders = {
      'kalshi-access-key': given('kalshi-access-key'),
      'kalshi-access-timestamp': given('kalshi-access-timestamp'),
      'kalshi-access-signature': given('kalshi-access-signature'),
    };
    const keyId = headers['kalshi-access-key'];
    const key = keys.get(keyId);
    const account = state.accounts.get(keyId);
    const fresh = Math.abs(timeHere().getTime() - Number(headers['kalshi-access-timestamp'])) <= MOST_SKEW_MS;
    const valid = key !== undefined && fresh && verifyKalshi(key, headers, request.method ?? 'GET', path);
    return valid && account !== undefined ? { keyId, account } : undefined;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('date', timeHere().toUTCString());
    const url = new URL(request.url ?? '/', 'http://emulator');
    const body = await readJson(request);
    if (url.pathname === '/control' && request.method === 'POST') {
      const parsed = controlRequest.safeParse(body);
      if (parsed.success) {
        control(parsed.data);
      }
      sendJson(response, parsed.success ? ok({}) : { status: 400, body: { message: parsed.error.issues[0]?.message } });
      return;
    }
    if (!url.pathname.startsWith(`${ROOT}/`)) {
      sendJson(response, { status: 404, body: { code: 'not_found', message: 'no such path' } });
      return;
    }
    const path = url.pathname.slice(ROOT.length);
    const method = request.method ?? 'GET';
    const fault = faults.take(`${method} ${path}`);
    if (endEarly(response, fault, { code: 'fault', message: 'an armed fault' })) {
      return;
    }
    if (fault?.kind === 'html') {
      sendPage(response);
      return;
    }
    const language = /^(es|pt)\b/.exec(String(request.headers['accept-language'] ?? ''))?.[1] as Asked['language'];
    const asked = { method, path, query: url.searchParams, body, language, account: accountOf(request, url.pathname) };
    const answered = answer(ports, asked, mostCount(fault));
    if (method !== 'GET') {
      stream.publish();
    }
    await sendAnswer(response, answered, fault);
  }

  function control(request: ControlRequest): void {
    applyControl({ state, faults, keys, stream, chance: ids.chance }, request);
    stream.publish();
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) =>
      sendJson(response, { status: 400, body: { code: 'bad_request', message: error.message } }),
    );
  });
  const stream = openEmulatedStream(server, state, accountOf);
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

function mostCount(fault: Fault | undefined): bigint | undefined {
  return fault?.kind === 'partial' ? fault.count : undefined;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const written = await readText(request);
  return written === '' ? undefined : JSON.parse(written);
}
