/**
 * An emulated exchange of the bench, which takes a tenth of a second to answer an order. Kalshi tells its stream of it 5 ms later, Polymarket
 * when the chain has confirmed the trade. It reports when each order arrived and when it was answered, and ends on a message or when the parent is gone.
 */
import { generateKeyPairSync } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { listExamples, startKalshiEmulator } from '../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../src/emulators/kalshi/requests.ts';
import { marketNamed } from '../src/emulators/polymarket/control.ts';
import { listExamples as listPolymarket, startPolymarketEmulator } from '../src/emulators/polymarket/emulator.ts';
import { controlRequest as polymarketRequest } from '../src/emulators/polymarket/requests.ts';
import { monotonicMs } from './paced-start.ts';

export interface ExchangeOrder {
  readonly venue: 'kalshi' | 'polymarket';
  /** Where our key is written. */
  readonly folder: string;
  /** Polymarket: milliseconds until the chain has confirmed a trade. */
  readonly finalMs?: number;
}

export interface EmulatedExchange {
  /** Of the processes that trade there. */
  readonly settings: Record<string, string>;
  readonly listingId: string;
}

/** The times of an order at the exchange, by `monotonicMs`. */
export interface SeenOrder {
  readonly arrivedAt: number;
  readonly answeredAt: number;
  /** When its stream message was due, after the response. */
  readonly toldAt: number;
}

const STREAM_MS = 5;
const PACE = { do: 'pace', answerMs: 100, streamMs: STREAM_MS } as const;
const KEY_ID = 'bench';
/** The public test key of Hardhat and Anvil, account 0; nobody may fund it. */
const WALLET = {
  key: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  signer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
} as const;

const [order] = (await once(process, 'message')) as [ExchangeOrder];
let seen: SeenOrder[] = [];
const exchange = await (order.venue === 'kalshi' ? startKalshi(order) : startPolymarket(order));
timeOrders(order.venue === 'kalshi' ? '/portfolio/events/orders' : '/order');
process.send?.(exchange);
process.on('message', (message) => {
  if (message === 'close') {
    process.exit(0);
  }
  process.send?.(seen);
  seen = [];
});
process.on('disconnect', () => process.exit(0));

async function startKalshi({ folder }: ExchangeOrder): Promise<EmulatedExchange> {
  const emulator = await startKalshiEmulator();
  const tell = (request: object) => emulator.control(controlRequest.parse(request));
  listExamples(emulator);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(folder, 'bench-exchange.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  tell({
    do: 'key',
    keyId: KEY_ID,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
    cash: '100000000',
  });
  tell({ do: 'tier', name: 'prestige', readPerSecond: 12_000, writePerSecond: 9_600 });
  tell({ do: 'book', ticker: 'KXEXAMPLE-RAIN', yes: [['0.40', '100000000']], no: [['0.58', '100000000']] });
  tell({ ...PACE, on: 'POST /portfolio/events/orders' });
  return {
    settings: {
      INLAY_VENUES: 'kalshi',
      INLAY_KALSHI_URL: emulator.url,
      INLAY_KALSHI_KEY_ID: KEY_ID,
      INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
    },
    listingId: 'KXEXAMPLE-RAIN',
  };
}

async function startPolymarket({ folder, finalMs = 0 }: ExchangeOrder): Promise<EmulatedExchange> {
  const emulator = await startPolymarketEmulator();
  const tell = (request: object) => emulator.control(polymarketRequest.parse(request));
  listPolymarket(emulator);
  const keyFile = join(folder, 'bench-wallet.key');
  writeFileSync(keyFile, `${WALLET.key}\n`, { mode: 0o600 });
  tell({ do: 'wallet', signer: WALLET.signer, cash: '100000000' });
  // a quote of two dollars is more than the least order of five contracts
  tell({ do: 'book', name: 'rain', bids: [['0.28', '100000000']], asks: [['0.30', '100000000']] });
  tell({ do: 'settlement', minedMs: finalMs / 2, finalMs });
  tell({ ...PACE, on: 'POST /order' });
  return {
    settings: {
      INLAY_VENUES: 'polymarket',
      INLAY_POLYMARKET_URL: emulator.url,
      INLAY_POLYMARKET_CATALOGUE_URL: emulator.url,
      INLAY_POLYMARKET_DATA_URL: emulator.url,
      INLAY_POLYMARKET_PRIVATE_KEY_FILE: keyFile,
    },
    listingId: marketNamed(emulator.state, 'rain').tokens[0],
  };
}

function timeOrders(path: string): void {
  const begun = new WeakMap<object, number>();
  channel('http.server.request.start').subscribe((event) => {
    const { request } = event as { request: IncomingMessage };
    begun.set(request, monotonicMs());
  });
  channel('http.server.response.finish').subscribe((event) => {
    const { request } = event as { request: IncomingMessage };
    const arrivedAt = begun.get(request);
    if (arrivedAt !== undefined && request.method === 'POST' && request.url?.endsWith(path)) {
      const answeredAt = monotonicMs();
      seen.push({ arrivedAt, answeredAt, toldAt: answeredAt + STREAM_MS });
    }
  });
}
