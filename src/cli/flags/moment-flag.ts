/** A flag for a point in time: checked here, because some lists of the API ignore invalid date-times. */
import { Errors, Flags } from '@oclif/core';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A date without a time means its start in UTC; the API itself accepts date-times only. */
export const momentFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    // loads zod, which other commands do not need
    const { readMoment } = await import('../../core/moment.ts');
    const moment = DAY.test(text) ? `${text}T00:00:00Z` : text;
    if (readMoment(moment) === undefined) {
      throw new Errors.CLIError(`Expected an ISO-8601 date or date-time but received: ${text}`);
    }
    return moment;
  },
});
