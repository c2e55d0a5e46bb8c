/** What the frame needs to estimate a payoff: the fee rate, and the simulated balance where the service keeps one. */
import { z } from 'zod';
import { amount, currency } from '../money.ts';

export const frameAccount = z
  .object({
    currency,
    platformFeeBps: z
      .int()
      .describe('Fee rate of the operator in basis points, for estimates; a quote states the fee.'),
    available: amount(
      'What the customer can still stake in practice mode; null where the operator holds the money.',
    ).nullable(),
  })
  .meta({ id: 'FrameAccount' });

export type FrameAccount = z.infer<typeof frameAccount>;
