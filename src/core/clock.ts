/** The wall clock as a value that is handed down, so that no rule reads it by itself. */
export interface Clock {
  now(): Date;
}

/** Milliseconds of a clock that nobody sets; only differences mean anything. */
export type Ticks = () => number;

export const systemTicks: Ticks = () => performance.now();

export const systemClock: Clock = { now: () => new Date() };
