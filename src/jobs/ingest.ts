/**
 * Follows the venues and records their prices, as a job: one worker on a database holds the lease of ingestion, and another
 * takes over when its heartbeat stops. A leader that cannot start, or whose writes stall, gives up the lease and retries
 * after a pause. This file starts, stops and elects; markets/ decides what is written.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { acquireLease, type Lease } from '../db/lease.ts';
import { INGEST_LEASE, openBoardWrites, retireVenues } from '../markets/ingestion/board-writes.ts';
import { followVenue } from '../markets/ingestion/follow-venue.ts';
import { noteDayOldPrices, recordPrices, thinPrices } from '../markets/prices/price-history.ts';
import type { Venue } from '../venues/port.ts';
import { openDeployedVenues } from '../venues/registry.ts';
import { startUnknownWords } from './transmit.ts';

type IngestContext = Pick<Context, 'sql' | 'databaseUrl' | 'clock' | 'log'>;

type OpenVenues = () => readonly Venue[];

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
/** After a leader has followed the venues for this long, the next pause is short again. */
const STEADY_MS = 60_000;
/** A write that takes longer ends the leadership. If it still arrives, the next epoch makes it void. */
const STALL_MS = 15_000;
const WATCH_MS = 1_000;
/** After this time, connections that have not closed are abandoned. Their writes carry an epoch that is no longer valid. */
const CLOSE_MS = 5_000;

/** Follows the venues of INLAY_VENUES. The first is the primary one. */
export function startIngestion(context: Context): { close(): Promise<void> } {
  return startIngest(context, () => openDeployedVenues(context).list);
}

/**
 * Returns at once; follows the venues whenever this process leads.
 * @param open opens the venues of the deployment, in the order of INLAY_VENUES
 */
export function startIngest(context: IngestContext, open: OpenVenues): { close(): Promise<void> } {
  const { log, databaseUrl } = context;
  const stop = new AbortController();
  const { signal } = stop;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

  async function run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      const lease = await acquireLease({
        url: databaseUrl,
        applicationName: 'inlay-ingest-leader',
        name: INGEST_LEASE,
        signal,
      });
      if (lease === null) {
        return;
      }
      log.debug({ epoch: lease.fence.epoch.toString() }, 'this worker leads ingestion');
      const since = performance.now();
      const failure = await leadUntilEnded(lease);
      await lease.resign();
      if (failure === undefined || signal.aborted) {
        continue;
      }
      if (performance.now() - since > STEADY_MS) {
        retryMs = FIRST_RETRY_MS;
      }
      log.error({ err: failure, retryMs }, 'ingestion failed; this worker gives up its lease and will retry');
      await Promise.race([sleep(retryMs), stopped]);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }
  }

  /** @returns the failure, or undefined if the lease ended or the worker stops */
  async function leadUntilEnded(lease: Lease): Promise<unknown> {
    const closing = openClosing();
    try {
      return await Promise.race([
        follow(context, open, lease, closing),
        lease.ended.then((how) => {
          if (how === 'lost') {
            log.warn('the lease of ingestion was lost; another worker may lead now');
          }
        }),
        stopped,
      ]);
    } catch (error) {
      return error;
    } finally {
      const rest = sleep(CLOSE_MS, 'late' as const, { ref: false });
      const closed = closing
        .close()
        .catch((error: unknown) => log.warn({ err: error }, 'ingestion failed while it closed'));
      if ((await Promise.race([closed, rest])) === 'late') {
        log.warn('ingestion did not close in time');
      }
    }
  }

  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

/**
 * Follows the venues until something fails.
 * @param closing receives the connections that are opened
 * @returns the failure; rejects with one that occurs at the start
 */
async function follow(context: IngestContext, open: OpenVenues, lease: Lease, closing: Closing): Promise<Error> {
  const { fence } = lease;
  const venues = open();
  for (const venue of venues) {
    closing.add(() => venue.close());
  }
  await retireVenues(
    context.sql,
    venues.map(({ name }) => name),
    fence,
  );
  const writes = openBoardWrites({ ...context, fence });
  closing.add(() => writes.close());
  const history = startPriceHistory(context);
  closing.add(() => history.close());
  const words = startUnknownWords(context.sql, context.log, venues);
  closing.add(() => words.close());
  for (const [rank, venue] of venues.entries()) {
    const following = await followVenue({ ...context, venue, rank, writes });
    closing.add(() => following.close());
  }
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (writes.stalledMs() > STALL_MS) {
        resolve(new Error(`a write was not committed within ${STALL_MS} ms`));
      }
    }, WATCH_MS);
    closing.add(async () => clearInterval(watch));
    writes.superseded.then(() => resolve(new Error('another process has taken the lease')), resolve);
  });
}

interface Closing {
  /** @param close called with the others, or at once if they are closed already */
  add(close: () => Promise<unknown>): void;
  close(): Promise<void>;
}

function openClosing(): Closing {
  const closers: (() => Promise<unknown>)[] = [];
  let closed = false;
  return {
    add(close) {
      if (closed) {
        close().catch(() => {});
      } else {
        closers.push(close);
      }
    },
    async close() {
      closed = true;
      // All at once, because a catalogue that is being written waits for the writer, which may wait for the database.
      await Promise.all(closers.map((close) => close()));
    },
  };
}

const MINUTE_MS = 60_000;
const THIN_EVERY_MINUTES = 10;
/** The books of a new catalogue need some seconds to arrive. */
const FIRST_PRICES_MS = 5_000;

/**
 * Records prices within seconds and then at each full minute, and at intervals thins them and stores day-old prices.
 */
function startPriceHistory({ sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>): {
  close(): Promise<void>;
} {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let closed = false;

  async function tick(): Promise<void> {
    const now = clock.now();
    try {
      await recordPrices(sql, now);
      if (Math.floor(now.getTime() / MINUTE_MS) % THIN_EVERY_MINUTES === 0) {
        await thinPrices(sql, now);
        await noteDayOldPrices(sql, now);
      }
    } catch (error) {
      log.warn({ err: error }, 'could not record the prices of this minute; will continue with the next');
    }
    if (!closed) {
      schedule(MINUTE_MS - (clock.now().getTime() % MINUTE_MS));
    }
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => {
      running = tick();
    }, ms);
  }

  schedule(Math.min(FIRST_PRICES_MS, MINUTE_MS - (clock.now().getTime() % MINUTE_MS)));
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
