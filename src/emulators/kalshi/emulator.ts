/**
 * Kalshi as a process on loopback: it verifies signatures, matches orders against its books, charges the documented fees, keeps
 * accounts, and has the faults that its control route arms (`POST /control`). The service itself uses none of it.
 */
import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { type KalshiHeaders, verifyKalshi } from '../../venues/kalshi/signing.ts';
import { type Fault, Faults } from '../faults.ts';
import { settle } from './match-order.ts';
import { type ControlRequest, controlRequest } from './requests.ts';
import { type Asked, answer } from './routes.ts';
import { type ExchangeState, newAccount, newState } from './state.ts';
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

/** @param port 0 takes a free one. */
export async function startKalshiEmulator(port = 0): Promise<KalshiEmulator> {
  const state = newState();
  const faults = new Faults();
  const keys = new Map<string, KeyObject>();
  const ports = { state, faults, ids: { next: () => randomUUID() }, now: () => new Date() };

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
    const fresh = Math.abs(Date.now() - Number(headers['kalshi-access-timestamp'])) <= MOST_SKEW_MS;
    const valid = key !== undefined && fresh && verifyKalshi(key, headers, request.method ?? 'GET', path);
    return valid && account !== undefined ? { keyId, account } : undefined;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://emulator');
    const body = await readJson(request);
    if (url.pathname === '/control' && request.method === 'POST') {
      const told = controlRequest.safeParse(body);
      if (told.success) {
        control(told.data);
      }
      send(response, told.success ? 200 : 400, told.success ? {} : { message: told.error.issues[0]?.message });
      return;
    }
    if (!url.pathname.startsWith(`${ROOT}/`)) {
      send(response, 404, { code: 'not_found', message: 'no such path' });
      return;
    }
    const path = url.pathname.slice(ROOT.length);
    const method = request.method ?? 'GET';
    const fault = faults.take(`${method} ${path}`);
    if (fault?.kind === 'timeout_before_apply') {
      return; // the connection stays open without an answer
    }
    if (fault?.kind === 'status') {
      send(response, fault.status, fault.body ?? { code: 'fault', message: 'an armed fault' }, fault.retryAfter);
      return;
    }
    if (fault?.kind === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please wait.</body></html>');
      return;
    }
    const asked = { method, path, query: url.searchParams, body, account: accountOf(request, url.pathname) };
    const { status, body: answered } = answer(ports, asked, mostCount(fault));
    if (method !== 'GET') {
      stream.publish();
    }
    if (fault?.kind === 'timeout_after_apply') {
      return;
    }
    if (fault?.kind === 'late') {
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
    }
    send(response, status, answered);
  }

  function control(request: ControlRequest): void {
    switch (request.do) {
      case 'key':
        keys.set(request.keyId, createPublicKey(request.publicKey));
        state.accounts.set(request.keyId, newAccount(request.cash, request));
        break;
      case 'market':
        state.markets.set(request.ticker, {
          ticker: request.ticker,
          eventTicker: request.eventTicker,
          title: request.title,
          rules: request.rules,
          status: 'active',
          openTime: new Date(Date.now() - 3_600_000),
          closeTime: request.closeTime,
          result: '',
          settlementValue: null,
          settledAt: null,
          tick: request.tick ?? 10_000n,
          feeMultiplierBps: BigInt(request.feeMultiplierBps ?? 10_000),
          yesBids: [],
          noBids: [],
          volume: 0n,
          lastPrice: null,
        });
        break;
      case 'book': {
        const market = marketOf(request.ticker);
        market.yesBids = request.yes.toSorted((one, other) => (one.price > other.price ? -1 : 1));
        market.noBids = request.no.toSorted((one, other) => (one.price > other.price ? -1 : 1));
        break;
      }
      case 'status': {
        const market = marketOf(request.ticker);
        market.status = request.status;
        market.result = request.result ?? market.result;
        market.settlementValue = request.settlementValue ?? market.settlementValue;
        market.closeTime = request.closeTime ?? market.closeTime;
        if (request.status === 'finalized') {
          market.settledAt = new Date();
          settle(state, market);
        }
        break;
      }
      case 'stream':
        stream.fault(request.fault);
        break;
      case 'trading':
        state.tradingActive = request.active;
        break;
      case 'fault':
        faults.arm(request.fault as Fault, request.on, request.times);
        break;
      case 'clear_faults':
        faults.clear();
        break;
    }
    stream.publish();
  }

  function marketOf(ticker: string) {
    const market = state.markets.get(ticker);
    if (market === undefined) {
      throw new Error(`no market ${ticker}`);
    }
    return market;
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) =>
      send(response, 400, { code: 'bad_request', message: error.message }),
    );
  });
  const stream = openEmulatedStream(server, state, accountOf);
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
        stream.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function mostCount(fault: Fault | undefined): bigint | undefined {
  return fault?.kind === 'partial' ? fault.count : undefined;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const written = await readText(request);
  return written === '' ? undefined : JSON.parse(written);
}

function send(response: ServerResponse, status: number, body: unknown, retryAfter?: string): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    })
    .end(JSON.stringify(body));
}
