/** Shapes of the demo's own routes. They are no partner contract and exist on development machines only. */
import { z } from 'zod';
import { orderInput } from '../order-requests.ts';
import { quoteInput } from '../quote.ts';

/** The demo speaks for customers of this form only. */
const user = z
  .string()
  .regex(/^demo-[a-z0-9-]{1,40}$/, 'demo- and up to 40 letters or digits')
  .default('demo-visitor');

export const demoSession = z.strictObject({
  user,
  ttlSeconds: z.int().min(60).max(3600).default(900),
  locale: z
    .string()
    .regex(/^[a-z]{2}$/)
    .optional(),
});

export const demoStateQuery = z.object({ user, cursor: z.string().max(500).optional() });

export const demoMailQuery = z.object({ user, after: z.coerce.number().int().min(0).default(0) });

export const demoResolution = z.strictObject({
  user,
  positionId: z.string().min(1).max(100),
  resolution: z.enum(['WIN', 'LOSS', 'VOID']),
});

export const demoQuote = quoteInput.and(z.object({ user }));

export const demoOrder = z.object({
  user,
  quoteId: orderInput.shape.quoteId,
  clientOrderId: orderInput.shape.clientOrderId,
});
