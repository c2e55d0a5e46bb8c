/**
 * Feed ingestion as a job: of all workers on a database one leads and follows the venues; another takes over when it
 * goes. It starts, stops and elects; what is written is the business of markets/.
 */
import type { Context } from '../context.ts';
import { lead } from '../db/leader.ts';
import { createBoardWrites, retireVenues } from '../markets/board-writes.ts';
import { type Following, followVenue } from '../markets/follow-venue.ts';
import { locateVenues } from '../venues/addresses.ts';
import type { Venue } from '../venues/port.ts';
import { openVenues } from '../venues/registry.ts';
import { startPriceHistory } from './price-history.ts';

export type IngestContext = Pick<Context, 'sql' | 'databaseUrl' | 'clock' | 'log'>;

/** The advisory lock of whoever follows the venues. */
export const INGEST_LEADER_KEY = 7_316_001_000_000_003n;

/** Follows the venues of INLAY_VENUES, the first of them the primary one. */
export function startIngestion(context: Context): { close(): Promise<void> } {
  return startIngest(context, async () => openVenues(context.environment.venues, locateVenues(context.sql)).list);
}

/**
 * Returns at once; follows the venues whenever this process leads.
 * @param open makes the venues of the deployment afresh, in the order of INLAY_VENUES.
 */
export function startIngest(context: IngestContext, open: () => Promise<readonly Venue[]>): { close(): Promise<void> } {
  const stop = new AbortController();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const leadership = await lead(context.databaseUrl, 'inlay-ingest-leader', INGEST_LEADER_KEY, stop.signal);
      if (leadership === null) return;
      context.log.debug('this worker leads ingestion');
      const following = startFollowing(context, open).catch((error: unknown) => {
        context.log.error({ err: error }, 'the venues cannot be followed');
        return undefined;
      });
      await Promise.race([leadership.ended, raised(stop.signal)]);
      await (await following)?.close();
      await leadership.resign();
    }
  }

  const running = run().catch((error: unknown) => context.log.error({ err: error }, 'ingestion has stopped'));
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

async function startFollowing(
  context: IngestContext,
  open: () => Promise<readonly Venue[]>,
): Promise<{ close(): Promise<void> }> {
  const venues = await open();
  await retireVenues(
    context.sql,
    venues.map(({ name }) => name),
  );
  const writes = createBoardWrites(context);
  const history = startPriceHistory(context);
  const following: Following[] = [];
  for (const [rank, venue] of venues.entries()) {
    following.push(await followVenue({ ...context, venue, rank, writes }));
  }
  return {
    async close() {
      // Together: a catalogue that is being written waits for the writer, which may wait for a database that is away.
      await Promise.all([...following.map((one) => one.close()), writes.close(), history.close()]);
      await Promise.all(venues.map((venue) => venue.close()));
    },
  };
}

function raised(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
