/**
 * Compares an answer with the expectation of its step: the status, the error code, the body and headers with matchers such as
 * `{ $gt: 5 }`, and the money identities of contract 1.5 to 1.7.
 */
import type { JsonObject } from '../../core/json.ts';
import type { ApiAnswer } from '../service/api.ts';
import type { Expectation } from './scenario-file.ts';
import { readPath } from './variables.ts';

export interface Mismatch {
  /** Dotted; empty for the answer itself. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** @returns the differences from the expectation of the step; an empty list if it passes. */
export function judge(expected: Expectation, { status, body, headers }: ApiAnswer<unknown>): Mismatch[] {
  const wrong: Mismatch[] = [];
  if (!isWanted(expected, status)) {
    wrong.push({ path: 'status', expected: expected.status ?? 'below 400', actual: status });
    if (status >= 400) {
      wrong.push({ path: 'error', expected: expected.error ?? 'none', actual: errorText(body) });
    }
    return wrong;
  }
  const error = readPath(body, 'error');
  if (expected.error !== undefined && error !== expected.error) {
    wrong.push({ path: 'error', expected: expected.error, actual: error ?? null });
  }
  const sent = Object.fromEntries(headers);
  return [
    ...wrong,
    ...(expected.body === undefined ? [] : mismatches(expected.body, body)),
    ...(expected.headers === undefined ? [] : mismatches(lowerCased(expected.headers), sent, ['headers'])),
    ...(expected.identities === true ? brokenIdentities(body) : []),
  ];
}

function isWanted({ status, error }: Expectation, actual: number): boolean {
  return status === undefined ? actual < 400 || error !== undefined : [status].flat().includes(actual);
}

function errorText(body: unknown): unknown {
  const [error, message] = [readPath(body, 'error'), readPath(body, 'message')];
  return error === undefined ? body : `${error}: ${message}`;
}

function lowerCased<Value>(headers: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Fields of a money block: a sum and its parts. */
const IDENTITIES: readonly (readonly [string, readonly string[]])[] = [
  ['authorizationAmount', ['actualDebit', 'releaseAmount']],
  ['actualDebit', ['tradeAmount', 'platformFee', 'venueFee']],
];

/** Checks every money block of an answer (contract 1.5 to 1.7). @returns the sums that are wrong; a block with a missing term is skipped */
export function brokenIdentities(value: unknown, path = ''): Mismatch[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const here = IDENTITIES.flatMap(([whole, parts]) => broken(value as JsonObject, whole, parts, path));
  const below = Object.entries(value).flatMap(([key, inner]) =>
    brokenIdentities(inner, path === '' ? key : `${path}.${key}`),
  );
  return [...here, ...exitMismatch(value as JsonObject, path), ...below];
}

function broken(block: JsonObject, whole: string, parts: readonly string[], path: string): Mismatch[] {
  const total = cents(block[whole]);
  const terms = parts.map((part) => cents(block[part]));
  if (total === undefined || terms.some((term) => term === undefined)) {
    return [];
  }
  const sum = terms.reduce<bigint>((all, term) => all + (term ?? 0n), 0n);
  if (sum === total) {
    return [];
  }
  return [
    {
      path: path === '' ? whole : `${path}.${whole}`,
      expected: `${parts.join(' + ')} = ${sum} cents`,
      actual: block[whole],
    },
  ];
}

/** On a sell the notional is outside the block, as a number for display. */
function exitMismatch(order: JsonObject, path: string): Mismatch[] {
  const exit = order['operatorExitMoney'];
  if (typeof exit !== 'object' || exit === null || typeof order['notional'] !== 'number') {
    return [];
  }
  const terms = ['sellProceeds', 'platformFee', 'venueFee'].map((name) => cents((exit as JsonObject)[name]) ?? 0n);
  const sum = terms.reduce((all, term) => all + term, 0n);
  if (sum === BigInt(Math.round(order['notional'] * 100))) {
    return [];
  }
  const at = path === '' ? 'notional' : `${path}.notional`;
  return [{ path: at, expected: `sellProceeds + platformFee + venueFee = ${sum} cents`, actual: order['notional'] }];
}

type Path = readonly (string | number)[];

type Check = (actual: unknown, wanted: unknown) => boolean;

const MATCHERS: Readonly<Record<string, Check>> = {
  $any: (actual) => actual !== undefined && actual !== null,
  $absent: (actual, wanted) => (actual === undefined) === wanted,
  $type: (actual, wanted) => typeOf(actual) === wanted,
  $match: (actual, wanted) => typeof actual === 'string' && isPattern(wanted) && new RegExp(wanted, 'u').test(actual),
  $gt: (actual, wanted) => compare(actual, wanted, (a, b) => a > b),
  $gte: (actual, wanted) => compare(actual, wanted, (a, b) => a >= b),
  $lt: (actual, wanted) => compare(actual, wanted, (a, b) => a < b),
  $lte: (actual, wanted) => compare(actual, wanted, (a, b) => a <= b),
  $not: (actual, wanted) => mismatches(wanted, actual).length > 0,
  $oneOf: (actual, wanted) => Array.isArray(wanted) && wanted.some((each) => mismatches(each, actual).length === 0),
  $length: (actual, wanted) => (Array.isArray(actual) || typeof actual === 'string') && actual.length === wanted,
  $contains: (actual, wanted) =>
    Array.isArray(actual)
      ? actual.some((each) => mismatches(wanted, each).length === 0)
      : typeof actual === 'string' && actual.includes(String(wanted)),
  $sum: (actual, wanted) =>
    Array.isArray(wanted) && cents(actual) === wanted.reduce((sum: bigint, each) => sum + (cents(each) ?? 0n), 0n),
};
const MATCHER_NAMES = Object.keys(MATCHERS);

const COMPARES = ['$gt', '$gte', '$lt', '$lte'];
const TYPES = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/** Compares objects as subsets and lists item by item. @returns an empty list if the value matches */
export function mismatches(expected: unknown, actual: unknown, path: Path = []): Mismatch[] {
  if (isMatcher(expected)) {
    return Object.entries(expected)
      .filter(([name, wanted]) => MATCHERS[name]?.(actual, wanted) !== true)
      .map(([name, wanted]) => ({ path: path.join('.'), expected: { [name]: wanted }, actual }));
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      return [{ path: path.join('.'), expected, actual }];
    }
    return expected.flatMap((each, index) => mismatches(each, actual[index], [...path, index]));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) {
      return [{ path: path.join('.'), expected, actual }];
    }
    return Object.entries(expected).flatMap(([key, each]) =>
      mismatches(each, Object.hasOwn(actual, key) ? (actual as JsonObject)[key] : undefined, [...path, key]),
    );
  }
  return Object.is(expected, actual) ? [] : [{ path: path.join('.'), expected, actual }];
}

/** Finds invalid matchers before any step runs. @param path of the expectation in its file */
export function mistakesIn(expected: unknown, path: Path): { path: Path; message: string }[] {
  if (typeof expected !== 'object' || expected === null) {
    return [];
  }
  const keys = Object.keys(expected);
  const field = keys.find((key) => !key.startsWith('$'));
  if (field !== undefined && keys.some((key) => key.startsWith('$'))) {
    return [
      {
        path: [...path, field],
        message: `matchers and fields cannot be mixed; expected ${field} without matchers next to it`,
      },
    ];
  }
  return Object.entries(expected).flatMap(([key, wanted]) => {
    const here = [...path, Array.isArray(expected) ? Number(key) : key];
    if (!key.startsWith('$')) {
      return mistakesIn(wanted, here);
    }
    const message = mistakeOf(key, wanted);
    return message === undefined ? mistakesIn(key === '$match' ? undefined : wanted, here) : [{ path: here, message }];
  });
}

function mistakeOf(name: string, wanted: unknown): string | undefined {
  if (!Object.hasOwn(MATCHERS, name)) {
    return `there is no matcher ${name}; expected one of ${MATCHER_NAMES.join(', ')}`;
  }
  if (typeof wanted === 'string' && wanted.includes('${')) {
    return undefined;
  }
  if (name === '$match' && !isPattern(wanted)) {
    return `${JSON.stringify(wanted)} is not a regular expression`;
  }
  if (COMPARES.includes(name) && asNumber(wanted) === undefined && typeof wanted !== 'string') {
    return 'expected a number, an amount or a time';
  }
  if (name === '$length' && !(Number.isInteger(wanted) && Number(wanted) >= 0)) {
    return 'expected a whole number';
  }
  if ((name === '$any' && wanted !== true) || (name === '$absent' && typeof wanted !== 'boolean')) {
    return `expected true${name === '$any' ? '' : ' or false'}`;
  }
  if (name === '$type' && !TYPES.includes(String(wanted))) {
    return `expected one of ${TYPES.join(', ')}`;
  }
  if ((name === '$oneOf' || name === '$sum') && !Array.isArray(wanted)) {
    return 'expected a list';
  }
  return undefined;
}

function isMatcher(expected: unknown): expected is JsonObject {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) {
    return false;
  }
  const keys = Object.keys(expected);
  return keys.length > 0 && keys.every((key) => key.startsWith('$'));
}

function isPattern(text: unknown): text is string {
  try {
    return typeof text === 'string' && new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** Compares numbers and decimal strings by value, other text such as times alphabetically. */
function compare(
  actual: unknown,
  wanted: unknown,
  holds: (a: number | string, b: number | string) => boolean,
): boolean {
  const [a, b] = [asNumber(actual), asNumber(wanted)];
  if (a !== undefined && b !== undefined) {
    return holds(a, b);
  }
  return typeof actual === 'string' && typeof wanted === 'string' && holds(actual, wanted);
}

function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') {
    return value;
  }
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Decimal text with two places as cents; undefined for anything else. */
function cents(text: unknown): bigint | undefined {
  return typeof text === 'string' && /^-?\d+\.\d{2}$/.test(text) ? BigInt(text.replace('.', '')) : undefined;
}
