/**
 * Timestamps in a query: ISO-8601 date-times, in UTC if no offset is given, or a date, which is its midnight UTC;
 * everything else is refused. It stands apart from `time.ts` because it loads zod, which many commands do without.
 */
import { z } from 'zod';
import { refuse } from './errors.ts';

const isoDay = z.iso.date();
const isoMoment = z.iso.datetime({ offset: true, local: true });
const ZONED = /(Z|[+-][0-9]{2}:?[0-9]{2})$/;

/** @returns undefined if the text is neither a date nor a date-time: another format, or a day that does not exist */
export function readMoment(text: string): Date | undefined {
  const isDay = isoDay.safeParse(text).success;
  if (!isDay && !isoMoment.safeParse(text).success) {
    return undefined;
  }
  const moment = new Date(isDay || ZONED.test(text) ? text : `${text}Z`);
  const year = moment.getUTCFullYear();
  // With an offset, the first and last days of the calendar fall into years that PostgreSQL cannot read in this form.
  return year >= 1 && year <= 9999 ? moment : undefined;
}

/**
 * @param name the parameter, for the message
 * @throws invalid_date, which names the parameter
 */
export function readMomentParameter(name: string, text: string | undefined): Date | undefined {
  const moment = text === undefined ? undefined : readMoment(text);
  if (text !== undefined && moment === undefined) {
    const message = 'an ISO-8601 date or date-time such as 2026-07-01T00:00:00Z';
    throw refuse('invalid_date', `${name} is not ${message}.`, { detail: [{ path: name, message }] });
  }
  return moment;
}
