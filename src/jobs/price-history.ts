/** Records prices each minute, and at intervals thins them and stores day-old prices. The leader of ingestion runs it. */
import type { Context } from '../context.ts';
import { noteDayOldPrices, recordPrices, thinPrices } from '../markets/prices/price-history.ts';

const MINUTE_MS = 60_000;
const THIN_EVERY_MINUTES = 10;
/** The books of a new catalogue need some seconds to arrive. */
const FIRST_MS = 5_000;

/** Starts within seconds and continues at each full minute. */
export function startPriceHistory({ sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>): {
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

  schedule(Math.min(FIRST_MS, MINUTE_MS - (clock.now().getTime() % MINUTE_MS)));
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
