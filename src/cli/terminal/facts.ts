/** Named values as a terminal shows them, one a line: what a command prints about one thing. */
import { withoutControls } from './printable.ts';
import { headingOf } from './table.ts';

export type FactValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly FactValue[]
  | { readonly [name: string]: FactValue };

/** By name, in the order in which they are printed. */
export type Facts = { readonly [name: string]: FactValue };

/** One value on one line; what is empty or unknown is a hyphen. */
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

/** A moment of the wire to the minute, in UTC. */
export function minuteOf(moment: string): string {
  return `${moment.slice(0, 16).replace('T', ' ')}Z`;
}

function isList(value: FactValue): value is readonly FactValue[] {
  return Array.isArray(value);
}

// Prices as text for a terminal: the reference as a probability, the executable as a price, null as no price.

export function percent(probability: number | null): string {
  return probability === null ? '-' : `${(probability * 100).toFixed(1)}%`;
}

export function cents(value: number | null): string {
  return value === null ? '-' : `${Number(value.toFixed(2))}¢`;
}
