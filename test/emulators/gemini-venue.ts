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

export interface GeminiExchange {
  readonly emulator: GeminiEmulator;
  readonly venue: Venue;
  readonly account: Account;
  readonly secretFile: string;
  tell(request: object): void;
  /** @param url where the exchange is, if it is reached in another way */
  open(settings?: Partial<GeminiSettings>, url?: string): Venue;
  close(): Promise<void>;
}

/** The contract costs 0.45 for 10 and 0.46 for 100, and is bid 0.40 for 50. */
export async function openGeminiExchange(): Promise<GeminiExchange> {
  const emulator = await startGeminiEmulator(0, 1);
  const tell = (request: object) => emulator.control(controlRequest.parse(request));
  const secretFile = newGeminiKey(emulator);
  tell({ do: 'contract', symbol: SYMBOL, eventTicker: 'TEST', title: 'T', expiresAt: '2099-01-01T00:00:00.000Z' });
  tell({
    do: 'book',
    symbol: SYMBOL,
    bids: [['0.40', '50']],
    asks: [
      ['0.45', '10'],
      ['0.46', '100'],
    ],
  });
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
  return {
    emulator,
    venue,
    account: emulator.state.accounts.get(KEY_ID) as Account,
    secretFile,
    tell,
    open,
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
