/** What tests at an emulated Kalshi share: the exchange with our adapter to it, an API key that the exchange knows, and an order. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/core/ids.ts';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { venueIdOf } from '../../src/trading/execution/attempts.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { OrderToPlace, Venue } from '../../src/venues/port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { openRecordingProxy, type RecordingProxy } from './recording-proxy.ts';

export interface KalshiExchange {
  readonly emulator: KalshiEmulator;
  /** Between the exchange and the adapter; it keeps what was asked and answered. */
  readonly proxy: RecordingProxy;
  /** Our adapter, with the account of the key `k`. */
  readonly venue: Venue;
  readonly privateKeyFile: string;
  close(): Promise<void>;
}

/** An exchange without markets. */
export async function openKalshiExchange(
  settings: Partial<typeof VENUE_SETTINGS.kalshi> = {},
  kind?: 'ed25519' | 'rsa',
): Promise<KalshiExchange> {
  const emulator = await startKalshiEmulator();
  const privateKeyFile = newKalshiKey(emulator, 'k', undefined, kind);
  const proxy = await openRecordingProxy(emulator.url, '/trade-api/v2');
  const streamUrl = emulator.url.replace('http', 'ws');
  const access = { ...VENUE_SETTINGS.kalshi, streamUrl, keyId: 'k', privateKeyFile, ...settings };
  const venue = openKalshi('kalshi', async () => proxy.url, access);
  return {
    emulator,
    proxy,
    venue,
    privateKeyFile,
    close: async () => {
      await venue.close();
      await proxy.close();
      await emulator.close();
    },
  };
}

/** @param request what the control route of the exchange takes */
export const tellKalshi = (emulator: KalshiEmulator, request: object) =>
  emulator.control(controlRequest.parse(request));

/**
 * Makes an API key and adds it to the exchange.
 * @param cash micro-dollars of its account.
 * @param kind Ed25519 is what the exchange makes by default.
 * @returns the file that holds its private key.
 */
export function newKalshiKey(
  emulator: KalshiEmulator,
  keyId: string,
  cash = 1_000_000_000n,
  kind: 'ed25519' | 'rsa' = 'ed25519',
): string {
  const { publicKey, privateKey } =
    kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
  const file = join(temporaryFolder('kalshi'), 'key.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  emulator.control({ do: 'key', keyId, publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })), cash });
  return file;
}

/** Buys 20 contracts at 0.46 or better for the next 30 seconds, if nothing else is said. */
export function kalshiOrder(ticker: string, changes: Partial<OrderToPlace> = {}): OrderToPlace {
  return {
    ourId: venueIdOf(newId('ord')),
    listingId: ticker,
    side: 'YES',
    action: 'BUY',
    quantityMicros: 20_000_000n,
    limitPriceMicros: 460_000n,
    expiresAt: new Date(Date.now() + 30_000),
    ...changes,
  };
}
