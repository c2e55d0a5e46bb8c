/** A service that follows two test venues, and what a customer sees of the contracts that both list. */
import { expect } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import type { Side } from '../../src/core/terms.ts';
import { openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { followVenue } from '../../src/markets/ingestion/follow-venue.ts';
import { until } from '../support/until.ts';
import { openWorld } from '../support/world.ts';
import type { TestVenue } from './test-venue.ts';

export type TwoVenues = Awaited<ReturnType<typeof followTwoVenues>>;

/** @param first is preferred where both cost the same */
export async function followTwoVenues(first: TestVenue, second: TestVenue) {
  const service = await openWorld();
  const log = createLog('silent');
  const { clock, board } = service.context;
  const writes = openBoardWrites({ sql: service.sql, log, clock, fence: null });
  service.add({ close: () => writes.close() });
  service.add(await followVenue({ venue: first, rank: 0, writes, clock, log }));
  service.add(await followVenue({ venue: second, rank: 1, writes, clock, log }));
  return {
    service,
    writes,
    /** Waits until orders of the contract go to the better of several venues, or no longer do. */
    async routable(contractId: string, wanted: boolean): Promise<void> {
      await until(
        async () => board.contracts.get(contractId)?.routable,
        (value) => value === wanted,
      );
    },
    async quote(contractId: string, side: Side) {
      const body = { marketId: contractId, side, action: 'buy', stake: 2 };
      const answer = await service.request('POST', '/api/v1/quotes', { user: 'ana', body });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    /** The contract as its event shows it. */
    async shown(contractId: string) {
      const { eventId } = board.contracts.get(contractId) ?? {};
      const answer = await service.request('GET', `/api/v1/events/${eventId}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data.outcomes[0];
    },
    close: () => service.close(),
  };
}
