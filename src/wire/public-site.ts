/** Shapes of the public website's own routes. They are not a partner contract and may change with the site. */
import { z } from 'zod';
import { outcomeShape } from './catalogue.ts';

export const marketShape = z.strictObject({
  ...outcomeShape.shape,
  event: z.strictObject({ id: z.string(), slug: z.string(), title: z.string(), category: z.string() }),
});
export type Market = z.infer<typeof marketShape>;

export const marketListQuery = z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) });

const MOST_IDS = 200;

export const marketPricesQuery = z.object({
  ids: z
    .string()
    .transform((text) => [...new Set(text.split(',').filter((id) => id !== ''))])
    .pipe(z.array(z.string()).min(1).max(MOST_IDS)),
});
