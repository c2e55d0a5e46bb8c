/** A flag for a point in time, as the API takes it: checked here, because some lists ignore what is none. */
import { Errors, Flags } from '@oclif/core';

export const momentFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    // loads zod, which other commands do not need
    const { readMoment } = await import('../../core/moment.ts');
    if (readMoment(text) === undefined) {
      throw new Errors.CLIError(`Expected an ISO-8601 date or date-time but received: ${text}`);
    }
    return text;
  },
});
