/**
 * Looks up a name that came from outside (a field of a body, a column of a file, a profile) in an object of ours. A plain
 * `record[name]` also finds what every object inherits, such as `constructor` and `toString`.
 */

/** @returns undefined if the object has no property of its own with that name. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
