/**
 * Exact decimals and the units of money: text and JSON numbers in, scaled integers (`bigint`) out, and back again. It
 * refuses to go through binary floating point: a JavaScript number is read by its shortest decimal text (contract 2.2),
 * and a value that needs more places than it has is rounded only if the caller says how.
 */

export type Rounding = 'half-up' | 'floor' | 'ceil' | 'exact';

/** Decimal places of the units: cents of a dollar, and millionths of a dollar or of a contract. */
export const MINOR_SCALE = 2;
export const MICRO_SCALE = 6;

/** `digits / 10^places`, exactly as in the text. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly places: number;
}

const DECIMAL = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,4}))?$/;
// The most digits that are read, so that a long number cannot be used as an attack; a double needs about 330.
const MAX_DIGITS = 512;

/**
 * Reads decimal text, exponent forms included.
 * @returns null if the text is not a finite decimal
 */
export function readDecimal(input: string | number): ExactDecimal | null {
  const match = DECIMAL.exec(typeof input === 'number' ? String(input) : input.trim());
  if (match === null) {
    return null;
  }
  const [, sign = '', body = '', exponentText = '0'] = match;
  const [whole = '', fraction = ''] = body.split('.');
  const places = fraction.length - Number(exponentText);
  if (whole.length + fraction.length + Math.abs(places) > MAX_DIGITS) {
    return null;
  }
  const unsigned = BigInt(`${whole}${fraction}`);
  const digits = sign === '-' ? -unsigned : unsigned;
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}

/** Mathematical floor of a quotient; the divisor is above zero. */
function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** Mathematical ceiling of a quotient; the divisor is above zero. */
export function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return -floorDivide(-dividend, divisor);
}

/**
 * Decimal text (or a JSON number) as an integer of `10^-scale`.
 * @throws RangeError if the text is not a finite decimal, or if `exact` would lose digits
 */
export function parseDecimal(input: string | number, scale: number, rounding: Rounding): bigint {
  const decimal = readDecimal(input);
  if (decimal === null) {
    throw new RangeError(`not a decimal number: ${String(input).slice(0, 40)}`);
  }
  return scaleDecimal(decimal, scale, rounding);
}

/** The same for a decimal already read. */
export function scaleDecimal({ digits, places }: ExactDecimal, scale: number, rounding: Rounding): bigint {
  if (places <= scale) {
    return digits * 10n ** BigInt(scale - places);
  }
  const divisor = 10n ** BigInt(places - scale);
  switch (rounding) {
    case 'floor':
      return floorDivide(digits, divisor);
    case 'ceil':
      return ceilDivide(digits, divisor);
    case 'half-up':
      return floorDivide(digits * 2n + divisor, divisor * 2n);
    case 'exact':
      if (digits % divisor !== 0n) {
        throw new RangeError(`more than ${scale} decimal places`);
      }
      return digits / divisor;
  }
}

/** An integer of `10^-scale` as decimal text with exactly `scale` places. */
export function formatDecimal(value: bigint, scale: number): string {
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const text = scale === 0 ? whole : `${whole}.${digits.slice(digits.length - scale)}`;
  return negative ? `-${text}` : text;
}

/**
 * A JavaScript number as plain decimal text without an exponent.
 * @throws RangeError if it is not finite
 */
export function numberToDecimalText(value: number): string {
  const decimal = readDecimal(value);
  if (decimal === null) {
    throw new RangeError('not a finite number');
  }
  return trimZeros(formatDecimal(decimal.digits, decimal.places));
}

/** An integer of `10^-scale` as decimal text without trailing zeros: `12.5` of 12,500,000 millionths. */
export function shortDecimal(value: bigint, scale: number): string {
  return trimZeros(formatDecimal(value, scale));
}

/**
 * An integer of `10^-scale` as a JSON number with its exact digits and no trailing zeros. Almost always a plain number, whose shortest text
 * has those digits; a value with more digits than a double holds is a raw JSON literal typed as a number, so that `JSON.stringify` still
 * writes every digit. For showing, never for sums.
 */
export function jsonNumber(value: bigint, scale: number): number {
  if (value < DOUBLE_CARRIES && value > -DOUBLE_CARRIES) {
    return Number(value) / 10 ** scale;
  }
  const text = shortDecimal(value, scale);
  const plain = Number(text);
  if (Number.isFinite(plain) && numberToDecimalText(plain) === text) {
    return plain;
  }
  return rawJSON(text) as number;
}

// Fifteen digits survive a double, and one division of two exact doubles rounds once, to the double that the text names.
const DOUBLE_CARRIES = 10n ** 15n;

const rawJSON = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** A dollar in micro-dollars; also a contract in micro-contracts. */
export const ONE_DOLLAR_MICROS = 1_000_000n;

/** Price times quantity counts in 1e-12 dollars; a cent is this many of those. */
export const CENT = 10_000_000_000n;

/** Micro-dollars in a cent. */
export const MICROS_PER_CENT = 10_000n;

/** The number of millionths in one, for numbers that are only displayed. */
export const MICROS = 1_000_000;

/** The most contracts of one quote, in micro-contracts: nine million million, which PostgreSQL's bigint holds (contract 2.10). */
export const MOST_CONTRACTS_MICROS = 9_000_000_000_000_000_000n;
