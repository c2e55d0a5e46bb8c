/** A flag that is a moment: checked here, since some lists of the API ignore what is not a date-time. */
import { Errors, Flags } from '@oclif/core';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A date without a time is its first moment in UTC; the API itself takes date-times only. */
export const momentFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    // brings zod along, which no other command pays for
    const { readMoment } = await import('../../core/moment.ts');
    const moment = DAY.test(text) ? `${text}T00:00:00Z` : text;
    if (readMoment(moment) === undefined) {
      throw new Errors.CLIError(`Expected an ISO-8601 date or date-time but received: ${text}`);
    }
    return moment;
  },
});
