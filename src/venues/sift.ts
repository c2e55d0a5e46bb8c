/** Holds what a venue says against the shape it should have. What does not fit is kept word for word as evidence. */
import { z } from 'zod';
import type { Invalid } from './listing.ts';
import { VenueUnknown } from './port.ts';

export interface Sifted<T> {
  readonly good: T[];
  readonly invalid: Invalid[];
}

/** @param about what the items are, for the evidence. */
export function sift<T>(about: string, shape: z.ZodType<T>, items: readonly unknown[]): Sifted<T> {
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

/** @param about what was asked for, for the evidence. @throws VenueUnknown where the whole answer does not fit. */
export function expectShape<T>(venue: string, about: string, shape: z.ZodType<T>, body: unknown): T {
  const result = shape.safeParse(body);
  if (!result.success) {
    throw misfit(venue, about, z.prettifyError(result.error), body);
  }
  return result.data;
}

export function misfit(venue: string, about: string, reason: string, raw: unknown): VenueUnknown {
  return new VenueUnknown(venue, `${about}: ${reason}`, { evidence: { about, reason, raw } });
}
