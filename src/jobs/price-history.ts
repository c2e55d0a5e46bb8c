/**
 * Records prices each minute, and at intervals thins them and stores day-old prices. The leader of ingestion runs it.
 * On a development machine it also writes the past of the simulated exchange's markets.
 */
import type { Context } from '../context.ts';
import { inventHistory } from '../markets/prices/invent-history.ts';
import { noteDayOldPrices, recordPrices, thinPrices } from '../markets/prices/price-history.ts';

const MINUTE_MS = 60_000;
const THIN_EVERY_MINUTES = 10;

/** Starts at once and continues at each full minute. */
export function startPriceHistory({
  sql,
  clock,
  log,
  environment,
}: Pick<Context, 'sql' | 'clock' | 'log'> & Partial<Pick<Context, 'environment'>>): {
  close(): Promise<void>;
} {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let closed = false;

  async function tick(): Promise<void> {
    const now = clock.now();
    try {
      await recordPrices(sql, now);
      if (environment?.production === false) {
        await inventHistory(sql, now);
      }
      if (Math.floor(now.getTime() / MINUTE_MS) % THIN_EVERY_MINUTES === 0) {
        await thinPrices(sql, now);
        await noteDayOldPrices(sql, now);
      }
    } catch (error) {
      log.warn({ err: error }, 'could not record the prices of this minute');
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

  // A new catalogue needs a moment until its books arrive.
  schedule(Math.min(5_000, MINUTE_MS - (clock.now().getTime() % MINUTE_MS)));
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
