/** How far another clock is from this process's: asked once, with the time that the question took as its uncertainty. */
import type { Clock, Ticks } from './clock.ts';

export interface ClockOffset {
  /** The other clock less ours, milliseconds. */
  readonly offsetMs: number;
  /** The offset may be this much more or less. */
  readonly errorMs: number;
  /** When it was measured, by the clock that nobody sets. */
  readonly tick: number;
  /** What our clock said then. */
  readonly moment: number;
}

/** @param ask reads the other clock. */
export async function measureOffset(
  { clock, ticks }: { readonly clock: Clock; readonly ticks: Ticks },
  ask: () => Promise<Date>,
): Promise<ClockOffset> {
  const asked = ticks();
  const other = (await ask()).getTime();
  const tick = ticks();
  const errorMs = (tick - asked) / 2;
  const moment = clock.now().getTime();
  return { offsetMs: other - (moment - errorMs), errorMs, tick, moment };
}

/** @returns the offset as it is now, where our clock was set since it was measured. */
export function offsetNow(
  offset: ClockOffset,
  { clock, ticks }: { readonly clock: Clock; readonly ticks: Ticks },
): number {
  const set = clock.now().getTime() - offset.moment - (ticks() - offset.tick);
  return offset.offsetMs - set;
}
