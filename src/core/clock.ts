/** The wall clock as a value that is handed down, so that no rule reads it by itself. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
