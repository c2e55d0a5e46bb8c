/** The collateral of a live operator on the wire: what is free, what is committed, and what moved it last. An addition to the contract. */
import { z } from 'zod';
import { amount, currency, timestamp } from '../money.ts';
import { pageLimit } from '../page.ts';

const movement = z
  .object({
    id: z.string().describe('Id of the `collateral.moved` item.'),
    sequence: z.int().min(1).describe('Its number in the feed.'),
    kind: z.enum(['deposit', 'withdrawal', 'commit', 'release', 'spend', 'return']).describe('What moved it.'),
    amount: amount('What was moved.'),
    availableAfter: amount('Free after it.'),
    committedAfter: amount('Committed after it.'),
    memo: z.string().describe('For people.'),
    reference: z.string().nullable().describe('What a deposit or withdrawal was agreed under; else null.'),
    externalUserId: z
      .string()
      .nullable()
      .describe("The operator's id of the customer; null for deposits and withdrawals."),
    orderId: z.string().nullable().describe('The order that moved it, if one did.'),
    positionId: z.string().nullable().describe('The position that moved it, if one did.'),
    ledgerEntryId: z.string().describe('The entry that posted it.'),
    occurredAt: timestamp('When it was recorded.'),
  })
  .meta({ id: 'CollateralMovement' });

export const collateral = z
  .object({
    currency,
    available: amount('Free for orders and withdrawals.'),
    committed: amount('Committed to orders that are not final.'),
    total: amount('Available and committed.'),
    movements: z.array(movement).describe('The last ones, newest first; the feed has all of them.'),
  })
  .meta({ id: 'Collateral' });

export const collateralQuery = z.object({ limit: pageLimit(200, 20) });

export type Collateral = z.infer<typeof collateral>;
