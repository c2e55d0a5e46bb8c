/** Values that `JSON.parse` returns. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [name: string]: Json };

/** True for an object that is no list. @param value parsed JSON, or a message that a page sent. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
