/** Moments in a query: ISO-8601 dates and date-times, UTC where no offset is given. What is anything else is not guessed at. */
import { z } from 'zod';

const isoMoment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
const ZONED = /(Z|[+-][0-9]{2}:?[0-9]{2})$/;

/** @returns undefined where the text is no moment: another format, or a day that does not exist. */
export function readMoment(text: string): Date | undefined {
  if (!isoMoment.safeParse(text).success) {
    return undefined;
  }
  const moment = new Date(ZONED.test(text) || !text.includes('T') ? text : `${text}Z`);
  return Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1 ? undefined : moment;
}
