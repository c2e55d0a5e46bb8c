/** The customer of a command, as `USER` or as `--user USER`: lists take the flag, and a person should not have to remember which. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Args, Errors, Flags } from '@oclif/core';
import type { paths } from '../client/api-types.ts';
import type { Side } from '../core/terms.ts';
import { isTimeZone } from '../core/time.ts';
import { usage } from './failure.ts';

export const customerArgument = { user: Args.string({ description: 'Your own id of the customer.' }) };
export const customerAsFlag = { user: Flags.string({ helpValue: 'USER', summary: 'The same as the argument USER.' }) };

/** @throws a usage failure if no customer is named, or two are */
export function readCustomer(argument: string | undefined, flag: string | undefined): string {
  if (argument !== undefined && flag !== undefined && argument !== flag) {
    throw usage(`Two customers are named: ${argument} and ${flag}.`);
  }
  const user = argument ?? flag;
  if (user === undefined) {
    throw usage('Name the customer: USER, or --user USER.');
  }
  return user;
}

// A flag for the bound of a range: a point in time, or a date that begins where a second flag, the time zone, says.

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The text as given; `startOf` makes a moment of it. */
export const dayOrMomentFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    // loads zod, which other commands do not need
    const { readMoment } = await import('../core/moment.ts');
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

/** Parses `CC` or `CC-SUB`; the API checks whether the place exists. */
export function readJurisdictionArgument(text: string): { country: string; subdivision: string | null } {
  const [, country, subdivision] = /^([a-z]{2})(?:-([a-z0-9]{1,3}))?$/i.exec(text) ?? [];
  if (country === undefined) {
    throw usage(`${text} is not CC or CC-SUB, such as HR or US-NJ.`);
  }
  return { country, subdivision: subdivision ?? null };
}

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.svg': 'image/svg+xml',
};

/**
 * A flag for the letterhead of a printed page: an image, read into the page, which names no other file.
 *
 * The value is a `data:` URL.
 */
export const letterheadFlag = Flags.custom<string>({
  helpValue: 'FILE',
  summary: 'Image at the head of the page: your logo or letterhead, as PNG, JPEG or SVG.',
  parse: async (path) => {
    const type = TYPES[extname(path).toLowerCase()];
    if (type === undefined) {
      throw new Errors.CLIError(`${path} is not a PNG, JPEG or SVG file.`);
    }
    const image = await readFile(path).catch((error: Error) => {
      throw new Errors.CLIError(`${path} cannot be read: ${error.message}.`);
    });
    return `data:${type};base64,${image.toString('base64')}`;
  },
});

/** A flag for a point in time, as the API takes it: checked here, because some lists ignore what is none. */
export const momentFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    // loads zod, which other commands do not need
    const { readMoment } = await import('../core/moment.ts');
    if (readMoment(text) === undefined) {
      throw new Errors.CLIError(`"${text}" is not a date or time; write 2026-11-27 or 2026-11-27T15:00:00Z.`);
    }
    return text;
  },
});

export const timeZoneFlag = Flags.custom<string>({
  helpValue: 'ZONE',
  parse: async (text) => {
    if (!isTimeZone(text)) {
      throw new Errors.CLIError(`${text} is not a time zone; write it as Europe/Zagreb.`);
    }
    return text;
  },
});

// Flags that quote, order and buy share, and the request bodies made from them. The API validates the values.

type BodyOf<P extends '/api/v1/quotes' | '/api/v1/orders'> =
  paths[P]['post']['requestBody']['content']['application/json'];

export const userFlag = {
  user: Flags.string({ helpValue: 'USER', required: true, summary: 'Your own id of the customer.' }),
};

export const orderFlags = {
  'reserve-reference': Flags.string({ helpValue: 'REF', summary: 'Confirms your reserve in the same call.' }),
  intent: Flags.option({
    options: ['record_intent', 'simulate'] as const,
    summary: 'By default record_intent for live tenants and simulate for sandbox tenants.',
  })(),
  'max-slippage': Flags.string({
    helpValue: 'PRICE',
    summary: 'How much worse the price may get, in dollars per contract.',
  }),
};

export interface OrderFlags {
  readonly 'reserve-reference'?: string | undefined;
  readonly intent?: 'record_intent' | 'simulate' | undefined;
  readonly 'max-slippage'?: string | undefined;
}

export function orderBody(quoteId: string, clientOrderId: string, flags: OrderFlags): BodyOf<'/api/v1/orders'> {
  const slippage = flags['max-slippage'];
  return {
    quoteId,
    clientOrderId,
    ...(flags.intent === undefined ? {} : { executionIntent: flags.intent }),
    ...(flags['reserve-reference'] === undefined ? {} : { reserveReference: flags['reserve-reference'] }),
    ...(slippage === undefined ? {} : { maxSlippage: readNumber('max-slippage', slippage, { atLeast: 0, below: 1 }) }),
  };
}

/** A buy has a stake, a sell a number of contracts. @throws a usage failure if they are mixed. */
export function quoteBody(
  marketId: string,
  side: Side,
  flags: { readonly sell?: boolean; readonly stake?: string | undefined; readonly contracts?: string | undefined },
): BodyOf<'/api/v1/quotes'> {
  if (flags.sell === true) {
    if (flags.contracts === undefined || flags.stake !== undefined) {
      throw usage('A sell needs --contracts.');
    }
    return { marketId, side, action: 'sell', contracts: readNumber('contracts', flags.contracts, { above: 0 }) };
  }
  if (flags.stake === undefined || flags.contracts !== undefined) {
    throw usage('A buy needs --stake; --contracts is for --sell.');
  }
  return { marketId, side, action: 'buy', stake: readNumber('stake', flags.stake, { above: 0 }) };
}

// Numbers on the command line. Anything else, or a number outside the limits of the API, is a usage error.

const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

interface Bounds {
  /** Exclusive. */
  readonly above?: number;
  readonly atLeast?: number;
  /** Exclusive. */
  readonly below?: number;
}

/** @throws a usage failure that names the flag. */
export function readNumber(flag: string, text: string, { above, atLeast, below }: Bounds = {}): number {
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value)) {
    throw usage(`--${flag} ${text} is not a number.`);
  }
  if (above !== undefined && value <= above) {
    throw usage(`--${flag} ${text} is not above ${above}.`);
  }
  if (atLeast !== undefined && value < atLeast) {
    throw usage(`--${flag} ${text} is below ${atLeast}.`);
  }
  if (below !== undefined && value >= below) {
    throw usage(`--${flag} ${text} is not below ${below}.`);
  }
  return value;
}

/** `yes` or `no`, in upper or lower case. */
export function readSide(text: string): Side {
  const side = text.toUpperCase();
  if (side !== 'YES' && side !== 'NO') {
    throw usage(`${text} is not a side; expected yes or no.`);
  }
  return side;
}

const CENTS = /^\d{1,16}$/;
const DOLLARS_AND_CENTS = /^(\d{1,14})\.(\d{2})$/;

/** Text for help: what `readCents` takes. */
export const CENTS_OR_DOLLARS = 'in cents (2000), or in dollars with both decimals (20.00)';

/** @throws a usage failure if it is neither a whole number of cents nor dollars with two decimals, or below the minimum. */
export function readCents(text: string, least = 1n): bigint {
  const [, dollars = '', cents = ''] = DOLLARS_AND_CENTS.exec(text) ?? [];
  const digits = dollars === '' ? text : `${dollars}${cents}`;
  if (!CENTS.test(digits) || BigInt(digits) < least) {
    throw usage(`${text} is not an amount of at least ${least} cents; write it ${CENTS_OR_DOLLARS}.`);
  }
  return BigInt(digits);
}

// Times on the clock of a place. A spreadsheet knows no time zones: its dates are what a clock on the wall showed.

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/**
 * @param timeZone an IANA name, such as Europe/Zagreb
 * @returns a Date whose UTC fields are what the clock of that place showed
 */
export function wallClock(at: Date, timeZone: string): Date {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 1, ...rest] = PARTS.map((name) => parts.get(name) ?? 0);
  const [day = 1, hour = 0, minute = 0, second = 0] = rest;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/**
 * @param day as 2026-11-01
 * @param timeZone an IANA name
 * @returns the moment at which that day begins there
 */
export function startOfDay(day: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  const offsetAt = (at: number) => wallClock(new Date(at), timeZone).getTime() - at;
  const near = wanted - offsetAt(wanted);
  // the offset may change between the guess and the day
  return new Date(wanted - offsetAt(near));
}
