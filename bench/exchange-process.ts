/**
 * An emulated Kalshi of the bench, which takes a tenth of a second to answer an order and tells its stream of it 5 ms later. It reports how
 * long each order took on the wire, and ends on a message or when the parent is gone.
 */
import { generateKeyPairSync } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { listExamples, startKalshiEmulator } from '../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../src/emulators/kalshi/requests.ts';

export interface ExchangeOrder {
  /** Where our key is written. */
  readonly folder: string;
}

const [{ folder }] = (await once(process, 'message')) as [ExchangeOrder];
const ORDER = 'POST /portfolio/events/orders';
const KEY_ID = 'bench';
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
tell({ do: 'pace', on: ORDER, answerMs: 100, streamMs: 5 });

/** Milliseconds from the first byte of an order to the last of its response. */
let took: number[] = [];
const begun = new WeakMap<object, number>();
const isOrder = ({ method, url }: IncomingMessage) => `${method} ${url ?? ''}`.includes('/portfolio/events/orders');
channel('http.server.request.start').subscribe((event) => {
  const { request } = event as { request: IncomingMessage };
  begun.set(request, performance.now());
});
channel('http.server.response.finish').subscribe((event) => {
  const { request } = event as { request: IncomingMessage };
  const start = begun.get(request);
  if (start !== undefined && request.method === 'POST' && isOrder(request)) {
    took.push(performance.now() - start);
  }
});

process.send?.({
  INLAY_VENUES: 'kalshi',
  INLAY_KALSHI_URL: emulator.url,
  INLAY_KALSHI_KEY_ID: KEY_ID,
  INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
});
process.on('message', (message) => {
  if (message === 'close') {
    process.exit(0);
  }
  process.send?.(took);
  took = [];
});
process.on('disconnect', () => process.exit(0));
