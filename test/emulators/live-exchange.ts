/** A whole service that trades at an emulated exchange: its worker follows, sends and settles, and one tenant trades one listing. */
import { expect } from 'vitest';
import { openContext } from '../../src/context.ts';
import { startIngestion } from '../../src/jobs/ingest.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { openTenant } from '../support/live.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** How long an exchange may take to show, fill or pay something. */
const SLOWEST = { timeout: 40_000, interval: 250 };

export type LiveExchange = Awaited<ReturnType<typeof startLiveExchange>>;

/** @param listingId the listing that the tenant trades. @param environment where the exchange is, and our credentials there */
export async function startLiveExchange(venue: string, listingId: string, environment: Record<string, string>) {
  const service = await startTestService({ environment: { INLAY_VENUES: venue, ...environment } });
  const worker = openContext(service.context.environment, service.database.url, 'worker');
  const running = [startIngestion(worker), await startTransmission(worker), await startSettlement(worker), worker];
  let contractId = '';
  const books = async () => {
    const [row] = await service.sql<{ contractId: string }[]>`
      select contract_id from listings where venue = ${venue} and listing_id = ${listingId}`;
    contractId = row?.contractId ?? '';
    return service.context.board.contracts.get(contractId)?.books.length ?? 0;
  };
  await until(books, (count) => count === 1, 50_000);
  const tenant = await openTenant(service, { contractId });
  return {
    service,
    contractId,
    tenant,
    /** Quotes until the venue's gate is open and its prices are known, then orders. */
    async place(quote: object, order: object = { reserveReference: 'held' }) {
      await expect.poll(async () => (await tenant.quote('ann', quote)).status, SLOWEST).toBe(200);
      return tenant.place('ann', order, quote);
    },
    async close(): Promise<void> {
      for (const one of running) {
        await one.close();
      }
      await service.close();
    },
  };
}
