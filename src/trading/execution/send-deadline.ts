/**
 * Keeps an attempt from the wire once time has passed since it was written down: by then others may be asking the venue about
 * it. Two clocks are looked at, because the one that nobody sets may stand still while a machine sleeps.
 */
import type { Clock, Ticks } from '../../core/clock.ts';
import type { MayWrite } from '../../venues/order.ts';

/** Below the time after which an attempt is asked about, and far below its own expiry at the venue. */
const MOST_MS = 5_000;

/** @returns whether less than that has passed since this call. */
export function openFence(clock: Clock, ticks: Ticks): MayWrite {
  const tick = ticks();
  const moment = clock.now().getTime();
  return () => ticks() - tick < MOST_MS && Math.abs(clock.now().getTime() - moment) < MOST_MS;
}
