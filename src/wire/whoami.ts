/** Who a key is (an addition of ours): the operator that it acts for, what it may do, and its budget. */
import { z } from 'zod';
import { timestamp } from './money.ts';

export const whoami = z
  .object({
    keyId: z.string().describe('Id of the key.'),
    operatorId: z
      .string()
      .describe('The operator acted for: the holder of the key, or the child that the header names.'),
    holderId: z.string().describe('The operator that holds the key.'),
    slug: z.string().describe('Slug of the operator acted for.'),
    name: z.string().describe('Its name.'),
    mode: z.enum(['sandbox', 'live']).describe('Its mode.'),
    scopes: z.array(z.string()).describe('What the key may do.'),
    platformFeeBps: z.int().describe('Platform fee in basis points.'),
    tradingPaused: z.boolean().describe('Whether the service operator has paused trading.'),
    rateLimit: z
      .object({
        limit: z.int().describe('Requests a minute.'),
        remaining: z.int().describe('Left in this minute.'),
        resetSeconds: z.int().describe('Seconds until the minute ends.'),
      })
      .nullable()
      .describe('Budget of the key.'),
    timestamp: timestamp('When this was answered.'),
  })
  .meta({ id: 'Whoami' });
