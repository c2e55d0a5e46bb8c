/** Separates what fits a shape from what does not, which is kept word for word as evidence. */
import { z } from 'zod';
import type { Invalid } from './port.ts';

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
