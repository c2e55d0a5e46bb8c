/** What tests at an emulated Kalshi share: an API key that the exchange knows, and an order. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../src/core/ids.ts';
import type { KalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { venueIdOf } from '../../src/trading/execution/venue-order-id.ts';
import type { OrderToPlace } from '../../src/venues/order.ts';

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
  const file = join(mkdtempSync(join(tmpdir(), 'inlay-kalshi-')), 'key.pem');
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
