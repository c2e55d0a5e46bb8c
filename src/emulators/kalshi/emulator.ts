/** Kalshi as a process on loopback: it verifies signatures, matches orders against its books, charges the documented fees and keeps accounts. It can list a few example markets. */
import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type KalshiHeaders, verifyKalshi } from '../../venues/kalshi/rest.ts';
import { type Emulator, startEmulator } from '../emulator.ts';
import { seededIds } from '../seeded-ids.ts';
import { applyControl } from './control.ts';
import { flattened, refused } from './render.ts';
import { type Asked, type ControlRequest, controlRequest } from './requests.ts';
import { answer } from './routes.ts';
import { type ExchangeState, newState } from './state.ts';
import { openEmulatedStream } from './stream.ts';

const ROOT = '/trade-api/v2';
/** A request is refused if its signature is older than this, or this far in the future. */
const MOST_SKEW_MS = 30_000;

export type KalshiEmulator = Emulator<ExchangeState, ControlRequest>;

/** @param port 0 takes a free one. @param seed makes ids and random faults repeatable */
export async function startKalshiEmulator(port = 0, seed?: number): Promise<KalshiEmulator> {
  const state = newState();
  const keys = new Map<string, KeyObject>();
  const ids = seededIds(seed);
  const now = () => new Date(Date.now() + state.clockAheadMs);

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
    const fresh = Math.abs(now().getTime() - Number(headers['kalshi-access-timestamp'])) <= MOST_SKEW_MS;
    const valid = key !== undefined && fresh && verifyKalshi(key, headers, request.method ?? 'GET', path);
    return valid && account !== undefined ? { keyId, account } : undefined;
  }

  return startEmulator(port, {
    state,
    ids,
    root: ROOT,
    controlRequest,
    now,
    openStream: (server) => openEmulatedStream(server, state, accountOf, ids.chance),
    apply: (request, stream) => applyControl({ state, keys, stream }, request),
    answer({ request, method, path, query, body, fault }) {
      const language = /^(es|pt)\b/.exec(String(request.headers['accept-language'] ?? ''))?.[1] as Asked['language'];
      const asked = { method, path, query, body, language, account: accountOf(request, `${ROOT}${path}`) };
      const answered = answer({ state, ids, now }, asked, fault?.kind === 'partial' ? fault.count : undefined);
      return state.flatRefusals ? flattened(answered) : answered;
    },
    refusal: (status, message) => refused(status, status === 404 ? 'not_found' : 'bad_request', message),
  });
}

const MONTH_MS = 30 * 86_400_000;

/** A question and a ladder of two markets. Tests make their own. */
const EXAMPLES = [
  { ticker: 'KXEXAMPLE-RAIN', eventTicker: 'KXEXAMPLE', title: 'Will it rain?', yes: 400_000n, no: 580_000n },
  { ticker: 'KXLADDER-T100', eventTicker: 'KXLADDER', title: 'Above 100', yes: 720_000n, no: 260_000n },
  { ticker: 'KXLADDER-T110', eventTicker: 'KXLADDER', title: 'Above 110', yes: 310_000n, no: 670_000n },
] as const;

/** Lists a few markets for a first look at the emulator. */
export function listExamples(emulator: KalshiEmulator): void {
  const closeTime = new Date(Date.now() + MONTH_MS);
  for (const { ticker, eventTicker, title } of EXAMPLES) {
    emulator.control({
      do: 'market',
      ticker,
      eventTicker,
      title,
      rules: `${title} Resolves by the source.`,
      closeTime,
    });
  }
  fillExamples(emulator);
}

/** Restores the books of the examples after trades. @param count micro-contracts at each price */
export function fillExamples(emulator: KalshiEmulator, count = 500_000_000n): void {
  const ladder = (best: bigint) => [0n, 10_000n, 20_000n].map((step) => ({ price: best - step, count }));
  for (const { ticker, yes, no } of EXAMPLES) {
    emulator.control({ do: 'book', ticker, yes: ladder(yes), no: ladder(no) });
  }
}
