/** A flag for a point in time, as the API takes it: checked here, because some lists ignore what is none. */
import { Errors, Flags } from '@oclif/core';

export const momentFlag = Flags.custom<string>({
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
