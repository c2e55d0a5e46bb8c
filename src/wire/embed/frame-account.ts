/** What the frame needs to say before a quote: the fee rate, the simulated balance, the most that can be staked, and what the place permits. */
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
    largestStake: z
      .object({
        amount: amount('The lowest of the limits and of the simulated balance.'),
        limit: z
          .enum([
            'over_wager_limit',
            'over_period_limit',
            'over_order_limit',
            'simulation_not_permitted',
            'insufficient_funds',
          ])
          .describe('What a larger stake is refused with.'),
      })
      .nullable()
      .describe('The most that one buy can stake now; null if nothing limits it.'),
    mayBuy: z.boolean().describe('False where the customer’s jurisdiction is not permitted.'),
    maySell: z.boolean().describe('The same for exits, which the operator may allow everywhere.'),
  })
  .meta({ id: 'FrameAccount' });

export type FrameAccount = z.infer<typeof frameAccount>;
