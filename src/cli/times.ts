/** Times on the command line and in print: the flags for a point in time and for a time zone, and the clock of a zone. */
import { Errors, Flags } from '@oclif/core';
import { isTimeZone } from '../core/time.ts';

/** A date or a time, as the person gave it. It is checked here because some lists of the API ignore a text that they cannot read. */
export const momentFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    // loads zod, which other commands do not need
    const { readMoment } = await import('../core/moment.ts');
    if (readMoment(text) === undefined) {
      throw new Errors.CLIError(`"${text}" is not a date or time; write 2026-11-27 or 2026-11-27T15:00:00Z.`);
    }
    return text;
  },
});

/** A range by the time at which something was recorded, beside `timeZoneFlag`. */
export const windowFlags = {
  from: momentFlag({
    summary: 'Start of the range, inclusive, by the time recorded; ISO-8601. A date begins in --time-zone.',
  }),
  to: momentFlag({ summary: 'End of the range, exclusive; ISO-8601; by default now.' }),
};

export const timeZoneFlag = Flags.custom<string>({
  helpValue: 'ZONE',
  parse: async (text) => {
    if (!isTimeZone(text)) {
      throw new Errors.CLIError(`${text} is not a time zone; write it as Europe/Zagreb.`);
    }
    return text;
  },
});

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The bound of a range: a date becomes the moment at which that day begins in the zone, a time stays as it is.
 * @param text of `momentFlag`
 * @param timeZone IANA name
 * @returns ISO-8601
 */
export function startOf(text: string | undefined, timeZone: string): string | undefined {
  return text !== undefined && DAY.test(text) ? startOfDay(text, timeZone).toISOString() : text;
}

/**
 * @param day as 2026-11-01
 * @param timeZone IANA name
 * @returns the moment at which that day begins there
 */
export function startOfDay(day: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  const offsetAt = (at: number) => wallClock(new Date(at), timeZone).getTime() - at;
  const near = wanted - offsetAt(wanted);
  // the offset may change between the guess and the day
  return new Date(wanted - offsetAt(near));
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/**
 * The time that a clock in a zone showed. A spreadsheet has no time zones, so its dates are such times.
 * @param timeZone IANA name, for example Europe/Zagreb
 * @returns a Date whose UTC fields are the time on the clock of that zone
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
