/**
 * Tests of what begins again with the clock: counts of requests with each minute, days of a statement with midnight (UTC). What they count
 * must fall into one minute or day, however busy the machine is.
 */
import { timePasses } from './until.ts';

const MINUTE_MS = 60_000;
/** The clocks of the database and of a process that counts differ by less. */
const MARGIN_MS = 1_000;

/**
 * Runs a scenario in one minute. If the minute ends meanwhile, its result or failure counts for nothing, and it runs again in the next
 * minute that is whole, in which the same subjects have counted nothing yet.
 * @param seconds that it takes; with less left, it waits for the next minute
 */
export async function inOneMinute<T>(seconds: number, scenario: () => Promise<T>): Promise<T> {
  for (let leftMs = seconds * 1_000 + MARGIN_MS; ; leftMs = MINUTE_MS) {
    await untilRoom(leftMs);
    const minute = minuteAt(Date.now());
    const ended = await scenario().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (minuteAt(Date.now() + MARGIN_MS) === minute) {
      if ('error' in ended) {
        throw ended.error;
      }
      return ended.value;
    }
  }
}

const DAY_MS = 86_400_000;

/** Waits for the next day (UTC) if this one ends within two minutes. */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < 2 * MINUTE_MS) {
    await timePasses(leftMs + MARGIN_MS);
  }
}

const minuteAt = (ms: number): number => Math.floor(ms / MINUTE_MS);

async function untilRoom(leftMs: number): Promise<void> {
  const passed = Date.now() % MINUTE_MS;
  if (passed < MARGIN_MS) {
    await timePasses(MARGIN_MS - passed);
  } else if (MINUTE_MS - passed < leftMs) {
    await timePasses(MINUTE_MS - passed + MARGIN_MS);
  }
}
