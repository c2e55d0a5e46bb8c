/**
 * Looks up a name from outside (a field of a body, a column of a file, a profile) in one of our objects. A plain
 * `record[name]` also finds what every object inherits, such as `constructor` and `toString`.
 */

/** @returns undefined if the object has no own property with that name */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
