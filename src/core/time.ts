/** Time as a value that is passed in: wall clocks, monotonic clocks, the offset of another clock, and names of time zones. */

/** A wall clock. It is passed in, so that no rule reads the time of the machine directly. */
export interface Clock {
  now(): Date;
}

/** Milliseconds of a monotonic clock; only differences have a meaning. */
export type Ticks = () => number;

export const systemTicks: Ticks = () => performance.now();

export const systemClock: Clock = { now: () => new Date() };

/** How far another clock is from the clock of this process. The round trip of the request bounds the error. */
export interface ClockOffset {
  /** The other clock minus our clock, in milliseconds. */
  readonly offsetMs: number;
  /** The largest error of the offset, in milliseconds. */
  readonly errorMs: number;
  /** When it was measured, on the monotonic clock. */
  readonly tick: number;
  /** When it was measured, on our wall clock. */
  readonly moment: number;
}

/** @param ask reads the other clock */
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

/** @returns the current offset in milliseconds, corrected by any change of our clock since the measurement */
export function offsetNow(
  offset: ClockOffset,
  { clock, ticks }: { readonly clock: Clock; readonly ticks: Ticks },
): number {
  const set = clock.now().getTime() - offset.moment - (ticks() - offset.tick);
  return offset.offsetMs - set;
}

/** Letters, digits and separators only, so that a name can be written into a statement. */
const NAME = /^[A-Za-z][\w+/-]{0,63}$/;

/** @param name an IANA name, for example Europe/Zagreb */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return NAME.test(name);
  } catch {
    return false;
  }
}
