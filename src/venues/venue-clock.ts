/**
 * The time that is written into signatures: that of the venue, as it was measured, and not that of this machine. A venue refuses a
 * signature whose time is far from its own, so with a wrong clock here not even a look-up would be answered.
 */
import { type ClockOffset, measureOffset, offsetNow, systemClock, systemTicks } from '../core/time.ts';

const GOOD_MS = 60_000;
const RETRY_MS = 5_000;
/** Both venues name whole seconds, so a smaller offset is none. */
const LEAST_MS = 1_000;

export interface VenueClock {
  /** Milliseconds since 1970 on the venue's clock, as far as it is known. Measures it in the background if that is due. */
  now(): number;
  /** The same, after the first measurement. */
  measured(): Promise<number>;
}

/** @param ask reads the venue's clock with a request that carries no signature */
export function openVenueClock(ask: () => Promise<Date>): VenueClock {
  const ports = { clock: systemClock, ticks: systemTicks };
  let offset: ClockOffset | undefined;
  let measuring: Promise<void> | undefined;
  let nextAt = 0;

  function measure(): Promise<void> {
    if (measuring === undefined && systemTicks() >= nextAt) {
      measuring = measureOffset(ports, ask)
        .then(
          (found) => {
            offset = found;
            nextAt = systemTicks() + GOOD_MS;
          },
          // what was known before is used until then
          () => {
            nextAt = systemTicks() + RETRY_MS;
          },
        )
        .finally(() => {
          measuring = undefined;
        });
    }
    return measuring ?? Promise.resolve();
  }

  function read(): number {
    const ms = offset === undefined ? 0 : offsetNow(offset, ports);
    return systemClock.now().getTime() + (Math.abs(ms) < LEAST_MS ? 0 : Math.round(ms));
  }

  return {
    now() {
      measure();
      return read();
    },
    async measured() {
      const running = measure();
      if (offset === undefined) {
        await running;
      }
      return read();
    },
  };
}
