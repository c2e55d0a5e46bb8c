/** JSON as every room reads it: the types of parsed values, and look-ups that inherited names cannot mislead. */

/** A value that `JSON.parse` returns. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [name: string]: Json };

/**
 * True for an object that is not a list.
 * @param value parsed JSON, or a message that a page sent
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Looks up a name from outside (a field of a body, a column of a file, a profile) in one of our objects. A plain
 * `record[name]` also finds names that every object inherits, such as `constructor` and `toString`.
 * @returns undefined if the object has no own property with that name
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
