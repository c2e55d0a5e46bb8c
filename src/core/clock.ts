/** The wall clock as a value that is passed in, so that no rule reads the wall clock directly. */
export interface Clock {
  now(): Date;
}

/** Milliseconds of a monotonic clock; only differences have a meaning. */
export type Ticks = () => number;

export const systemTicks: Ticks = () => performance.now();

export const systemClock: Clock = { now: () => new Date() };
