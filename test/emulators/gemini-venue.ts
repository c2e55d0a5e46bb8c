/** An emulated Gemini with one contract and a key, and the adapter that trades there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/core/ids.ts';
import type { GeminiSettings } from '../../src/core/venue-settings.ts';
import { type GeminiEmulator, startGeminiEmulator } from '../../src/emulators/gemini/emulator.ts';
import { controlRequest } from '../../src/emulators/gemini/requests.ts';
import type { Account } from '../../src/emulators/gemini/state.ts';
import { venueIdOf } from '../../src/trading/execution/attempts.ts';
import { openGemini } from '../../src/venues/gemini/gemini.ts';
import type { OrderToPlace, Venue } from '../../src/venues/port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { type Exchange, FIRST_BOOK } from './exchange.ts';

export const KEY_ID = 'account-inlay';
export const SYMBOL = 'GEMI-TEST-T1';
const SECRET = 'a-secret-of-the-emulator';

/** Adds a key to the exchange. @param cash dollars. @returns the file that holds its secret */
export function newGeminiKey(emulator: GeminiEmulator, keyId = KEY_ID, cash = '1000'): string {
  emulator.control(controlRequest.parse({ do: 'key', keyId, secret: SECRET, cash }));
  return secretFileWith(SECRET);
}

export function secretFileWith(secret: string): string {
  const file = join(temporaryFolder('gemini'), 'secret');
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return file;
}

export interface GeminiExchange extends Exchange {
  readonly emulator: GeminiEmulator;
  readonly account: Account;
  readonly secretFile: string;
  /** @param url where the exchange is, if it is reached in another way */
  open(settings?: Partial<GeminiSettings>, url?: string): Venue;
}

/** An exchange with the contract `SYMBOL`. */
export async function openGeminiExchange(): Promise<GeminiExchange> {
  const emulator = await startGeminiEmulator(0, 1);
  const tell = (request: object) => emulator.control(controlRequest.parse(request));
  const secretFile = newGeminiKey(emulator);
  const list = (symbol: string, eventTicker: string) => {
    tell({ do: 'contract', symbol, eventTicker, title: 'T', expiresAt: '2099-01-01T00:00:00.000Z' });
    return symbol;
  };
  const setBook: Exchange['setBook'] = (bids, asks, symbol = SYMBOL) => tell({ do: 'book', symbol, bids, asks });
  list(SYMBOL, 'TEST');
  setBook(...FIRST_BOOK);
  const open = (settings: Partial<GeminiSettings> = {}, url = emulator.url) =>
    openGemini('gemini', async () => url, {
      ...VENUE_SETTINGS.gemini,
      url,
      streamUrl: emulator.url.replace('http', 'ws'),
      keyId: KEY_ID,
      secretFile,
      ...settings,
    });
  const venue = open();
  const account = emulator.state.accounts.get(KEY_ID) as Account;
  return {
    emulator,
    venue,
    account,
    secretFile,
    listingId: SYMBOL,
    paths: {
      send: 'POST /v1/prediction-markets/order',
      orders: 'POST /v1/prediction-markets/orders/history',
      fills: 'POST /v1/mytrades',
    },
    answersFills: true,
    bought: [
      [450_000n, 10_000_000n, 180_000n],
      [460_000n, 10_000_000n, 170_000n],
    ],
    tell,
    list: (name) => list(`GEMI-${name}-T1`, `GEMI-${name}-T1`),
    setBook,
    resolve: (outcome) => tell({ do: 'status', symbol: SYMBOL, status: 'settled', winner: outcome.toLowerCase() }),
    oddStatus() {
      const status = 'hibernating';
      Object.assign([...account.orders.values()].at(-1) ?? {}, { status });
      return status;
    },
    sayOddly() {
      tell({ do: 'stream_say', message: { e: 'weatherReport' } });
      tell({ do: 'stream_say', message: { e: 'contractStatus', s: 7 } });
      return ['stream message: weatherReport', 'stream message that cannot be read: contractStatus'];
    },
    order: async (changes) => geminiOrderOf(changes),
    taken: () => account.orders.size,
    cash: () => account.cash,
    held: () => account.positions.get(SYMBOL) ?? 0n,
    open,
    openReader: () => open({ keyId: undefined }),
    close: async () => {
      await venue.close();
      await emulator.close();
    },
  };
}

/** Buys 20 contracts at 0.46 or better, if nothing else is said. */
export function geminiOrderOf(changes: Partial<OrderToPlace> = {}): OrderToPlace {
  return {
    ourId: venueIdOf(newId('ord')),
    listingId: SYMBOL,
    side: 'YES',
    action: 'BUY',
    quantityMicros: 20_000_000n,
    limitPriceMicros: 460_000n,
    expiresAt: new Date(Date.now() + 30_000),
    ...changes,
  };
}
