/** JSON of venues: of texts that may be none, and of ids that have more digits than a number keeps. */

/** A whole number beyond 2^53 is read as its text. @throws SyntaxError for what is no JSON */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (context?.source ?? value)
      : value,
  );
}

/** @returns undefined for what is no JSON */
export function jsonOf(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
