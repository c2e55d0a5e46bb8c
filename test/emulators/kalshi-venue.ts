/** An emulated Kalshi: with or without a market, our adapter to it, an API key that the exchange knows, and an order. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/core/ids.ts';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import type { Account } from '../../src/emulators/kalshi/state.ts';
import { venueIdOf } from '../../src/trading/execution/attempts.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { OrderToPlace, Venue } from '../../src/venues/port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { type Exchange, FIRST_BOOK } from './exchange.ts';
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

export const TICKER = 'KXTEST-26-T1';

export interface KalshiMarket extends Exchange {
  readonly emulator: KalshiEmulator;
  readonly account: Account;
  readonly keyFile: string;
  open(settings?: Partial<typeof VENUE_SETTINGS.kalshi>): Venue;
}

/** An exchange with the market `TICKER`, and our adapter with the account of the key `k`. */
export async function openKalshiMarket(): Promise<KalshiMarket> {
  const emulator = await startKalshiEmulator();
  const keyFile = newKalshiKey(emulator, 'k');
  const streamUrl = emulator.url.replace('http', 'ws');
  const open = (settings: Partial<typeof VENUE_SETTINGS.kalshi> = {}) =>
    openKalshi('kalshi', async () => emulator.url, {
      ...VENUE_SETTINGS.kalshi,
      streamUrl,
      keyId: 'k',
      privateKeyFile: keyFile,
      ...settings,
    });
  const tell = (request: object) => tellKalshi(emulator, request);
  const account = emulator.state.accounts.get('k') as Account;
  const list = (ticker: string) => {
    tell({ do: 'market', ticker, eventTicker: ticker.slice(0, -3), title: 'T', closeTime: '2099-01-01T00:00:00Z' });
    return ticker;
  };
  const setBook: Exchange['setBook'] = (bids, asks, ticker = TICKER) =>
    // an ask of YES is a bid for NO there
    tell({ do: 'book', ticker, yes: bids, no: asks.map(([price, count]) => [(1 - Number(price)).toFixed(4), count]) });
  list(TICKER);
  setBook(...FIRST_BOOK);
  const venue = open();
  return {
    emulator,
    account,
    keyFile,
    venue,
    listingId: TICKER,
    paths: { send: 'POST /portfolio/events/orders', orders: 'GET /portfolio/orders', fills: 'GET /portfolio/fills' },
    answersFills: true,
    bought: [
      [450_000n, 10_000_000n, 173_300n],
      [460_000n, 10_000_000n, 173_900n],
    ],
    tell,
    list: (name) => list(`KX${name}-T1`),
    setBook,
    resolve: (outcome) =>
      tell({
        do: 'status',
        ticker: TICKER,
        status: 'finalized',
        result: outcome.toLowerCase(),
        settlementValue: outcome === 'YES' ? '1.0000' : '0.0000',
      }),
    oddStatus() {
      const status = 'hibernating';
      Object.assign([...account.orders.values()].at(-1) ?? {}, { status });
      return status;
    },
    sayOddly() {
      tell({ do: 'stream_say', message: { type: 'weather_report', msg: {} } });
      tell({ do: 'stream_say', message: { type: 'event_lifecycle', msg: { moonshine: true } } });
      return ['stream message: weather_report', 'stream message that cannot be read: event_lifecycle'];
    },
    order: async (changes) => kalshiOrder(TICKER, changes),
    taken: () => account.orders.size,
    cash: () => account.cash.get(0) ?? 0n,
    held: () => account.positions.get(TICKER) ?? 0n,
    open,
    openReader: () => open({ keyId: undefined, privateKeyFile: undefined }),
    close: async () => {
      await venue.close();
      await emulator.close();
    },
  };
}

/** An exchange without markets, behind a proxy. */
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

/** A fill as Kalshi lists it, with what a test changes. */
export const kalshiFill = (changes: object): object => ({
  fill_id: 'f-1',
  order_id: 'o-1',
  ticker: 'KXTEST-26-T1',
  book_side: 'bid',
  count_fp: '2.00',
  yes_price_dollars: '0.4500',
  no_price_dollars: '0.5500',
  fee_cost: '0.0347',
  created_time: '2026-11-20T12:00:00Z',
  ...changes,
});
