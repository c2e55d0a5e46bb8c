/** What a customer who may not trade still sees: what they hold, how past positions ended, and the events that these are about. */
import { z } from 'zod';
import { eventShape } from '../catalogue.ts';
import { position } from '../position.ts';
import { settlement } from '../reconciliation/settlement.ts';

export const frameHoldings = z
  .object({
    platformFeeBps: z.int().describe('Fee rate of the operator in basis points, for estimates.'),
    positions: z.array(position).describe('The latest 200, newest first.'),
    settlements: z.array(settlement).describe('The latest 200, newest first.'),
    events: z
      .array(eventShape)
      .describe('The events of these positions that are still in the catalogue, each with the outcomes that are held.'),
  })
  .meta({ id: 'FrameHoldings' });

export type FrameHoldings = z.infer<typeof frameHoldings>;
