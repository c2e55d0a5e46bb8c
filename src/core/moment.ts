/**
 * Times in a query: ISO-8601 date-times, in UTC if no offset is given, or a date, which is its midnight UTC. The years are 1970 to
 * 9999, because PostgreSQL and JavaScript write all others differently. It stands apart from `time.ts` because it loads zod, which
 * many commands do without.
 */
import { z } from 'zod';
import { refuse } from './errors.ts';

const isoDay = z.iso.date();
const isoMoment = z.iso.datetime({ offset: true, local: true });
const ZONED = /(Z|[+-][0-9]{2}:?[0-9]{2})$/;
const DATE_RULE = 'an ISO-8601 date or date-time of the years 1970 to 9999, such as 2026-07-01T00:00:00Z';
const SECONDS_RULE = 'Unix seconds of the years 1970 to 9999';

/**
 * @returns undefined if the text is neither a date nor a date-time: another format, a day that does not exist, or a year
 * that is not taken
 */
export function readMoment(text: string): Date | undefined {
  const moment = parse(text);
  return moment !== undefined && isTaken(moment) ? moment : undefined;
}

/**
 * @param name the parameter, for the message
 * @throws invalid_date, which names the parameter
 */
export function readMomentParameter(name: string, text: string | undefined): Date | undefined {
  return text === undefined ? undefined : (readMomentOrOther(name, text) ?? refuseDate(name, DATE_RULE));
}

/**
 * For a parameter in which text that is not a date is not an invalid date.
 * @returns undefined for such text
 * @throws invalid_date for a year out of range
 */
export function readMomentOrOther(name: string, text: string): Date | undefined {
  const moment = parse(text);
  return moment === undefined || isTaken(moment) ? moment : refuseDate(name, DATE_RULE);
}

/** @throws invalid_date for anything but Unix seconds, and for a year that is not taken */
export function readSecondsParameter(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) {
    return undefined;
  }
  const moment = new Date(Number(text) * 1_000);
  return /^[0-9]+$/.test(text) && isTaken(moment) ? moment : refuseDate(name, SECONDS_RULE);
}

function parse(text: string): Date | undefined {
  const isDay = isoDay.safeParse(text).success;
  if (!isDay && !isoMoment.safeParse(text).success) {
    return undefined;
  }
  return new Date(isDay || ZONED.test(text) ? text : `${text}Z`);
}

/** With an offset, the first and the last day of these years may be of another year. */
function isTaken(moment: Date): boolean {
  const year = moment.getUTCFullYear();
  return year >= 1970 && year <= 9999;
}

function refuseDate(name: string, message: string): never {
  throw refuse('invalid_date', `${name} is not ${message}.`, { detail: [{ path: name, message }] });
}
