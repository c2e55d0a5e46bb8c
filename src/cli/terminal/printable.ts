/**
 * Text that is safe on a terminal: the colours, text without control characters, and JSON. An id or a note of a customer cannot move
 * the cursor, colour the text, change its direction or hide in it, because all text passes through this file.
 */
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];
export type Paint = (format: Format, text: string) => string;

/** Colours the text of this stream if it is a terminal; obeys NO_COLOR and FORCE_COLOR. */
export function painter(stream: NodeJS.WriteStream): Paint {
  return (format, text) => styleText(format, text, { stream, validateStream: true });
}

/** Controls of C0 and C1, and characters that set direction, join nothing or break lines. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]+/gu;

/** For a value on its own line or in a cell: each run of unprintable characters becomes one space. */
export function withoutControls(text: string): string {
  return text.replace(UNPRINTABLE, ' ');
}

/** The value with every text inside it made printable by `withoutControls`. */
export function printableValue<T>(value: T): T {
  if (typeof value === 'string') {
    return withoutControls(value) as T;
  }
  if (Array.isArray(value)) {
    return value.map(printableValue) as T;
  }
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, printableValue(each)])) as T;
  }
  return value;
}

/** The colours of `painter`, the only escape sequences that we print. */
const OUR_STYLES = new RegExp(`(${String.fromCharCode(27)}\\[(?:0|1|2|22|3\\d|9\\d)m)`);

/** For whole lines that we composed from foreign values: line ends, tabs and our own colours are kept. */
export function printableLines(text: string): string {
  return text
    .split(OUR_STYLES)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(UNPRINTABLE, (run) => [...run].filter((one) => one === '\n' || one === '\t').join('') || ' '),
    )
    .join('');
}

/** The summary of `--json`, for help. */
export const JSON_SUMMARY = 'Print JSON: one document, or one a line for a stream.';

/** @returns JSON in which unprintable characters are escapes. 64-bit integers stay exact: a number if JSON can hold it, otherwise text. */
export function toJson(value: unknown, indent = 2): string {
  return JSON.stringify(value ?? null, exact, indent).replace(
    /[\u007F-\u009F\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function exact(_key: string, value: unknown): unknown {
  if (typeof value !== 'bigint') {
    return value;
  }
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value.toString();
}
