/** A world that trades at an emulated exchange: its worker follows, sends and settles, and one tenant trades one listing. */
import { expect } from 'vitest';
import { type KalshiEmulator, listExamples, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { startIngestion } from '../../src/jobs/ingest.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { until } from '../support/until.ts';
import { openWorld } from '../support/world.ts';
import { newKalshiKey } from './kalshi-venue.ts';

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
  return {
    service,
    contractId,
    tenant,
    /** Quotes until the venue's gate is open and its prices are known, then orders. */
    async place(quote: object, order: object = { reserveReference: 'held' }) {
      await until(async () => expect((await tenant.quote('ann', quote)).status).toBe(200), SLOWEST_MS);
      return tenant.place('ann', order, quote);
    },
    close: () => service.close(),
  };
}

export const TICKER = 'KXEXAMPLE-RAIN';

export interface LiveKalshi extends LiveExchange {
  readonly emulator: KalshiEmulator;
  /** What the exchange knows of our account. */
  account(): NonNullable<ReturnType<KalshiEmulator['state']['accounts']['get']>>;
}

/** An emulated Kalshi with its example markets, of which the tenant trades `TICKER`. */
export async function startLiveKalshi(): Promise<LiveKalshi> {
  const emulator = await startKalshiEmulator();
  listExamples(emulator);
  const exchange = await startLiveExchange('kalshi', TICKER, {
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: 'key-1',
    INLAY_KALSHI_PRIVATE_KEY_FILE: newKalshiKey(emulator, 'key-1'),
  });
  return {
    ...exchange,
    emulator,
    account: () => emulator.state.accounts.get('key-1') as ReturnType<LiveKalshi['account']>,
    close: async () => {
      await exchange.close();
      await emulator.close();
    },
  };
}
