/** A flag for a time zone, checked before anything is asked. */
import { Errors, Flags } from '@oclif/core';
import { isTimeZone } from '../../core/time.ts';

export const timeZoneFlag = Flags.custom<string>({
  helpValue: 'ZONE',
  parse: async (text) => {
    if (!isTimeZone(text)) {
      throw new Errors.CLIError(`${text} is not a time zone; write it as Europe/Zagreb.`);
    }
    return text;
  },
});
