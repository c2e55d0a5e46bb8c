/** An emulated Polymarket with one market and a wallet, and the adapter that trades there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/core/ids.ts';
import type { PolymarketSettings } from '../../src/core/venue-settings.ts';
import { marketNamed } from '../../src/emulators/polymarket/control.ts';
import { type PolymarketEmulator, startPolymarketEmulator } from '../../src/emulators/polymarket/emulator.ts';
import { controlRequest } from '../../src/emulators/polymarket/requests.ts';
import type { Account, Market } from '../../src/emulators/polymarket/state.ts';
import { venueIdOf } from '../../src/trading/execution/attempts.ts';
import { openPolymarket } from '../../src/venues/polymarket/polymarket.ts';
import type { OrderToPlace, PlaceAnswer, SentOrder, Venue } from '../../src/venues/port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';

/** Public test keys of Hardhat and Anvil, accounts 0 and 1; nobody may fund them. */
export const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const SIGNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const OTHER_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

export function keyFileWith(key: string): string {
  const file = join(temporaryFolder('polymarket'), 'wallet.key');
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return file;
}

export interface Exchange {
  readonly emulator: PolymarketEmulator;
  readonly venue: Venue;
  readonly market: Market;
  readonly account: Account;
  readonly keyFile: string;
  tell(request: object): void;
  open(settings?: Partial<PolymarketSettings>): Venue;
  close(): Promise<void>;
}

/** The market `t` costs 0.45 for 10 shares and 0.46 for 100, and is bid 0.40 for 50. */
export async function openExchange(): Promise<Exchange> {
  const emulator = await startPolymarketEmulator(0, 1);
  const tell = (request: object) => emulator.control(controlRequest.parse(request));
  const keyFile = keyFileWith(KEY);
  tell({ do: 'wallet', signer: SIGNER, cash: '1000' });
  tell({ do: 'settlement', minedMs: 0, finalMs: 0 });
  tell({ do: 'market', name: 't', title: 'T', closeTime: '2099-01-01T00:00:00Z', feeRate: '0.05' });
  tell({
    do: 'book',
    name: 't',
    bids: [['0.40', '50']],
    asks: [
      ['0.45', '10'],
      ['0.46', '100'],
    ],
  });
  const open = (settings: Partial<PolymarketSettings> = {}) =>
    openPolymarket('polymarket', async () => emulator.url, {
      ...VENUE_SETTINGS.polymarket,
      privateKeyFile: keyFile,
      streamUrl: emulator.url.replace('http', 'ws'),
      ...settings,
    });
  const venue = open();
  return {
    emulator,
    venue,
    market: marketNamed(emulator.state, 't'),
    account: emulator.state.accounts.get(SIGNER.toLowerCase()) as Account,
    keyFile,
    tell,
    open,
    close: async () => {
      await venue.close();
      await emulator.close();
    },
  };
}

/** Buys for 9.20 dollars at 0.46 or better, if nothing else is said. */
export function orderOf({ market }: Pick<Exchange, 'market'>, changes: Partial<OrderToPlace> = {}): OrderToPlace {
  return {
    ourId: venueIdOf(newId('ord')),
    listingId: market.tokens[0],
    side: 'YES',
    action: 'BUY',
    quantityMicros: 20_000_000n,
    limitPriceMicros: 460_000n,
    spendMicros: 9_200_000n,
    expiresAt: new Date(Date.now() + 30_000),
    ...changes,
  };
}

export interface Prepared extends OrderToPlace, SentOrder {
  readonly venueRef: string;
}

export async function prepare(venue: Venue, order: OrderToPlace): Promise<Prepared> {
  const prepared = await venue.prepareOrder?.(order);
  if (prepared == null || 'unfit' in prepared) {
    throw new Error(`not prepared: ${prepared?.unfit}`);
  }
  return { ...order, prepared, venueRef: prepared.venueRef, terms: prepared.terms };
}

export async function send(venue: Venue, order: OrderToPlace): Promise<PlaceAnswer> {
  return venue.placeOrder(await prepare(venue, order), () => true);
}
