/** Times on the clock of a place. A spreadsheet knows no time zones: its dates are what a clock on the wall showed. */

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/**
 * @param timeZone an IANA name, such as Europe/Zagreb
 * @returns a Date whose UTC fields are what the clock of that place showed
 */
export function wallClock(at: Date, timeZone: string): Date {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 1, ...rest] = PARTS.map((name) => parts.get(name) ?? 0);
  const [day = 1, hour = 0, minute = 0, second = 0] = rest;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/**
 * @param day as 2026-11-01
 * @param timeZone an IANA name
 * @returns the moment at which that day begins there
 */
export function startOfDay(day: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  const offsetAt = (at: number) => wallClock(new Date(at), timeZone).getTime() - at;
  const near = wanted - offsetAt(wanted);
  // the offset may change between the guess and the day
  return new Date(wanted - offsetAt(near));
}
