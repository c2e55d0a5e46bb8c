/** Positions on the wire (contract 15.1): facts, not instructions, and no mark-to-market value. */
import { z } from 'zod';
import { amount, currency, price, quantity, side, timestamp } from './money.ts';
import { clampedPage, count, hasMore, nextCursor, repeatableOf, userFilter } from './page.ts';

const POSITION_STATUSES = ['open', 'closed', 'settled'] as const;

export const position = z
  .object({
    positionId: z.string().describe('Id of the position.'),
    externalUserId: z.string().describe("The operator's own id of the customer."),
    contractId: z.string().describe('The `ctr_` id.'),
    side,
    status: z.enum(POSITION_STATUSES).describe('State of the position. `closed`: everything was sold.'),
    quantity: quantity('Quantity still held.'),
    averagePrice: price('Volume-weighted average price of the buys, without fees.'),
    openedAt: timestamp('Time of the first fill.'),
    updatedAt: timestamp('Time of the last change.'),
    operatorMoney: z
      .object({
        currency,
        costBasis: amount('Cost of the contracts that are still held, fees included.'),
        realisedPnl: amount('Profit of the contracts that were sold or settled.'),
      })
      .meta({ id: 'PositionMoney' }),
  })
  .meta({ id: 'Position' });

export const positionPage = z
  .object({
    positions: z.array(position).describe('Positions, newest first.'),
    count,
    nextCursor,
    hasMore,
  })
  .meta({ id: 'PositionPage' });

export const positionListQuery = z.object({
  externalUserId: userFilter,
  status: repeatableOf(POSITION_STATUSES, 'Repeatable; an unknown one gives an empty page.'),
  ...clampedPage,
});

export type Position = z.infer<typeof position>;
export type PositionPage = z.infer<typeof positionPage>;
