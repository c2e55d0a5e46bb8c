/** A world that trades at an emulated exchange: its worker follows, sends and settles, and one tenant trades one listing. */
import { expect } from 'vitest';
import {
  type GeminiEmulator,
  listExamples as listGemini,
  startGeminiEmulator,
} from '../../src/emulators/gemini/emulator.ts';
import type { Account as GeminiAccount } from '../../src/emulators/gemini/state.ts';
import {
  type KalshiEmulator,
  listExamples as listKalshi,
  startKalshiEmulator,
} from '../../src/emulators/kalshi/emulator.ts';
import type { Account as KalshiAccount } from '../../src/emulators/kalshi/state.ts';
import { marketNamed } from '../../src/emulators/polymarket/control.ts';
import {
  listExamples as listPolymarket,
  type PolymarketEmulator,
  startPolymarketEmulator,
} from '../../src/emulators/polymarket/emulator.ts';
import { controlRequest as polymarketRequest } from '../../src/emulators/polymarket/requests.ts';
import type { Market, Account as PolymarketAccount } from '../../src/emulators/polymarket/state.ts';
import { startIngestion } from '../../src/jobs/ingest.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { until } from '../support/until.ts';
import { openWorld } from '../support/world.ts';
import type { ExchangeName } from './every-exchange.ts';
import { KEY_ID, newGeminiKey } from './gemini-venue.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { KEY, keyFileWith, SIGNER } from './polymarket-venue.ts';

/** How long an exchange may take to show, fill or pay something. */
const SLOWEST_MS = 40_000;

export type LiveExchange = Awaited<ReturnType<typeof startLiveExchange>>;

/** @param listingId the listing that the tenant trades. @param environment where the exchange is, and our credentials there */
export async function startLiveExchange(venue: string, listingId: string, environment: Record<string, string>) {
  const service = await openWorld({ environment: { INLAY_VENUES: venue, ...environment } });
  const worker = service.openWorker();
  service.add(startIngestion(worker));
  service.add(await startTransmission(worker));
  service.add(await startSettlement(worker));
  const { contractId } = await service.listed(venue, listingId);
  const tenant = await service.tenant();

  /** Quotes until the venue's gate is open and its prices are known, then orders. */
  async function place(quote: object, order: object = { reserveReference: 'held' }) {
    await until(async () => expect((await tenant.quote('ann', quote)).status).toBe(200), SLOWEST_MS);
    return tenant.place('ann', order, quote);
  }

  return {
    service,
    contractId,
    tenant,
    place,
    /** Places an order, and waits until it has this status. @returns its id */
    async placed(quote: object, status = 'filled'): Promise<string> {
      const { body, text } = await place(quote);
      const orderId: string = body.orderId ?? body.error?.details?.orderId;
      expect(orderId, text).toBeDefined();
      await until(async () => expect((await tenant.read(orderId)).status).toBe(status), SLOWEST_MS);
      return orderId;
    },
    /** Micro-contracts of the tenant's positions. */
    async quantity(): Promise<bigint | undefined> {
      const [row] = await service.sql<{ quantityMicros: bigint }[]>`
        select coalesce(sum(quantity_micros), 0)::bigint as quantity_micros from positions where operator_id = ${tenant.operator.operatorId}`;
      return row?.quantityMicros;
    },
    close: () => service.close(),
  };
}

/** What every table of tests needs of an exchange at which a world trades. */
export interface LiveAccount {
  /** `METHOD path` of the request that sends an order. */
  readonly send: string;
  /** How many orders the exchange has taken. */
  taken(): number;
  /** Micro-contracts of the listing that our account holds. */
  held(): bigint;
  /** Fees that our account has paid, in micro-dollars. */
  fees(): bigint;
  /** The listing has the result YES, and what it pays is in our account. */
  resolve(): void;
}

const sumOf = (items: readonly { readonly fee: bigint }[]) => items.reduce((sum, { fee }) => sum + fee, 0n);

export const TICKER = 'KXEXAMPLE-RAIN';

export interface LiveKalshi extends LiveExchange, LiveAccount {
  readonly emulator: KalshiEmulator;
  /** What the exchange knows of our account. */
  account(): KalshiAccount;
}

/** An emulated Kalshi with its example markets, of which the tenant trades `TICKER`. */
export async function startLiveKalshi(): Promise<LiveKalshi> {
  const emulator = await startKalshiEmulator();
  listKalshi(emulator);
  const exchange = await startLiveExchange('kalshi', TICKER, {
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: 'key-1',
    INLAY_KALSHI_PRIVATE_KEY_FILE: newKalshiKey(emulator, 'key-1'),
  });
  const account = () => emulator.state.accounts.get('key-1') as KalshiAccount;
  return {
    ...exchange,
    emulator,
    account,
    send: 'POST /portfolio/events/orders',
    taken: () => account().orders.size,
    held: () => account().positions.get(TICKER) ?? 0n,
    fees: () => sumOf(account().fills),
    resolve: () =>
      emulator.control({
        do: 'status',
        ticker: TICKER,
        status: 'finalized',
        result: 'yes',
        settlementValue: 1_000_000n,
      }),
    close: async () => {
      await exchange.close();
      await emulator.close();
    },
  };
}

export interface LivePolymarket extends LiveExchange, LiveAccount {
  readonly emulator: PolymarketEmulator;
  /** The market `rain`, of which the tenant trades the first outcome. */
  readonly market: Market;
  readonly account: PolymarketAccount;
  tell(request: object): void;
}

/** An emulated Polymarket with its example markets. */
export async function startLivePolymarket(): Promise<LivePolymarket> {
  const emulator = await startPolymarketEmulator(0, 1);
  listPolymarket(emulator);
  const tell = (request: object) => emulator.control(polymarketRequest.parse(request));
  const market = marketNamed(emulator.state, 'rain');
  tell({ do: 'wallet', signer: SIGNER, cash: '1000' });
  const account = emulator.state.accounts.get(SIGNER.toLowerCase()) as PolymarketAccount;
  const exchange = await startLiveExchange('polymarket', market.tokens[0], {
    INLAY_POLYMARKET_URL: emulator.url,
    INLAY_POLYMARKET_CATALOGUE_URL: emulator.url,
    INLAY_POLYMARKET_DATA_URL: emulator.url,
    INLAY_POLYMARKET_PRIVATE_KEY_FILE: keyFileWith(KEY),
  });
  return {
    ...exchange,
    emulator,
    market,
    account,
    tell,
    send: 'POST /order',
    taken: () => account.orders.size,
    held: () => account.shares.get(market.tokens[0]) ?? 0n,
    fees: () => sumOf(account.trades),
    resolve() {
      tell({ do: 'oracle', name: 'rain', status: 'resolved', payout: ['1', '0'] });
      tell({ do: 'redeem' });
    },
    close: async () => {
      await exchange.close();
      await emulator.close();
    },
  };
}

export const RAIN = 'GEMI-EXAMPLE-RAIN';

export interface LiveGemini extends LiveExchange, LiveAccount {
  readonly emulator: GeminiEmulator;
  readonly account: GeminiAccount;
  readonly secretFile: string;
}

/** An emulated Gemini with its example contracts, of which the tenant trades `RAIN`. */
export async function startLiveGemini(): Promise<LiveGemini> {
  const emulator = await startGeminiEmulator();
  listGemini(emulator);
  const secretFile = newGeminiKey(emulator);
  const exchange = await startLiveExchange('gemini', RAIN, {
    INLAY_GEMINI_URL: emulator.url,
    INLAY_GEMINI_KEY_ID: KEY_ID,
    INLAY_GEMINI_SECRET_FILE: secretFile,
  });
  const account = emulator.state.accounts.get(KEY_ID) as GeminiAccount;
  return {
    ...exchange,
    emulator,
    account,
    secretFile,
    send: 'POST /v1/prediction-markets/order',
    taken: () => account.orders.size,
    held: () => account.positions.get(RAIN) ?? 0n,
    fees: () => sumOf(account.trades),
    resolve: () => emulator.control({ do: 'status', symbol: RAIN, status: 'settled', winner: 'yes' }),
    close: async () => {
      await exchange.close();
      await emulator.close();
    },
  };
}

type Live = LiveExchange & LiveAccount & { readonly emulator: Pick<KalshiEmulator, 'faults'> };

export const LIVE: readonly (readonly [name: ExchangeName, start: () => Promise<Live>])[] = [
  ['kalshi', startLiveKalshi],
  ['polymarket', startLivePolymarket],
  ['gemini', startLiveGemini],
];
