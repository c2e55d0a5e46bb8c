/** Reads a venue's response and validates it against the expected shape. What does not match is kept verbatim as evidence. */
import { z } from 'zod';
import type { Invalid } from './listing.ts';
import { VenueUnknown } from './port.ts';

/** JSON in which a whole number beyond 2^53 is read as its text, because ids have more digits than a number keeps. @throws SyntaxError for what is no JSON */
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

export interface Validated<T> {
  readonly good: T[];
  readonly invalid: Invalid[];
}

/** @param about what the items are, for the evidence */
export function validateItems<T>(about: string, shape: z.ZodType<T>, items: readonly unknown[]): Validated<T> {
  const good: T[] = [];
  const invalid: Invalid[] = [];
  for (const raw of items) {
    const result = shape.safeParse(raw);
    if (result.success) {
      good.push(result.data);
    } else {
      invalid.push({ about, reason: z.prettifyError(result.error), raw });
    }
  }
  return { good, invalid };
}

/**
 * @param about what was requested, for the evidence
 * @throws VenueUnknown if the response does not match
 */
export function expectShape<T>(venue: string, about: string, shape: z.ZodType<T>, body: unknown): T {
  const result = shape.safeParse(body);
  if (!result.success) {
    throw misfit(venue, about, z.prettifyError(result.error), body);
  }
  return result.data;
}

/**
 * One item of a list of everybody's: what does not fit is somebody else's and left out, unless it has to be read.
 * @throws VenueUnknown if it has to and cannot be
 */
export function readable<T>(venue: string, list: string, shape: z.ZodType<T>, raw: unknown, mustFit: boolean): T[] {
  const item = shape.safeParse(raw);
  return item.success ? [item.data] : mustFit ? [expectShape(venue, list, shape, raw)] : [];
}

export function misfit(venue: string, about: string, reason: string, raw: unknown): VenueUnknown {
  return new VenueUnknown(venue, `${about}: ${reason}`, { evidence: { about, reason, raw } });
}
