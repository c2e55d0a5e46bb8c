/**
 * JSON in the canonical form of RFC 8785: keys sorted by UTF-16 code units, numbers and strings as ECMAScript writes them. One
 * value has one text, so a hash of the text is a hash of the value. It takes values that came out of `JSON.parse`, nothing else.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * @param value a JSON value; numbers are finite.
 * @returns its canonical text, to be hashed as UTF-8.
 * @throws TypeError for what JSON cannot hold, a number that is not finite among it.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = value as { readonly [key: string]: Json };
    const parts = Object.keys(fields)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(fields[key] as Json)}`);
    return `{${parts.join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`${value} is not a JSON number`);
  }
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) {
    throw new TypeError(`${typeof value} is not a JSON value`);
  }
  return text;
}
