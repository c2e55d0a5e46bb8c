/** JSON of a venue whose ids have more digits than a number keeps: a whole number beyond 2^53 is read as its text. */

/** @throws SyntaxError for what is no JSON */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (context?.source ?? value)
      : value,
  );
}
