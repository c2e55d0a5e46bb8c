/**
 * Records prices each minute, and at intervals thins them and stores day-old prices. The leader of ingestion runs it.
 * On a development machine it also writes the past of the simulated exchange's markets.
 */
import type { Context } from '../context.ts';
import { inventHistory } from '../markets/prices/invent-history.ts';
import { noteDayOldPrices, recordPrices, thinPrices } from '../markets/prices/price-history.ts';

const MINUTE_MS = 60_000;
const THIN_EVERY_MINUTES = 10;
/** The books of a new catalogue need some seconds to arrive. */
const FIRST_MS = 5_000;
/** On a development machine the first visitor is there at once: prices are recorded at this interval until no more contracts get one. */
const ARRIVING_MS = 500;
const TICKS_WITHOUT_NEW = 4;
const MOST_ARRIVING_TICKS = 40;

/** Starts within seconds and continues at each full minute. */
export function startPriceHistory({
  sql,
  clock,
  log,
  environment,
}: Pick<Context, 'sql' | 'clock' | 'log'> & Partial<Pick<Context, 'environment'>>): {
  close(): Promise<void>;
} {
  const hasInventedPast = environment?.production === false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let closed = false;
  let ticks = 0;
  let ticksWithoutNew = 0;
  let priced = 0;

  async function tick(): Promise<void> {
    const now = clock.now();
    let isArriving = false;
    try {
      const count = await recordPrices(sql, now);
      ticks += 1;
      ticksWithoutNew = count === 0 || count > priced ? 0 : ticksWithoutNew + 1;
      isArriving = hasInventedPast && ticks < MOST_ARRIVING_TICKS && ticksWithoutNew < TICKS_WITHOUT_NEW;
      priced = count;
      if (hasInventedPast) {
        await inventHistory(sql, now, () => !closed);
      }
      if (Math.floor(now.getTime() / MINUTE_MS) % THIN_EVERY_MINUTES === 0) {
        await thinPrices(sql, now);
        await noteDayOldPrices(sql, now);
      }
    } catch (error) {
      log.warn({ err: error }, 'could not record the prices of this minute');
    }
    if (!closed) {
      schedule(isArriving ? ARRIVING_MS : MINUTE_MS - (clock.now().getTime() % MINUTE_MS));
    }
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => {
      running = tick();
    }, ms);
  }

  schedule(hasInventedPast ? ARRIVING_MS : Math.min(FIRST_MS, MINUTE_MS - (clock.now().getTime() % MINUTE_MS)));
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
