/**
 * Live prices: one connection for all contracts that a view shows. It is read with fetch because the token is sent in a header. A
 * contract that cannot be traded now has no executable price, and none is derived from the reference.
 */
import { type Signal, signal } from '@preact/signals';
import type { PriceSnapshot, PriceView } from '../wire/catalogue.ts';
import { isTokenProblem, markAway } from './service.ts';
import { currentToken } from './session.ts';

const MOST_CONTRACTS = 200;
const GATHER_MS = 120;
/** The server pings every 15 s; a longer silence means that the connection is dead. */
const SILENCE_MS = 35_000;
const RETRY_MS = [500, 1_000, 2_000, 4_000];

const prices = new Map<string, Signal<PriceView | null>>();
const watchers = new Map<string, number>();
let gathering: number | undefined;
let connection: AbortController | null = null;
let connected = '';
let failures = 0;

/** The newest price of a contract; null until the first one arrives. */
export function livePrice(contractId: string): Signal<PriceView | null> {
  let price = prices.get(contractId);
  if (price === undefined) {
    price = signal<PriceView | null>(null);
    prices.set(contractId, price);
  }
  return price;
}

/** @returns a function that stops watching */
export function watchPrices(contractIds: readonly string[]): () => void {
  for (const id of contractIds) {
    watchers.set(id, (watchers.get(id) ?? 0) + 1);
  }
  reconnectSoon();
  return () => {
    for (const id of contractIds) {
      const left = (watchers.get(id) ?? 1) - 1;
      if (left > 0) {
        watchers.set(id, left);
      } else {
        watchers.delete(id);
      }
    }
    reconnectSoon();
  };
}

function reconnectSoon(delay = GATHER_MS): void {
  window.clearTimeout(gathering);
  gathering = window.setTimeout(() => {
    const wanted = [...watchers.keys()].slice(0, MOST_CONTRACTS).sort().join(',');
    if (wanted === connected && connection !== null) {
      return;
    }
    connection?.abort();
    connection = null;
    connected = wanted;
    if (wanted !== '') {
      void read(wanted);
    }
  }, delay);
}

async function read(contracts: string): Promise<void> {
  const own = new AbortController();
  connection = own;
  const token = currentToken();
  let silence: number | undefined;
  const heard = () => {
    window.clearTimeout(silence);
    silence = window.setTimeout(() => own.abort(), SILENCE_MS);
  };
  heard();
  let isAway = false;
  try {
    const response = await fetch(`/api/v1/stream/prices?contracts=${encodeURIComponent(contracts)}`, {
      headers: token === null ? {} : { authorization: `Embed ${token}` },
      credentials: 'omit',
      cache: 'no-store',
      signal: own.signal,
    });
    if (response.ok && response.body !== null) {
      failures = 0;
      await readFrames(response.body, heard);
    } else {
      const { error } = (await response.json()) as { error?: string };
      isAway = response.status >= 500 && error !== 'stream_capacity' && !isTokenProblem(error ?? '');
    }
  } catch {
    isAway = connection === own && !own.signal.aborted;
  }
  window.clearTimeout(silence);
  if (connection !== own) {
    return;
  }
  connection = null;
  if (isAway) {
    markAway();
  }
  reconnectSoon(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
  failures += 1;
}

async function readFrames(body: ReadableStream<Uint8Array>, heard: () => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    heard();
    const frames = (rest + value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      takeFrame(frame);
    }
  }
}

function takeFrame(frame: string): void {
  let event = '';
  let data = '';
  for (const line of frame.split('\n')) {
    if (line.startsWith('event:')) {
      event = line.slice(6).trim();
    } else if (line.startsWith('data:')) {
      data += line.slice(5).trim();
    }
  }
  if (data === '') {
    return;
  }
  if (event === 'snapshot') {
    for (const price of (JSON.parse(data) as PriceSnapshot).contracts) {
      livePrice(price.contractId).value = price;
    }
  } else if (event === 'price' || event === 'closed') {
    const price = JSON.parse(data) as PriceView;
    livePrice(price.contractId).value = price;
  }
}
