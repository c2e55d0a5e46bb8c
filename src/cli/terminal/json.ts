/** JSON as commands print it. 64-bit integers stay exact: a number if JSON can hold it, otherwise text. */
import { printableJson } from './printable.ts';

/** The summary of `--json`, for help. */
export const JSON_SUMMARY = 'Print JSON: one document, or one a line for a stream.';

export function toJson(value: unknown, indent = 2): string {
  return printableJson(JSON.stringify(value ?? null, exact, indent));
}

function exact(_key: string, value: unknown): unknown {
  if (typeof value !== 'bigint') {
    return value;
  }
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value.toString();
}
