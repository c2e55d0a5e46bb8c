/** A flag for the bound of a range: a point in time, or a date that begins where a second flag, the time zone, says. */
import { Errors, Flags } from '@oclif/core';
import { startOfDay } from '../export/wall-clock.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The text as given; `startOf` makes a moment of it. */
export const dayOrMomentFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    // loads zod, which other commands do not need
    const { readMoment } = await import('../../core/moment.ts');
    if (readMoment(text) === undefined) {
      throw new Errors.CLIError(`"${text}" is not a date or time; write 2026-11-27 or 2026-11-27T15:00:00Z.`);
    }
    return text;
  },
});

/** @param timeZone IANA name. @returns ISO-8601 */
export function startOf(text: string | undefined, timeZone: string): string | undefined {
  return text !== undefined && DAY.test(text) ? startOfDay(text, timeZone).toISOString() : text;
}
