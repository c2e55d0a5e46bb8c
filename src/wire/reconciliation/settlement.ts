/** Settlements on the wire, and the register that pages them (contract chapter 16, contract 16.8). */
import { z } from 'zod';
import { amount, quantity, settlementMoney, side, simulated, timestamp } from '../money.ts';
import { count, cursor, hasMore, pageLimit, userFilter, watermark } from '../page.ts';

export const RESOLUTIONS = ['YES', 'NO', 'VOID', 'SPLIT'] as const;
export const OUTCOMES = ['won', 'lost', 'void'] as const;

export const settlement = z
  .object({
    id: z.string().describe('Stable; key your credit on it.'),
    positionId: z.string().describe('The position that settled; each settles once.'),
    externalUserId: z.string().describe("The operator's own id of the customer."),
    contractId: z.string().describe('The `ctr_` id.'),
    side,
    resolution: z.enum(RESOLUTIONS).describe('How the contract resolved.'),
    outcome: z.enum(OUTCOMES).describe('`void` is an annulment or a split payout.'),
    contracts: quantity('Settled.'),
    realisedPnl: amount('Profit of this settlement: credit less cost basis.'),
    lifetimeRealisedPnl: amount('Running total of the position.'),
    settledAt: timestamp('When it was settled.'),
    operatorMoney: settlementMoney,
    cursor: z.string().describe('Resumes right after this settlement.'),
    simulated,
  })
  .meta({ id: 'Settlement' });

export const settlementPage = z
  .object({
    settlements: z.array(settlement).describe('Oldest first.'),
    count,
    nextCursor: watermark,
    hasMore,
  })
  .meta({ id: 'SettlementPage' });

/** What the frame shows of past positions. */
export const latestSettlements = z.object({
  settlements: z.array(settlement).describe('Newest first.'),
  count,
});

export const settlementListQuery = z.object({
  externalUserId: userFilter.describe('An unknown customer is 404 `unknown_user`.'),
  outcome: z.string().optional().describe('`won`, `lost` or `void`; an unknown one gives an empty page.'),
  settledFrom: z.string().optional().describe('Earliest `settledAt`, inclusive.'),
  settledTo: z.string().optional().describe('Latest `settledAt`, inclusive.'),
  limit: pageLimit(500, 100),
  cursor,
});

/** The deprecated list that pages by time without a tiebreaker. */
export const settledPositionsPage = z.object({
  supersededBy: z.string().describe('The route that replaces this one.'),
  settlements: z.array(settlement).describe('Oldest first.'),
  count,
  cursor: z.string().nullable().describe('Pass back as `?since=`.'),
});

export const settledPositionsQuery = z.object({
  externalUserId: userFilter,
  since: z.string().optional().describe('`cursor` of the answer before.'),
  limit: pageLimit(500, 100),
});

export type Settlement = z.infer<typeof settlement>;
export type SettlementPage = z.infer<typeof settlementPage>;
export type LatestSettlements = z.infer<typeof latestSettlements>;
export type SettledPositionsPage = z.infer<typeof settledPositionsPage>;
