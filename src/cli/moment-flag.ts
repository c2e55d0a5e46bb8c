/** A flag that is a moment: judged here, since some lists of the API pass over what is none. */
import { Errors, Flags } from '@oclif/core';

export const momentFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    // brings zod along, which no other command pays for
    const { readMoment } = await import('../core/moment.ts');
    if (readMoment(text) === undefined) {
      throw new Errors.CLIError(`Expected an ISO-8601 date or date-time but received: ${text}`);
    }
    return text;
  },
});
