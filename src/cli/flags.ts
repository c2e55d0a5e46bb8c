/**
 * Values on the command line that several commands take: the operator, the customer, a place, numbers, amounts and an image. A
 * value that cannot be meant is refused before anything is sent.
 */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Args, type Command, Errors, Flags, type Interfaces } from '@oclif/core';
import { withThousands } from '../core/plain-words.ts';
import type { Side } from '../core/terms.ts';
import { formatDecimal, MICRO_SCALE, MINOR_SCALE, parseDecimal } from '../money/decimal.ts';
import { usage } from './failure.ts';

/** `helpGroup` of flags that only the service operator can use; the package for partners and its documentation leave them out. */
export const SERVICE_OPERATOR = 'SERVICE OPERATOR';

export const operatorArgument = { slug: Args.string({ required: true, description: 'Slug or id of the operator.' }) };

export const operatorFlag = {
  operator: Flags.string({ helpValue: 'SLUG', required: true, summary: 'Slug or id of the operator.' }),
};

/** For a command that is about all operators if the flag is not given. */
export const oneOperatorFlag = {
  operator: Flags.string({ helpValue: 'SLUG', summary: 'Slug or id of an operator; by default all.' }),
};

/** For a command of a partner that acts for one customer. */
export const userFlag = {
  user: Flags.string({ helpValue: 'USER', required: true, summary: 'Your own id of the customer.' }),
};

/** For the service operator, beside `operatorFlag`. */
export const customerOfOperatorFlag = {
  user: Flags.string({ helpValue: 'USER', required: true, summary: "The operator's own id of the customer." }),
};

/** For a list over the API, which has the rows of all customers if the flag is not given. */
export const ofCustomerFlag = {
  user: Flags.string({ helpValue: 'USER', summary: 'Your own id of a customer; by default all.' }),
};

export const contractArgument = { contract: Args.string({ required: true, description: 'Contract id.' }) };

export const endpointArgument = { endpoint: Args.string({ required: true, description: 'Endpoint id.' }) };

export const positionArgument = { position: Args.string({ required: true, description: 'Position id.' }) };

export const keyArgument = { keyId: Args.string({ required: true, description: 'Id of the key, from "keys list".' }) };

export const approvalArgument = {
  approval: Args.string({ required: true, description: 'Id of the request, from "approvals list".' }),
};

export const groupArgument = {
  group: Args.string({ required: true, description: 'Key of the group, from "markets groups".' }),
};

export const venueArgument = {
  venue: Args.string({ required: true, description: 'Name of the venue, from "venues list".' }),
};

export const customerArgument = { user: Args.string({ description: 'Your own id of the customer.' }) };
/** Beside `customerArgument`: lists take the flag, and a person should not have to remember which command takes which. */
export const customerAsFlag = { user: Flags.string({ helpValue: 'USER', summary: 'The same as the argument USER.' }) };

/** For a list that has no pages. @param most rows if the flag is not given */
export const limitFlag = (most: number) => ({
  limit: Flags.integer({ helpValue: 'N', default: most, min: 1, max: 10_000, summary: 'Largest number of rows.' }),
});

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

/** Parses `CC` or `CC-SUB`; the API checks whether the place exists. @throws a usage failure */
export function readJurisdictionArgument(text: string): { country: string; subdivision: string | null } {
  const [, country, subdivision] = /^([a-z]{2})(?:-([a-z0-9]{1,3}))?$/i.exec(text) ?? [];
  if (country === undefined) {
    throw usage(`${text} is not CC or CC-SUB, such as HR or US-NJ.`);
  }
  return { country, subdivision: subdivision ?? null };
}

/** `yes` or `no`, in upper or lower case. @throws a usage failure */
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

/**
 * The amounts that were given as whole numbers of cents, in dollars: `--max-wager 50.00 USD`. An amount is a flag with the placeholder
 * CENTS or the argument `cents`.
 * @param given what the parser read, as it was typed
 */
export function centsIn(
  { flags = {} }: Pick<typeof Command, 'flags'>,
  given: Interfaces.ParserOutput['raw'],
): string[] {
  return given.flatMap((token) => {
    const flag = token.type === 'flag' ? flags[token.flag] : undefined;
    const isAmount =
      token.type === 'arg' ? token.arg === 'cents' : flag?.type === 'option' && flag.helpValue === 'CENTS';
    if (!isAmount || !CENTS.test(token.input) || Number(token.input) === 0) {
      return [];
    }
    const name = token.type === 'flag' ? `--${token.flag} ` : '';
    return [`${name}${withThousands(formatDecimal(BigInt(token.input), MINOR_SCALE))} USD`];
  });
}

/** Text for help: what `readMicros` takes. */
export const MICROS_OR_DOLLARS = 'in micro-dollars (33930001), or in dollars with decimals (33.930001)';

const WHOLE_MICROS = /^\d{1,18}$/;
const DOLLARS = /^\d{1,12}\.\d{1,6}$/;

/** @throws a usage failure if it is neither a whole number of micro-dollars nor dollars with one to six decimals, or is 0. */
export function readMicros(text: string): bigint {
  const micros = WHOLE_MICROS.test(text)
    ? BigInt(text)
    : DOLLARS.test(text)
      ? parseDecimal(text, MICRO_SCALE, 'exact')
      : 0n;
  if (micros === 0n) {
    throw usage(`${text} is not an amount above 0; write it ${MICROS_OR_DOLLARS}.`);
  }
  return micros;
}

const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** The limits that the API has for the number. */
interface Bounds {
  /** Exclusive. */
  readonly above?: number;
  readonly atLeast?: number;
  /** Exclusive. */
  readonly below?: number;
}

/** @throws a usage failure that names the flag, also if the number is outside the bounds. */
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

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.svg': 'image/svg+xml',
};

/** The letterhead of a printed page, as a `data:` URL: a printed page names no other file. */
export const letterheadFlag = Flags.custom<string>({
  helpValue: 'FILE',
  summary: 'Image at the head of the page: your logo or letterhead, as PNG, JPEG or SVG.',
  parse: async (path) => {
    const type = IMAGE_TYPES[extname(path).toLowerCase()];
    if (type === undefined) {
      throw new Errors.CLIError(`${path} is not a PNG, JPEG or SVG file.`);
    }
    const image = await readFile(path).catch((error: Error) => {
      throw new Errors.CLIError(`${path} cannot be read: ${error.message}.`);
    });
    return `data:${type};base64,${image.toString('base64')}`;
  },
});
