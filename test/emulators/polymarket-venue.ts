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
import { type Exchange, FIRST_BOOK } from './exchange.ts';

/** Public test keys of Hardhat and Anvil, accounts 0 and 1; nobody may fund them. */
export const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const SIGNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const OTHER_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

export function keyFileWith(key: string): string {
  const file = join(temporaryFolder('polymarket'), 'wallet.key');
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return file;
}

export interface PolymarketExchange extends Exchange {
  readonly emulator: PolymarketEmulator;
  readonly market: Market;
  readonly account: Account;
  readonly keyFile: string;
  open(settings?: Partial<PolymarketSettings>): Venue;
}

/** An exchange with the market `t`, whose trades are confirmed at once. */
export async function openPolymarketExchange(): Promise<PolymarketExchange> {
  const emulator = await startPolymarketEmulator(0, 1);
  const tell = (request: object) => emulator.control(controlRequest.parse(request));
  const keyFile = keyFileWith(KEY);
  tell({ do: 'wallet', signer: SIGNER, cash: '1000' });
  tell({ do: 'settlement', minedMs: 0, finalMs: 0 });
  tell({ do: 'market', name: 't', title: 'T', closeTime: '2099-01-01T00:00:00Z', feeRate: '0.05' });
  const [bids, asks] = FIRST_BOOK;
  tell({ do: 'book', name: 't', bids, asks });
  const open = (settings: Partial<PolymarketSettings> = {}) =>
    openPolymarket('polymarket', async () => emulator.url, {
      ...VENUE_SETTINGS.polymarket,
      privateKeyFile: keyFile,
      streamUrl: emulator.url.replace('http', 'ws'),
      ...settings,
    });
  const venue = open();
  const market = marketNamed(emulator.state, 't');
  const account = emulator.state.accounts.get(SIGNER.toLowerCase()) as Account;
  const [yes, no] = market.tokens;
  const nameOf = (listingId: string) =>
    [...emulator.state.markets].find(([, { tokens }]) => tokens[0] === listingId)?.[0];
  return {
    emulator,
    venue,
    market,
    account,
    keyFile,
    listingId: yes,
    paths: { send: 'POST /order', orders: 'GET /data/order', fills: 'GET /data/trades' },
    // what is left of 9.20 dollars buys more at the second price
    answersFills: false,
    bought: [
      [450_000n, 10_000_000n, 123_750n],
      [460_000n, 10_217_391n, 126_890n],
    ],
    tell,
    list(name) {
      tell({ do: 'market', name, title: name, closeTime: '2099-01-01T00:00:00Z' });
      return marketNamed(emulator.state, name).tokens[0];
    },
    setBook: (some, others, listingId = yes) => tell({ do: 'book', name: nameOf(listingId), bids: some, asks: others }),
    resolve: (outcome) =>
      tell({ do: 'oracle', name: 't', status: 'resolved', payout: outcome === 'YES' ? ['1', '0'] : ['0', '1'] }),
    oddStatus() {
      const status = 'HIBERNATING';
      Object.assign([...account.orders.values()].at(-1) ?? {}, { status });
      return status;
    },
    sayOddly() {
      tell({ do: 'stream_say', message: { event_type: 'weather_report' } });
      tell({ do: 'stream_say', message: { event_type: 'last_trade_price', asset_id: yes, side: 'MINT' } });
      tell({ do: 'stream_say', message: { event_type: 'best_bid_ask', asset_id: yes } });
      return ['stream message: weather_report', 'stream message that cannot be read: last_trade_price'];
    },
    order(changes = {}) {
      const { spendMicros: _, ...one } = orderOf({ market }, changes);
      const dollars =
        one.action === 'BUY' ? { spendMicros: (one.quantityMicros * one.limitPriceMicros) / 1_000_000n } : {};
      return prepare(venue, { ...one, ...dollars });
    },
    taken: () => account.orders.size,
    cash: () => account.cash,
    held: () => (account.shares.get(yes) ?? 0n) - (account.shares.get(no) ?? 0n),
    open,
    openReader: () => open({ privateKeyFile: undefined }),
    close: async () => {
      await venue.close();
      await emulator.close();
    },
  };
}

/** Buys for 9.20 dollars at 0.46 or better, if nothing else is said. */
export function orderOf(
  { market }: Pick<PolymarketExchange, 'market'>,
  changes: Partial<OrderToPlace> = {},
): OrderToPlace {
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

/** A list of one trade as Polymarket answers with it, with what a test changes. */
export const polymarketTrades = (changes: object): object => ({
  data: [
    {
      id: 'trade-1',
      taker_order_id: '0x1',
      asset_id: '1',
      side: 'BUY',
      size: '5',
      price: '0.5',
      status: 'CONFIRMED',
      match_time: '1780000000',
      trader_side: 'TAKER',
      ...changes,
    },
  ],
  next_cursor: 'LTE=',
});
