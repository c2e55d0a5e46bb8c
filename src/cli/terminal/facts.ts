/** Single values as text for a terminal: the named facts that a command prints about one thing, times and prices. */
import { withoutControls } from './printable.ts';
import { headingOf } from './table.ts';

type FactValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly FactValue[]
  | { readonly [name: string]: FactValue };

/** Values by name, in the order in which they are printed. */
export type Facts = { readonly [name: string]: FactValue };

/** @returns the value on one line; a hyphen if it is empty or unknown */
export function factText(value: FactValue): string {
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (value === null || value === undefined || value === '') {
    return '-';
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (isList(value)) {
    return value.length === 0 ? '-' : value.map(factText).join(', ');
  }
  if (typeof value === 'object') {
    const set = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
    return set.length === 0 ? '-' : set.map(([name, each]) => `${headingOf(name)} ${factText(each)}`).join(', ');
  }
  return withoutControls(String(value));
}

/** @param moment ISO-8601 in UTC. @returns the moment to the minute */
export function minuteOf(moment: string): string {
  return `${moment.slice(0, 16).replace('T', ' ')}Z`;
}

function isList(value: FactValue): value is readonly FactValue[] {
  return Array.isArray(value);
}

/** A reference price, which people read as a probability. @param probability null if there is no price */
export function percent(probability: number | null): string {
  return probability === null ? '-' : `${(probability * 100).toFixed(1)}%`;
}

/** A price at which can be traded. @param value cents; null if there is no price */
export function cents(value: number | null): string {
  return value === null ? '-' : `${Number(value.toFixed(2))}¢`;
}
